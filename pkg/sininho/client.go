package sininho

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/pkg/waitlistapi"
)

// DefaultBaseURL is where a Client calls unless [WithBaseURL] says otherwise.
const DefaultBaseURL = "http://localhost:8080/api/v1"

// apiPath is appended to a base URL that is only a server's origin.
const apiPath = "/api/v1"

// Client calls one Sininho server. Make it with [New] and share it: it is safe for use by
// several goroutines at once and holds no state but idle connections.
type Client struct {
	// Notifications publishes to channels and reads what was published.
	Notifications *NotificationsService
	// Channels creates, finds and changes channels.
	Channels *ChannelsService
	// Categories lists what channels are grouped by.
	Categories *CategoriesService
	// Publishers creates, finds and changes who owns channels.
	Publishers *PublishersService
	// Members says who acts for a publisher.
	Members *MembersService
	// APIKeys makes and ends the keys of a publisher.
	APIKeys *APIKeysService
	// Webhooks makes addresses at which others publish to a channel.
	Webhooks *WebhooksService
	// EventEndpoints are addresses of a publisher that are told what happened.
	EventEndpoints *EventEndpointsService
	// Auth tells who the credential makes you.
	Auth *AuthService
	// DeviceSignIn signs a person in to a program without a browser.
	DeviceSignIn *DeviceSignInService
	// AccessTokens makes and ends the credentials with which programs act for a person.
	AccessTokens *AccessTokensService
	// Me is the signed-in person.
	Me *MeService
	// Onboarding is how far the signed-in person's first steps are.
	Onboarding *OnboardingService
	// Subscriptions says which channels the signed-in person follows.
	Subscriptions *SubscriptionsService
	// Feed is what all of them publish.
	Feed *FeedService
	// Devices are what of theirs is pushed.
	Devices *DevicesService
	// Waitlist is who waits to be let in.
	Waitlist *WaitlistService

	http *http.Client
}

// New makes a client. It sends nothing. It fails when a setting cannot be used, naming
// every one that cannot, and never repeats the key in the error.
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
	streams := streamer{api: &api.Client{Server: base + "/", Client: openCaller{caller, "text/event-stream"}}, settings: streamSettings(s)}
	files := &api.Client{Server: base + "/", Client: openCaller{caller, "application/json, application/problem+json"}}
	const csv = "text/csv, application/problem+json"
	return &Client{
		Notifications:  &NotificationsService{api: calls, streams: streams},
		Channels:       &ChannelsService{api: calls},
		Categories:     &CategoriesService{api: calls},
		Publishers:     &PublishersService{api: calls},
		Members:        &MembersService{api: calls},
		APIKeys:        &APIKeysService{api: calls},
		Webhooks:       &WebhooksService{api: calls},
		EventEndpoints: &EventEndpointsService{api: calls},
		Auth:           &AuthService{api: calls},
		DeviceSignIn:   &DeviceSignInService{api: calls},
		AccessTokens:   &AccessTokensService{api: calls},
		Me:             &MeService{api: calls, files: files},
		Onboarding:     &OnboardingService{api: calls},
		Subscriptions:  &SubscriptionsService{api: calls},
		Feed:           &FeedService{api: calls, streams: streams},
		Devices:        &DevicesService{api: calls},
		Waitlist: &WaitlistService{api: &waitlistapi.Client{Server: waitlist + "/", Client: caller},
			files: &waitlistapi.Client{Server: waitlist + "/", Client: openCaller{caller, csv}}},
		http: caller.http,
	}, nil
}

// CloseIdleConnections closes connections that wait to be used again. The client stays
// usable.
func (c *Client) CloseIdleConnections() { c.http.CloseIdleConnections() }

// parseBaseURL gives the address to append paths to, without a slash at its end.
func parseBaseURL(text string) (string, error) {
	u, err := url.Parse(strings.TrimSpace(text))
	switch {
	case err != nil, u.Host == "", u.Scheme != "http" && u.Scheme != "https":
		return "", errors.New("the base URL must look like https://sininho.example.com/api/v1")
	case u.User != nil:
		return "", errors.New("the base URL must not hold a user name or password; use WithAPIKey")
	case u.RawQuery != "" || u.Fragment != "":
		return "", fmt.Errorf("the base URL must not have a query or a fragment")
	}
	u.Path = strings.TrimRight(u.Path, "/")
	u.RawPath = ""
	if u.Path == "" {
		u.Path = apiPath
	}
	return u.String(), nil
}
