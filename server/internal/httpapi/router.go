package httpapi

import (
	"context"
	"log/slog"
	"maps"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/guard"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
	"github.com/sininho/sininho/server/internal/metrics"
	"github.com/sininho/sininho/server/internal/tracing"
	"github.com/sininho/sininho/server/internal/waitlist/waitlistgen"
)

// prefix begins all paths of the API.
const prefix = "/api/v1"

// Config holds the dependencies of the API. Every field is required except Operators and Pictures.
type Config struct {
	WaitlistConfig
	Channels           *core.Channels
	Notifications      *core.Notifications
	Drafts             *core.Drafts
	Templates          *core.Drafts
	Subscriptions      *core.Subscriptions
	Feed               *core.Feed
	Devices            *core.Devices
	Webhooks           *core.Webhooks
	DeviceSignIns      *core.DeviceSignIns
	Categories         *core.Categories
	Subscribers        *core.Subscribers
	Publishers         *core.Publishers
	Members            *core.Members
	Invitations        *core.MembershipInvitations
	ChannelMembers     *core.ChannelMembers
	ChannelInvitations *core.ChannelInvitations
	EventEndpoints     *core.EventEndpoints
	APIKeys            *core.APIKeys
	AccessTokens       *core.AccessTokens
	Moderation         *core.Moderation
	Reports            *core.Reports
	PublisherRequests  *core.PublisherRequests
	FeedAddresses      *core.FeedAddresses
	AuditLog           *core.AuditLog
	Installation       *core.Installation
	Operators          core.Operators // nil without any
	Live               Live
	Uploads            *core.Pictures
	Pictures           Pictures // nil without a proxy
}

// WaitlistConfig holds the dependencies of the waiting list alone: its handlers, and what serves and authenticates any
// request. Every field is required except TrustedProxies, Connections, Metrics and Tracer.
type WaitlistConfig struct {
	Waitlist    Waitlist
	Rules       *core.Rules
	Credentials *core.Credentials
	Sessions    Sessions

	// PublicURL is the address of Sininho in browsers. Only its origin may make changes that are authenticated by a
	// cookie.
	PublicURL *url.URL
	// TrustedProxies are the proxies whose X-Forwarded-For is used.
	TrustedProxies []netip.Prefix
	Limits         Limits
	// Connections is how many connections to the database requests have together.
	Connections int
	Metrics     *metrics.HTTP
	Tracer      *tracing.Tracer
	Log         *slog.Logger
	Now         func() time.Time
}

// Waitlist handles the operations of the waiting list.
type Waitlist interface {
	waitlistgen.StrictServerInterface
	// Inputs returns the conversions of bodies to inputs by operation.
	Inputs() map[string]func(body []byte) core.Input
}

