package core_test

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/memory"
)

// world is the domain on stores in memory: the publisher metro with an owner and an editor, and its channel avisos.
type world struct {
	*memory.Store
	t   *testing.T
	now time.Time

	owner, editor, stranger, operator, visitor core.Caller
	category                                   core.ID
	channel                                    core.ChannelRef

	said      []string // announcements, and events for analytics
	sent      []core.Push
	result    core.Result // of a push
	challenge core.EventAttempt
	dialled   netip.Addr
	nudges    int

	publishers    *core.Publishers
	requests      *core.PublisherRequests
	channels      *core.Channels
	notifications *core.Notifications
	drafts        *core.Drafts
	templates     *core.Drafts
	subscriptions *core.Subscriptions
	feed          *core.Feed
	devices       *core.Devices
	keys          *core.APIKeys
	tokens        *core.AccessTokens
	credentials   *core.Credentials
	signIns       *core.DeviceSignIns
	subscribers   *core.Subscribers
	members       *core.Members
	invitations   *core.MembershipInvitations
	joining       *core.ChannelInvitations
	joined        *core.ChannelMembers
	endpoints     *core.EventEndpoints
	webhooks      *core.Webhooks
	categories    *core.Categories
	moderation    *core.Moderation
	reports       *core.Reports
	audit         *core.AuditLog
	installation  *core.Installation
}

var (
	operators = core.Operators{"Ops@example.com"}
	testRules = core.NewRules(core.LinkRules{}, core.EventRules{}, templates{}).
			WithPush(core.PushRules{Kinds: []string{core.KindFCM, core.KindWebPush}}).
			WithRetention(core.Retention{Days: 30, Count: 100})
	testSealer = made(core.NewSealer(core.NewSecretKey()))
)

// made returns v, or panics.
func made[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, now: now, result: core.Result{Outcome: core.Accepted}}
	clock := func() time.Time { return w.now }
	w.Store = memory.New(clock)
	secret := func() string { return "whsec_" + core.RandomText(32) }
	w.webhooks = core.NewWebhooks(w, w, testRules, testSealer, secret, clock)
	w.publishers = core.NewPublishers(w, operators, testRules, clock)
	w.requests = core.NewPublisherRequests(w, operators, testRules.WithAdmission(core.AdmissionRequest), clock)
	w.channels = core.NewChannels(w, operators, testRules, w, clock)
	w.notifications = core.NewNotifications(w, w, operators, testRules, clock)
	w.drafts, w.templates = core.NewDrafts(w, testRules, clock), core.NewTemplates(w, testRules, clock)
	w.subscriptions = core.NewSubscriptions(w, w, clock)
	w.feed = core.NewFeed(w, w, w, clock)
	w.devices = core.NewDevices(w, w, w, testRules, clock)
	w.keys = core.NewAPIKeys(w, w, clock)
	w.tokens = core.NewAccessTokens(w, testRules, w, clock)
	w.credentials = core.NewCredentials(w, clock)
	w.signIns = core.NewDeviceSignIns(w, testRules, clock)
	w.subscribers = core.NewSubscribers(w, w.webhooks, w, clock)
	w.members = core.NewMembers(w, w.webhooks, w, clock)
	w.invitations = core.NewMembershipInvitations(w, 3, clock)
	w.joining = core.NewChannelInvitations(w, core.ChannelInvitationSecrets{}, 3, w, clock)
	w.joined = core.NewChannelMembers(w, w, clock)
	w.endpoints = core.NewEventEndpoints(w, testRules, testSealer, secret, w, func() { w.nudges++ }, clock)
	w.categories = core.NewCategories(w, operators, clock)
	w.moderation = core.NewModeration(w, w, operators, w, clock)
	w.reports = core.NewReports(w, operators, clock)
	w.audit = core.NewAuditLog(w, operators)
	w.installation = core.NewInstallation(w, operators, []core.Setting{{Name: "MODE"}}, clock)

	w.owner, w.editor, w.stranger, w.operator = w.person("owner"), w.person("editor"), w.person("stranger"),
		w.person("ops")
	made(first(w.publishers.Create(t.Context(), w.owner, core.PublisherInput{Slug: "metro", Name: "Metro"}, noKey)))
	w.join("metro", "editor", core.RoleEditor)
	in := core.CategoryInput{Slug: "cidade", Name: "Cidade"}
	w.category = made(first(w.categories.Create(t.Context(), w.operator, in, noKey))).ID
	w.channel = w.newChannel("metro", "avisos").ChannelRef
	w.said = nil
	return w
}

