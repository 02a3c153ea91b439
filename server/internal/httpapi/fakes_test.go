package httpapi

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/webhook"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/template"
	"github.com/sininho/sininho/server/internal/tracing"
)

var (
	start       = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	channelID   = core.ID{0xc}
	publisherID = core.ID{0xb}
	otherID     = core.ID{0xbb}
	ana         = core.ID{0xa}
	metro       = core.ChannelRef{ID: channelID, PublisherSlug: "metro", Slug: "linhas", Name: "Linhas"}
)

// memory is a store with only the methods that the tests use. All others panic.
type memory struct {
	publishedEvents []core.Notification // of webhooks
	core.ChannelStore
	core.PublisherStore
	core.NotificationStore
	core.Writer
	core.FeedStore
	core.DeviceStore
	core.SubscriptionStore
	core.SubscriberStore
	core.CategoryStore
	core.MemberStore
	core.APIKeyStore
	core.AccessTokenStore
	core.DeviceSignInStore
	core.WebhookStore
	core.EventStore
	core.DeliverySummaryStore
	core.SuspensionStore

	waitlist *waitlistHandlers

	mu     sync.Mutex
	keys   map[string]core.APIKey // by hash
	tokens map[string]core.AccessToken
	hooks  map[string]core.SealedWebhook

	accounts map[core.ID]core.ID // by publisher; others answer for themselves

	events map[string]core.ID
	refuse []string // reasons why events were refused
	list   []core.Notification
	wrong  error // returned by ChannelRef instead
	looks  int   // look-ups of webhooks
	secret int   // look-ups of API keys and access tokens

	creation core.Creation
	key      core.Idempotency
	filter   core.FeedFilter
	channels core.ChannelFilter
}

func (m *memory) ChannelRef(_ context.Context, publisher, slug string) (core.ChannelRef, core.ID, error) {
	if m.wrong != nil {
		return core.ChannelRef{}, core.ID{}, m.wrong
	}
	if publisher == "panic" {
		panic("secret of the inside")
	}
	if publisher+"/"+slug != metro.Address() {
		return core.ChannelRef{}, core.ID{}, core.NotFound()
	}
	return metro, publisherID, nil
}

func (m *memory) Destination(ctx context.Context, publisher, slug string) (core.ChannelRef, core.ID, error) {
	return m.ChannelRef(ctx, publisher, slug)
}

func (m *memory) Channels(_ context.Context, f core.ChannelFilter) ([]core.Channel, int64, error) {
	m.channels = f
	return []core.Channel{{ChannelRef: metro, CreatedAt: start}}, 3, nil
}

func (m *memory) Role(context.Context, core.ID, core.ID) (core.Role, error) { return "", nil }

func (m *memory) IsMember(context.Context, core.ID) (bool, error) { return false, nil }

func (m *memory) Publisher(_ context.Context, id core.ID) (core.Publisher, error) {
	return core.Publisher{ID: id, Slug: "metro", Name: "Metro"}, nil
}

func (m *memory) Publish(
	_ context.Context, n core.Notification, key core.Idempotency,
) (core.Notification, core.Creation, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.key = key
	return n, m.creation, nil
}

func (m *memory) PublishBatch(
	_ context.Context, all []core.Notification, _ core.Idempotency,
) (published []core.Published, creation core.Creation, err error) {
	for _, n := range all {
		published = append(published, core.Published{ID: n.ID, Existing: n.ExternalID == "existing"})
	}
	return published, m.creation, nil
}

func (m *memory) Replay(
	context.Context, core.Idempotency, core.Notification,
) (core.Notification, core.Creation, error) {
	return core.Notification{}, 0, core.NotFound()
}

func (m *memory) Notifications(
	ctx context.Context, publisher, slug string, p core.Page, reader *core.ID,
) (list core.ChannelPage, err error) {
	list.Data, list.Total = m.list[:min(len(m.list), p.Limit)], int64(len(m.list))
	list.Channel, list.PublisherID, err = m.ChannelRef(ctx, publisher, slug)
	if reader != nil {
		list.Unread = new(int64)
	}
	return list, err
}

func (m *memory) Feed(_ context.Context, _ core.ID, f core.FeedFilter) (core.FeedPage, error) {
	m.filter = f
	return core.FeedPage{Data: m.list[:min(len(m.list), f.Limit)], Total: int64(len(m.list)), Unread: 7}, nil
}

func (m *memory) Subscriber(_ context.Context, id core.ID) (core.Subscriber, error) {
	return core.Subscriber{
		ID: id, Email: "ana@example.com", Name: "Ana", BellDefault: core.BellAll, CreatedAt: start,
	}, nil
}