// Sessions signs subscribers in and out and authenticates their sessions.
type Sessions interface {
	// Methods returns the ways to sign in, in the order in which pages show them.
	Methods() []core.SignInMethod
	// Begin returns the URL to redirect the browser to for signing in at a provider, and the cookie to set unless it is
	// nil. It fails with CodeNotFound when the installation does not offer that.
	Begin(r *http.Request, kind core.SignInKind, name string, in core.SignInStart) (string, *http.Cookie, error)
	// Finish completes what Begin started. When it fails, it returns a page of the web app that shows it.
	Finish(r *http.Request, network string, kind core.SignInKind, name string, back core.SignInCallback) (
		location string, cookies []*http.Cookie, err error)
	// BeginEmail emails a code, and returns the cookie by which only this browser can use it.
	BeginEmail(r *http.Request, network string, in core.EmailSignInInput) (*http.Cookie, error)
	// FinishEmail signs in with an emailed code, or adds the address to an account, and returns the page to show. It
	// fails with CodeInvalid for a wrong code, and with CodeNotFound when the browser waits for none.
	FinishEmail(r *http.Request, network, code string) (location string, cookies []*http.Cookie, err error)
	// StartAnonymously makes a browser without a session an anonymous subscriber. It returns the session's cookie, or
	// nil for a caller who has a session. It fails with CodeNotFound when the installation does not offer it.
	StartAnonymously(r *http.Request, network string, c core.Caller) (*http.Cookie, error)
	// Renewed returns the cookie of an anonymous subscriber's session with its full lifetime, or nil for others.
	Renewed(r *http.Request, c core.Caller) *http.Cookie
	// BeginPasskey and BeginPasskeySignUp challenge a passkey, or ask for a new one, and BeginAddingPasskey for another
	// one of the caller. They return the options of the browser's request, in JSON, and the cookie by which only this
	// browser can finish.
	BeginPasskey(r *http.Request, in core.SignInStart) (options []byte, cookie *http.Cookie, err error)
	BeginPasskeySignUp(r *http.Request, in core.PasskeySignUpInput) (
		options []byte, cookie *http.Cookie, err error)
	BeginAddingPasskey(r *http.Request, c core.Caller) (options []byte, cookie *http.Cookie, err error)
	// FinishPasskey signs in with the answer of an authenticator, and FinishPasskeySignUp with that of a new account.
	// They return the page to show. They fail with CodeInvalid for a wrong answer, and with CodeNotFound when the
	// browser waits for none.
	FinishPasskey(r *http.Request, network string, credential []byte) (
		location string, cookies []*http.Cookie, err error)
	FinishPasskeySignUp(r *http.Request, network string, credential []byte) (
		location string, cookies []*http.Cookie, err error)
	// Passkeys returns the caller's passkeys. The others change them, and RemovePasskey fails with CodeConflict when it
	// is the last way into the account.
	Passkeys(ctx context.Context, c core.Caller) ([]core.Passkey, error)
	AddPasskey(r *http.Request, c core.Caller, in core.PasskeyInput) (core.Passkey, error)
	RenamePasskey(ctx context.Context, c core.Caller, id core.ID, in core.PasskeyRename) (core.Passkey, error)
	RemovePasskey(ctx context.Context, c core.Caller, id core.ID) error
	// Start signs in a person whom one of their other browsers let in.
	Start(r *http.Request, network string, subscriberID core.ID) ([]*http.Cookie, error)
	// Identities returns what the caller signs in with, and MethodOf how.
	Identities(ctx context.Context, c core.Caller) ([]core.Identity, error)
	MethodOf(issuer string) core.SignInMethod
	// BeginAdding begins to add an identity to the caller's account. It returns the page that continues, and the cookie
	// to set unless it is nil.
	BeginAdding(r *http.Request, network string, c core.Caller, in core.IdentityInput) (string, *http.Cookie, error)
	// RemoveIdentity removes one of the caller's identities. It fails with CodeConflict when it is the last.
	RemoveIdentity(ctx context.Context, c core.Caller, id core.ID) error
	// Authenticate returns the caller of the session with this cookie value, and records its use by a browser on a
	// network. It fails with CodeUnauthenticated when the session does not exist or has ended.
	Authenticate(ctx context.Context, value, userAgent, network string) (core.Caller, error)
	// Suspension returns why the last sign-in of the browser was refused, or nil.
	Suspension(r *http.Request) *core.Suspension
	// SignOut ends the caller's session, if there is one, and returns the cookie that clears the browser's.
	SignOut(ctx context.Context, c core.Caller) (*http.Cookie, error)
	// List returns the caller's sessions, most recently used first.
	List(ctx context.Context, c core.Caller, page core.Page) ([]core.Session, int64, error)
	// End ends one of the caller's sessions. It fails with CodeNotFound when there is none.
	End(ctx context.Context, c core.Caller, id core.ID) error
	// EndOthers ends all the caller's sessions but the one that the request was sent in.
	EndOthers(ctx context.Context, c core.Caller) error
}