var noKey core.Idempotency

// key returns an idempotency key for a body.
func key(name, body string) core.Idempotency {
	return core.Idempotency{Caller: "caller", Route: "route", Key: name, BodyHash: []byte(body)}
}

// first drops the creation of a result.
func first[T any](v T, _ core.Creation, err error) (T, error) { return v, err }

// person returns a person who has signed in, with a session.
func (w *world) person(name string) core.Caller {
	p := core.Profile{Issuer: core.IssuerGoogle, Subject: name, Email: name + "@example.com", Name: name, Locale: "pt"}
	s := made(w.SignIn(w.t.Context(), p, core.SignUp{Open: true}, w.now))
	session := core.Session{ID: core.NewID(), SubscriberID: s.ID, CreatedAt: w.now, SeenAt: w.now}
	core.Succeed(w.t, "create a session", w.CreateSession(w.t.Context(), session, core.HashSecret(name)))
	return core.Caller{Kind: core.CallerSubscriber, SubscriberID: s.ID, SessionID: session.ID}
}

// join makes a person a member of a publisher.
func (w *world) join(publisher, name string, role core.Role) {
	in := core.MembershipInvitationInput{Email: name + "@example.com", Role: role}
	invited := made(first(w.invitations.Create(w.t.Context(), w.owner, publisher, in, noKey)))
	made(w.invitations.Accept(w.t.Context(), w.person(name), invited.ID))
}

// newChannel returns a new public channel of the owner's publisher.
func (w *world) newChannel(publisher, slug string) core.Channel {
	in := core.ChannelInput{PublisherSlug: publisher, Slug: slug, Name: slug, CategoryID: w.category}
	return made(first(w.channels.Create(w.t.Context(), w.owner, in, noKey)))
}

// key returns an API key of metro with scopes, or with all of them.
func (w *world) key(scopes ...core.Scope) core.Caller {
	if scopes == nil {
		scopes = []core.Scope{core.ScopePublish, core.ScopeChannels, core.ScopeRead}
	}
	_, secret, _, err := w.keys.Create(w.t.Context(), w.owner, "metro", core.APIKeyInput{Name: "CI", Scopes: scopes}, noKey)
	core.Succeed(w.t, "create an API key", err)
	return made(w.credentials.Authenticate(w.t.Context(), secret))
}

// token returns an access token of a person.
func (w *world) token(of core.Caller, scopes ...core.Scope) core.Caller {
	in := core.AccessTokenInput{Name: "CLI", Scopes: scopes}
	_, secret, _, err := w.tokens.Create(w.t.Context(), of, in, noKey)
	core.Succeed(w.t, "create an access token", err)
	return made(w.credentials.Authenticate(w.t.Context(), secret))
}

// publish publishes to the channel as its owner.
func (w *world) publish(in core.PublishInput) core.Notification {
	if in.Title == "" {
		in.Title = "Olá"
	}
	return made(first(w.notifications.Publish(w.t.Context(), w.owner, "metro", "avisos", in, noKey)))
}

// withdrawn returns a notification that was published and withdrawn.
func (w *world) withdrawn() core.Notification {
	n := w.publish(core.PublishInput{})
	core.Succeed(w.t, "withdraw", w.notifications.Withdraw(w.t.Context(), w.owner, "metro", "avisos", n.ID, nil))
	return n
}

// suspend suspends the channel.
func (w *world) suspend() {
	made(w.moderation.SuspendChannel(w.t.Context(), w.operator, "metro", "avisos", core.SuspensionInput{Reason: "spam"}))
}

// endpoint returns a new event endpoint of metro, confirmed if the publisher shows it.
func (w *world) endpoint(confirmed bool) core.EventEndpoint {
	in := core.EventEndpointInput{URL: "https://example.com/hook", Name: "hook"}
	e, _, _, err := w.endpoints.Create(w.t.Context(), w.owner, "metro", in, noKey)
	core.Succeed(w.t, "create an endpoint", err)
	if confirmed {
		w.challenge = core.EventAttempt{Status: 200}
		if ok, _, err := w.endpoints.Challenge(w.t.Context(), w.owner, "metro", e.ID); !ok {
			w.t.Fatalf("confirm the endpoint: %v", err)
		}
	}
	return made(w.endpoints.Get(w.t.Context(), w.owner, "metro", e.ID))
}

// webhook returns a new webhook of the channel.
func (w *world) webhook(in core.WebhookInput) (core.Webhook, string) {
	in.Name = "hook"
	made, secret, _, err := w.webhooks.Create(w.t.Context(), w.owner, "metro", "avisos", in, noKey)
	core.Succeed(w.t, "create a webhook", err)
	return made, secret
}