func (m *memory) IsFollower(context.Context, core.ID, core.ID) (bool, error) { return false, nil }

func (m *memory) Device(_ context.Context, _, id core.ID) (core.Device, error) {
	return core.Device{ID: id, Push: core.PushAddress{Address: id.String()}}, nil
}

func (m *memory) ConfirmAddress(context.Context, string, time.Time) error { return nil }

func (m *memory) PaceTest(context.Context, core.ID) error { return nil }

func (m *memory) Paused(context.Context, string) (time.Duration, string, error) { return 0, "", nil }

func (m *memory) RegisterDevice(
	_ context.Context, _ core.Caller, in core.Registration, now time.Time,
) (core.Device, core.Creation, error) {
	return core.Device{
		ID: core.ID{0xd}, Push: in.Push, Platform: in.Platform, Name: in.Name, CreatedAt: now, SeenAt: now,
	}, m.creation, nil
}

func (m *memory) CreateWebhook(
	_ context.Context, w core.SealedWebhook, _ core.Idempotency,
) (core.SealedWebhook, core.Creation, error) {
	m.hooks[string(w.AddressHash)] = w
	return w, core.Created, nil
}

func (m *memory) KeepEvent(
	_ context.Context, _ core.ID, e core.ReceivedEvent,
) (core.ReceivedEvent, core.Creation, error) {
	m.refuse = append(m.refuse, e.Detail)
	return e, core.Created, nil
}

func (m *memory) WebhookByName(context.Context, core.ID, string) (core.SealedWebhook, error) {
	return core.SealedWebhook{}, core.NotFound()
}

func (m *memory) WebhookByAddress(_ context.Context, hash []byte) (core.SealedWebhook, core.ChannelRef, error) {
	m.looks++
	w, ok := m.hooks[string(hash)]
	if !ok {
		return w, metro, core.NotFound()
	}
	w.PublisherID, w.AccountID = publisherID, m.accountOf(publisherID)
	return w, metro, nil
}

func (m *memory) PublishEvent(
	_ context.Context, _ core.ID, e core.ReceivedEvent, n core.Notification,
) (core.ReceivedEvent, core.Creation, error) {
	id, ok := m.events[e.ID]
	if ok {
		e.NotificationID = &id
		return e, core.Replayed, nil
	}
	m.events[e.ID], e.NotificationID = n.ID, &n.ID
	m.publishedEvents = append(m.publishedEvents, n)
	return e, core.Created, nil
}

func (m *memory) APIKeyBySecret(_ context.Context, hash []byte, _ time.Time) (core.APIKey, error) {
	m.secret++
	k, ok := m.keys[string(hash)]
	if !ok {
		return k, core.NotFound()
	}
	k.AccountID = m.accountOf(k.PublisherID)
	return k, nil
}

// accountOf returns who answers for a publisher.
func (m *memory) accountOf(publisher core.ID) core.ID {
	return cmp.Or(m.accounts[publisher], publisher)
}

func (m *memory) AccessTokenBySecret(_ context.Context, hash []byte, _ time.Time) (core.AccessToken, error) {
	m.secret++
	t, ok := m.tokens[string(hash)]
	if !ok {
		return t, core.NotFound()
	}
	return t, nil
}

func (m *memory) CreateAccessToken(
	_ context.Context, t core.AccessToken, hash []byte, _ core.Idempotency,
) (core.AccessToken, core.Creation, error) {
	m.tokens[string(hash)] = t
	return t, core.Created, nil
}

func (m *memory) RevokeAccessToken(_ context.Context, _, id core.ID, _ time.Time) ([]core.ID, error) {
	maps.DeleteFunc(m.tokens, func(_ string, t core.AccessToken) bool { return t.ID == id })
	return []core.ID{id}, nil
}

func (*memory) PollDeviceSignIn(context.Context, []byte, func(*core.DeviceSignIn)) error {
	return core.NotFound()
}

func (m *memory) DeviceSignIn(_ context.Context, code core.UserCode, now time.Time) (core.DeviceSignIn, error) {
	if code != "BCDFGHJK" {
		return core.DeviceSignIn{}, core.NotFound()
	}
	return core.DeviceSignIn{UserCode: code, ClientName: "sininho", CreatedAt: now, ExpiresAt: now}, nil
}

// sessions accepts the sessions "good", "other" and "third" of another person, "new", which Finish begins, and that of
// an anonymous subscriber, "anonymous". It fails for "unavailable".
type sessions struct {
	Sessions
	signedOut core.ID
	looks     int
}