// Live streams events until the client disconnects. It may take the connection over and return before that. It calls
// q.Ended once the stream has ended, also when it returns an error, which means that nothing has been written.
type Live interface {
	// Position returns a position of the stream up to which everything can be read. Later changes may be readable too.
	Position() int64
	ServeFeed(w http.ResponseWriter, r *http.Request, subscriberID core.ID, q core.StreamRequest) error
	ServeChannel(w http.ResponseWriter, r *http.Request, channelID core.ID, q core.StreamRequest) error
}

// server implements the main contract, gen.StrictServerInterface, and serves both. Its handlers are in one file per
// noun.
type server struct {
	Config
	operations map[string]*operation                   // of the served contracts, by method and path
	methods    map[string][]string                     // allowed methods, by pattern
	inputs     map[string]func(body []byte) core.Input // by operation
	limiter    *limiter
	refusals   *refusals
	streams    *streams
	atOnce     *atOnce
	room       *guard.Shares[roomHolder] // bytes of large responses
	bodies     bodyRoom
	large      *guard.Shares[party] // bytes of large bodies that are validated
	origins    *http.CrossOriginProtection
	routes     chi.Router
	untrusted  sync.Once // logs an untrusted proxy only once
}

var _ gen.StrictServerInterface = (*server)(nil)

// New returns the handler of everything under /api/v1.
func New(c Config) http.Handler { return newServer(c).routes }

// NewWaitlist returns the handler of the waiting list alone, also under /api/v1.
func NewWaitlist(c WaitlistConfig) http.Handler {
	a := newEngine(Config{WaitlistConfig: c})
	a.serveWaitlist()
	return a.routes
}

func newServer(c Config) *server {
	a := newEngine(c)
	a.serveMain()
	a.serveWaitlist()
	return a
}

// newEngine returns a server that serves no contract yet. The operations of the waiting list use only its
// WaitlistConfig.
func newEngine(c Config) *server {
	a := &server{
		Config:     c,
		operations: map[string]*operation{},
		methods:    map[string][]string{},
		inputs:     map[string]func([]byte) core.Input{},
		limiter:    newLimiter(c.Limits, c.Now, c.Metrics),
		refusals:   newRefusals(c.Log, c.Now),
		streams:    &streams{count: map[streamHolder]int{}},
		atOnce:     newAtOnce(c.Connections),
		room:       guard.NewShares[roomHolder](roomForAll, roomForParty),
		bodies:     newBodyRoom(),
		large:      guard.NewShares[party](largeAtOnce, largeAtOnce),
		origins:    http.NewCrossOriginProtection(),
		routes:     chi.NewRouter(),
	}
	if err := a.origins.AddTrustedOrigin(c.PublicURL.Scheme + "://" + c.PublicURL.Host); err != nil {
		panic("httpapi: PublicURL has no origin: " + err.Error())
	}
	a.routes.Use(forgiveSlash, a.headAsGet, a.begin, a.crossOrigin)
	a.routes.NotFound(a.notFound)
	a.routes.MethodNotAllowed(a.notFound)
	return a
}

// serveMain registers the main contract.
func (a *server) serveMain() {
	a.serveContract("/openapi.json", mainContract(), inputs)
	stub := gen.NewStrictHandlerWithOptions(a, nil, gen.StrictHTTPServerOptions{
		RequestErrorHandlerFunc:  a.unreadable,
		ResponseErrorHandlerFunc: a.fail,
	})
	gen.HandlerWithOptions(stub,
		gen.ChiServerOptions{BaseURL: prefix, BaseRouter: a.checked(), ErrorHandlerFunc: a.unreadable})
}

// serveWaitlist registers the contract of the waiting list.
func (a *server) serveWaitlist() {
	a.serveContract("/waitlist/openapi.json", waitlistContract(), a.Waitlist.Inputs())
	stub := waitlistgen.NewStrictHandlerWithOptions(a.Waitlist, nil, waitlistgen.StrictHTTPServerOptions{
		RequestErrorHandlerFunc:  a.unreadable,
		ResponseErrorHandlerFunc: a.fail,
	})
	waitlistgen.HandlerWithOptions(stub, waitlistgen.ChiServerOptions{
		BaseURL: prefix, BaseRouter: a.checked(), ErrorHandlerFunc: a.unreadable})
}

