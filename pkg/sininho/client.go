package sininho

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/pkg/waitlistapi"
)

// DefaultBaseURL is the base URL of a Client unless [WithBaseURL] sets another.
const DefaultBaseURL = "http://localhost:8080/api/v1"

// apiPath is appended to a base URL that is only a server's origin.
const apiPath = "/api/v1"

// Client calls one Sininho server. Create it with [New] and share it: it is safe for concurrent use
// and has no state other than idle connections.
type Client struct {
	// Notifications publishes to channels and reads published notifications.
	Notifications *NotificationsService
	// Drafts saves what a person has begun to write.
	Drafts *DraftsService
	// Templates manages what is often said in a channel.
	Templates *TemplatesService
	// Channels creates, finds and changes channels.
	Channels *ChannelsService
	// Categories reads and changes the categories of channels.
	Categories *CategoriesService
	// Publishers creates, finds and changes publishers.
	Publishers *PublishersService
	// Members manages the people who act for a publisher.
	Members *MembersService
	// ChannelMembers lists, approves and removes the members of a private channel.
	ChannelMembers *ChannelMembersService
	// ChannelInvitations invites people to a private channel, and joins one.
	ChannelInvitations *ChannelInvitationsService
	// MembershipInvitations invites people to be members of a publisher, and answers invitations to oneself.
	MembershipInvitations *MembershipInvitationsService
	// APIKeys creates and revokes the API keys of a publisher.
	APIKeys *APIKeysService
	// Webhooks manages the addresses to which other systems post in order to publish to a channel.
	Webhooks *WebhooksService
	// EventEndpoints manages the addresses to which a publisher's events are posted.
	EventEndpoints *EventEndpointsService
	// Auth shows the caller's identity and signs out.
	Auth *AuthService
	// DeviceSignIn signs a person in to a program without a browser.
	DeviceSignIn *DeviceSignInService
	// AccessTokens creates and revokes the access tokens with which programs act for a person.
	AccessTokens *AccessTokensService
	// Identities lists what a person signs in with.
	Identities *IdentitiesService
	// Sessions lists and ends the sessions of the browsers in which a person is signed in.
	Sessions *SessionsService
	// Me reads, changes, exports and deletes the signed-in person's account.
	Me *MeService
	// Onboarding reads and saves the signed-in person's progress through onboarding.
	Onboarding *OnboardingService
	// Subscriptions manages which channels the signed-in person follows.
	Subscriptions *SubscriptionsService
	// Feed reads the notifications of the channels that the signed-in person follows.
	Feed *FeedService
	// FeedAddress makes and ends the secret address at which feed readers find what the signed-in person follows.
	FeedAddress *FeedAddressService
	// Devices manages the devices to which the signed-in person's notifications are pushed.
	Devices *DevicesService
	// Reports reports channels and notifications to the operators, who read and close the reports.
	Reports *ReportsService
	// PublisherRequests asks the operators for a publisher, and answers what others ask for.
	PublisherRequests *PublisherRequestsService
	// AuditLog reads who changed what about a publisher.
	AuditLog *AuditLogService
	// Moderation suspends channels, publishers and accounts, and withdraws notifications, for operators.
	Moderation *ModerationService
	// Installation shows operators how the installation is doing.
	Installation *InstallationService
	// Waitlist manages the waiting list.
	Waitlist *WaitlistService

	calls *api.Client
	http  *http.Client
}

// New creates a client without sending anything. If settings are invalid, it fails with an error
// that names all of them and never contains the key.
func New(opts ...Option) (*Client, error) {
	s := defaultSettings()
	for _, opt := range opts {
		opt(&s)
	}
	base, waitlist, err := s.check()
	if err != nil {
		return nil, err
	}
	caller := newCaller(s)
	calls := &api.Client{Server: base + "/", Client: caller}
	streams := streamer{
		api:      &api.Client{Server: base + "/", Client: openCaller{caller, "text/event-stream"}},
		settings: streamSettings(s),
	}
	files := &api.Client{Server: base + "/", Client: openCaller{caller, "application/json, application/problem+json"}}
	const csv = "text/csv, application/problem+json"
	return &Client{
		Notifications:         &NotificationsService{api: calls, streams: streams},
		Drafts:                &DraftsService{api: calls},
		Templates:             &TemplatesService{api: calls},
		Channels:              &ChannelsService{api: calls},
		Categories:            &CategoriesService{api: calls},
		Publishers:            &PublishersService{api: calls},
		Members:               &MembersService{api: calls},
		MembershipInvitations: &MembershipInvitationsService{api: calls},
		ChannelMembers:        &ChannelMembersService{api: calls},
		ChannelInvitations:    &ChannelInvitationsService{api: calls},
		APIKeys:               &APIKeysService{api: calls},
		Webhooks:              &WebhooksService{api: calls},
		EventEndpoints:        &EventEndpointsService{api: calls},
		Auth:                  &AuthService{api: calls},
		DeviceSignIn:          &DeviceSignInService{api: calls},
		AccessTokens:          &AccessTokensService{api: calls},
		Identities:            &IdentitiesService{api: calls},
		Sessions:              &SessionsService{api: calls},
		Me:                    &MeService{api: calls, files: files},
		Onboarding:            &OnboardingService{api: calls},
		Subscriptions:         &SubscriptionsService{api: calls},
		Feed:                  &FeedService{api: calls, streams: streams},
		FeedAddress:           &FeedAddressService{api: calls},
		Devices:               &DevicesService{api: calls},
		Reports:               &ReportsService{api: calls},
		PublisherRequests:     &PublisherRequestsService{api: calls},
		AuditLog:              &AuditLogService{api: calls},
		Moderation:            &ModerationService{api: calls},
		Installation:          &InstallationService{api: calls},
		Waitlist: &WaitlistService{api: &waitlistapi.Client{Server: waitlist + "/", Client: caller},
			files: &waitlistapi.Client{Server: waitlist + "/", Client: openCaller{caller, csv}}},
		calls: calls, http: caller.http,
	}, nil
}

// CloseIdleConnections closes connections that are not in use. The client stays usable.
func (c *Client) CloseIdleConnections() { c.http.CloseIdleConnections() }

// parseBaseURL returns the URL to which paths are appended, without a trailing slash.
func parseBaseURL(text string) (string, error) {
	u, err := url.Parse(strings.TrimSpace(text))
	switch {
	case err != nil, u.Host == "", u.Scheme != "http" && u.Scheme != "https":
		return "", errors.New("the base URL must look like https://sininho.example.com/api/v1")
	case u.User != nil:
		return "", errors.New("the base URL must not hold a user name or password; use WithAPIKey")
	case u.RawQuery != "" || u.Fragment != "":
		return "", errors.New("the base URL must not have a query or a fragment")
	}
	u.Path = strings.TrimRight(u.Path, "/")
	u.RawPath = ""
	if u.Path == "" {
		u.Path = apiPath
	}
	return u.String(), nil
}