func (w *world) say(format string, args ...any) {
	w.said = append(w.said, fmt.Sprintf(format, args...))
}

// Followed implements core.Announcer.
func (w *world) Followed(_ context.Context, id core.ID) { w.say("followed %s", id) }

// Read implements core.Announcer.
func (w *world) Read(_ context.Context, id core.ID, r core.ReadEvent) {
	s := fmt.Sprintf("read by %s with %s", id, r.By)
	if r.NotificationID != nil {
		s += fmt.Sprintf(", notification %s", *r.NotificationID)
	}
	if r.ChannelID != nil {
		s += fmt.Sprintf(", channel %s", *r.ChannelID)
	}
	if r.Archived != nil {
		s += fmt.Sprintf(", archived %v", *r.Archived)
	}
	if r.SnoozedUntil != nil {
		s += r.SnoozedUntil.Format(" until 15:04")
	}
	w.say("%s, is read %v", s, r.ReadAt != nil)
}

// ChannelReset implements core.Announcer.
func (w *world) ChannelReset(_ context.Context, id core.ID) { w.say("reset %s", id) }

// ChannelLeft implements core.Announcer.
func (w *world) ChannelLeft(_ context.Context, id core.ID) { w.say("left %s", id) }

// SignedOut implements core.Announcer.
func (w *world) SignedOut(_ context.Context, id core.ID) { w.say("signed out %s", id) }

// Capture implements core.Analytics.
func (w *world) Capture(e core.AnalyticsEvent) { w.say("captured %v", e) }

// Send implements core.PushSender.
func (w *world) Send(_ context.Context, p core.Push, _ core.PushAddress) core.Result {
	w.sent = append(w.sent, p)
	return w.result
}

// Challenge implements core.EventChallenger.
func (w *world) Challenge(
	_ context.Context, _ core.EventEndpoint, _ core.EventSecrets, e core.EventDelivery, challenge string,
	mayDial func(netip.Addr) error,
) core.EventAttempt {
	w.say("challenged")
	if !strings.Contains(e.Payload, challenge) || e.Type != core.EventChallenge {
		w.t.Errorf("payload of a challenge: got %s of type %s, want %s in it", e.Payload, e.Type, challenge)
	}
	if w.dialled.IsValid() {
		if err := mayDial(w.dialled); err != nil {
			return core.EventAttempt{At: w.now, Error: err.Error()}
		}
	}
	return w.challenge
}

// templates skips the payload `skip`, fails for `fail`, and otherwise uses the payload as title.
type templates struct{}

func (templates) Check(t core.WebhookTemplate) []core.FieldError {
	if t.Title == "bad" {
		return []core.FieldError{{Pointer: "#/template/title", Code: "template", Detail: core.Text{EN: "is bad"}}}
	}
	return nil
}

func (templates) Render(
	_ context.Context, _ core.WebhookSender, own *core.WebhookTemplate, payload []byte, _ map[string]string,
) (core.Rendered, error) {
	out := core.Rendered{ID: "own", Kind: "kind"}
	switch string(payload) {
	case "fail":
		return out, core.Malformed(core.Text{EN: "It is broken.", PT: "Está partido."})
	case "down":
		return out, core.Unavailable(errors.New("down"))
	case "skip":
		out.Skip = "not now"
		return out, nil
	}
	out.Notification = core.PublishInput{
		Title: string(payload), Link: "ftp://example.com/", Icon: "https://example.com/i.png"}
	if own != nil {
		out.Notification.Title = own.Title
	}
	return out, nil
}

// letters are how an outcome is written in tables: "." is success.
var letters = map[core.Code]string{core.CodeForbidden: "F", core.CodeNotFound: "N", core.CodeUnauthenticated: "U",
	core.CodeInvalid: "I", core.CodeConflict: "C", core.CodeMalformed: "M", core.CodeChanged: "P",
	core.CodeRateLimited: "R", core.CodeFull: "L", core.CodeUnavailable: "D"}

func letterOf(err error) string {
	if err == nil {
		return "."
	}
	if e, ok := errors.AsType[*core.Error](err); ok {
		return letters[e.Code]
	}
	return "?"
}

// reasonOf returns the reason of an error, or its code without one.
func reasonOf(err error) string {
	e, ok := errors.AsType[*core.Error](err)
	switch {
	case err == nil:
		return ""
	case !ok:
		return err.Error()
	case e.Reason == "":
		return string(e.Code)
	}
	return e.Reason
}