func (*sessions) Methods() []core.SignInMethod {
	return []core.SignInMethod{{Kind: core.SignInGoogle, Name: "Google", URL: prefix + "/auth/google"}}
}

func (*sessions) Renewed(*http.Request, core.Caller) *http.Cookie { return nil }

func (*sessions) StartAnonymously(_ *http.Request, _ string, c core.Caller) (*http.Cookie, error) {
	if c.Is(core.CallerSubscriber) {
		return nil, nil
	}
	return &http.Cookie{Name: sessionCookie, Value: "anonymous"}, nil
}

func (*sessions) FinishEmail(*http.Request, string, string) (string, []*http.Cookie, error) {
	return "", nil, core.NotFound()
}

func (*sessions) FinishPasskey(*http.Request, string, []byte) (string, []*http.Cookie, error) {
	return "", nil, core.ErrPasskeyRefused()
}

func (*sessions) Begin(
	_ *http.Request, _ core.SignInKind, _ string, in core.SignInStart,
) (string, *http.Cookie, error) {
	return "https://accounts.example/?to=" + in.Redirect + "&hint=" + in.LoginHint,
		&http.Cookie{Name: "begun", Value: "1"}, nil
}

func (*sessions) Finish(
	_ *http.Request, _ string, _ core.SignInKind, _ string, back core.SignInCallback,
) (string, []*http.Cookie, error) {
	return "/" + back.State, []*http.Cookie{{Name: "begun", MaxAge: -1}, {Name: sessionCookie, Value: "new"}}, nil
}

func (s *sessions) Authenticate(_ context.Context, value, _, _ string) (core.Caller, error) {
	s.looks++
	switch value {
	case "other", "third":
		return core.Caller{Kind: core.CallerSubscriber, SubscriberID: core.ID{0xaa}, SessionID: core.ID{6}}, nil
	case "good", "new":
		return core.Caller{Kind: core.CallerSubscriber, SubscriberID: ana, SessionID: core.ID{5}}, nil
	case "anonymous":
		return core.Caller{Kind: core.CallerSubscriber, SubscriberID: core.ID{0xab}, SessionID: core.ID{7},
			Anonymous: true}, nil
	case "unavailable":
		return core.Caller{}, core.Unavailable(io.EOF)
	default:
		return core.Caller{}, core.Unauthenticated(core.Text{EN: "no", PT: "não"})
	}
}

func (*sessions) Suspension(*http.Request) *core.Suspension { return nil }

func (s *sessions) SignOut(_ context.Context, c core.Caller) (*http.Cookie, error) {
	s.signedOut = c.SessionID
	return &http.Cookie{Name: sessionCookie, MaxAge: -1}, nil
}

// liveStreams writes one line and returns.
type liveStreams struct{}

func (liveStreams) Position() int64 { return 41 }

func (liveStreams) ServeFeed(
	w http.ResponseWriter, _ *http.Request, subscriberID core.ID, q core.StreamRequest,
) error {
	defer q.Ended()
	_, err := io.WriteString(w, "feed "+subscriberID.String()+" "+q.LastEventID)
	return err
}

func (liveStreams) ServeChannel(_ http.ResponseWriter, _ *http.Request, _ core.ID, q core.StreamRequest) error {
	defer q.Ended()
	return core.Unavailable(io.EOF)
}

// announcer does nothing.
type announcer struct{ core.Announcer }

func (announcer) SignedOut(context.Context, core.ID) {}

type sender struct{}

func (sender) Send(_ context.Context, _ core.Push, to core.PushAddress) core.Result {
	address := to.Address
	if strings.HasPrefix(address, "0d") {
		return core.Result{Outcome: core.Accepted}
	}
	return core.Result{Cause: core.CauseQuota, Pause: time.Second}
}

// world is the API with its fakes and a clock.
type world struct {
	*memory
	t        testing.TB
	handler  http.Handler
	config   Config
	sessions *sessions
	log      *bytes.Buffer
	key      string // of publisher metro
	now      time.Time
	sealer   *core.Sealer
}