// checked returns the router for operations. Its steps are inline middleware, so they run after the route is matched
// and before its parameters are bound.
func (a *server) checked() chi.Router {
	return a.routes.With(a.steps(a.locate), limitTime,
		a.steps(a.identify, a.checkOrigin, a.admit, a.validateWebhookEvent, a.takeShares))
}

// serveContract serves the document and registers its operations. Methods without a handler are refused.
func (a *server) serveContract(path string, c *contract, inputs map[string]func(body []byte) core.Input) {
	maps.Copy(a.operations, c.operations)
	mustHaveInputs(c, inputs)
	maps.Copy(a.inputs, inputs)
	methods := c.methods()
	methods[prefix+path] = []string{http.MethodGet, http.MethodHead}
	for pattern := range methods {
		a.routes.HandleFunc(pattern, a.notFound)
	}
	maps.Copy(a.methods, methods)
	a.routes.With(a.steps(a.limit)).Get(prefix+path, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(c.json)
	})
}

// step processes a request before its handler, or refuses it with an error.
type step func(w http.ResponseWriter, r *http.Request, c *call) error

// steps returns middleware that runs steps in order and responds with the first error.
func (a *server) steps(steps ...step) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			c := callOf(r.Context())
			for _, s := range steps {
				if err := s(w, r, c); err != nil {
					a.fail(w, r, err)
					return
				}
			}
			next.ServeHTTP(w, r)
		})
	}
}

// locate sets the operation that matches the request.
func (a *server) locate(_ http.ResponseWriter, r *http.Request, c *call) error {
	c.request = r
	pattern := chi.RouteContext(r.Context()).RoutePattern()
	c.operation = a.operations[r.Method+" "+strings.TrimPrefix(pattern, prefix)]
	return nil
}

// requestTime is the time limit of a request. Statements have limits of their own, but PostgreSQL keeps those: they do
// not help when nothing comes from it any more.
const requestTime = 10 * time.Second

// uploadTime is the time limit of a request with a picture, which a phone with one bar may take long to send.
const uploadTime = time.Minute

// limitTime ends what a request waits for, unless it may take as long as it needs.
func limitTime(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := callOf(r.Context())
		if c.operation.streams || c.operation.exports() {
			next.ServeHTTP(w, r)
			return
		}
		limit := requestTime
		if c.operation.pictures {
			limit = uploadTime
			control, end := http.NewResponseController(w), time.Now().Add(limit)
			_ = control.SetReadDeadline(end) // in tests there is none
			_ = control.SetWriteDeadline(end.Add(requestTime))
		}
		ctx, cancel := context.WithTimeout(r.Context(), limit)
		defer cancel()
		c.request = r.WithContext(ctx)
		next.ServeHTTP(w, c.request)
	})
}

// checkOrigin keeps other sites from making changes in the name of a signed-in browser. Browsers do not send bearer
// tokens and webhook secrets on their own, so those requests are not checked. They may send HTTP Basic on their own.
func (a *server) checkOrigin(_ http.ResponseWriter, r *http.Request, c *call) error {
	_, err := r.Cookie(sessionCookie)
	ambient := err == nil && r.Header.Get("Authorization") == "" || isBasic(r.Header["Authorization"])
	unsigned := !ambient || c.operation.open()
	if unsigned && c.operation.id != signInAnonymously && c.operation.id != takeDeviceSession { // which give a session
		return nil
	}
	if err := a.origins.Check(r); err != nil {
		return &core.Error{Code: core.CodeForbidden, Reason: "cross_origin", Err: err,
			Detail: core.Text{EN: "Another site may not do this in your name.",
				PT: "Outro site não pode fazer isto em seu nome."}}
	}
	return nil
}