func newWorld(t testing.TB, change ...func(*Config)) *world {
	t.Helper()
	m := &memory{keys: map[string]core.APIKey{}, tokens: map[string]core.AccessToken{},
		hooks: map[string]core.SealedWebhook{}, events: map[string]core.ID{}}
	m.waitlist = &waitlistHandlers{}
	w := &world{memory: m, t: t, sessions: &sessions{}, log: &bytes.Buffer{}, now: start}
	now := func() time.Time { return w.now }
	sealer, err := core.NewSealer(core.NewSecretKey())
	if err != nil {
		t.Fatalf("new sealer: %v", err)
	}
	templates, err := template.New()
	if err != nil {
		t.Fatalf("new templates: %v", err)
	}
	w.sealer = sealer
	rules := core.NewRules(core.LinkRules{}, core.EventRules{}, templates)
	webhooks := core.NewWebhooks(m, m, rules, sealer, webhook.NewSecret, now)
	public, _ := url.Parse("https://sininho.example")
	w.config = Config{
		WaitlistConfig: WaitlistConfig{
			Waitlist:    m.waitlist,
			Rules:       rules,
			Credentials: core.NewCredentials(m, now),
			Sessions:    w.sessions,
			PublicURL:   public, TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")},
			Limits: DefaultLimits(), Now: now,
			Log: tracing.NewLogger(slog.NewTextHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		},
		Channels:      core.NewChannels(m, nil, rules, announcer{}, now),
		Notifications: core.NewNotifications(m, m, nil, rules, now),
		Subscriptions: core.NewSubscriptions(m, announcer{}, now),
		Feed:          core.NewFeed(m, announcer{}, nil, now),
		Devices: core.NewDevices(m, sender{}, m, rules.WithPush(core.PushRules{Kinds: []string{core.KindFCM}}),
			now),
		Webhooks:      webhooks,
		APIKeys:       core.NewAPIKeys(m, announcer{}, now),
		AccessTokens:  core.NewAccessTokens(m, rules, announcer{}, now),
		DeviceSignIns: core.NewDeviceSignIns(m, rules, now),
		Subscribers:   core.NewSubscribers(m, webhooks, announcer{}, now),
		Categories:    core.NewCategories(m, core.Operators{"ana@example.com"}, now),
		Publishers:    core.NewPublishers(m, nil, rules, now),
		Members:       core.NewMembers(m, webhooks, announcer{}, now),
		Live:          liveStreams{},
	}
	for _, c := range change {
		c(&w.config)
	}
	w.key = w.newKey(publisherID, core.ScopePublish, core.ScopeChannels)
	w.handler = New(w.config)
	return w
}

// webhook creates a webhook of the channel metro/linhas and returns its address. It is unsigned without a secret.
func (w *world) webhook(name, secret string) (address string) {
	w.t.Helper()
	address, err := core.EnsureWebhook(w.t.Context(), w.memory, w.sealer, channelID, name, secret, w.now)
	if err != nil {
		w.t.Fatalf("create the webhook %s: %v", name, err)
	}
	return address
}

func (w *world) newKey(publisher core.ID, scopes ...core.Scope) string {
	secret := core.NewAPIKeySecret()
	w.keys[string(core.HashSecret(secret))] = core.APIKey{ID: core.NewID(), PublisherID: publisher, Scopes: scopes}
	return secret
}

// sendSigned posts an event that is signed with the secret.
func (w *world) sendSigned(path, id, body, secret string) *response {
	w.t.Helper()
	header, err := webhook.Sign(webhook.Message{ID: id, Timestamp: w.now, Body: []byte(body)}, secret)
	if err != nil {
		w.t.Fatalf("sign %s: %v", id, err)
	}
	var list []string
	for name := range header {
		list = append(list, name+": "+header.Get(name))
	}
	return w.send("POST", path, body, list...)
}

// send makes a request. Each header has the form "Name: value".
func (w *world) send(method, path, body string, header ...string) *response {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.RemoteAddr = "192.0.2.1:1234"
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, h := range header {
		name, value, _ := strings.Cut(h, ": ")
		if name == "Content-Type" {
			r.Header.Del(name)
		}
		if name == "From" {
			r.RemoteAddr = value
			continue
		}
		r.Header.Add(name, value)
	}
	rec := httptest.NewRecorder()
	w.handler.ServeHTTP(rec, r)
	return &response{rec, w.t}
}

// cli is an access token that does not expire.
var cli = core.AccessTokenInput{Name: "CLI"}

// token creates an access token for Ana and returns its header.
func (w *world) token(in core.AccessTokenInput) string {
	w.t.Helper()
	caller := core.Caller{Kind: core.CallerSubscriber, SubscriberID: ana}
	_, secret, _, err := w.config.AccessTokens.Create(w.t.Context(), caller, in, core.Idempotency{})
	if err != nil {
		w.t.Fatalf("create an access token: %v", err)
	}
	return "Authorization: Bearer " + secret
}

func (w *world) bearer() string { return "Authorization: Bearer " + w.key }

const signedIn = "Cookie: " + sessionCookie + "=good"

func (*memory) Storage(context.Context, core.ID) (core.Storage, error) {
	return core.Storage{Used: 1, Quota: 2}, nil
}
