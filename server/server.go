package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"
	"time"

	"github.com/sininho/sininho/pkg/webhook"
	"github.com/sininho/sininho/server/internal/analytics"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
	"github.com/sininho/sininho/server/internal/docs"
	"github.com/sininho/sininho/server/internal/events"
	"github.com/sininho/sininho/server/internal/httpapi"
	"github.com/sininho/sininho/server/internal/live"
	"github.com/sininho/sininho/server/internal/metrics"
	"github.com/sininho/sininho/server/internal/pictures"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/internal/push/webpush"
	"github.com/sininho/sininho/server/internal/relay"
	"github.com/sininho/sininho/server/internal/template"
	"github.com/sininho/sininho/server/internal/tracing"
	"github.com/sininho/sininho/server/internal/webui"
)

// Server is one node. Any number of nodes share a database.
type Server struct {
	config     Config
	log        *slog.Logger
	observer   *observer
	requests   *postgres.DB
	background *postgres.DB // for delivery and streams, with connections that requests cannot exhaust
	relay      *relay.Relay // nil without NATS
	hub        *live.Hub
	dispatcher *delivery.Dispatcher
	analytics  core.Analytics
	pictures   *pictures.Proxy // nil without a picture proxy
	uploads    *pictures.Uploads
	renderer   *pictures.Renderer
	files      postgres.PictureFiles // nil for the database
	webPush    *webpush.Sender       // nil without Web Push
	handler    http.Handler
	stopping   chan struct{}
}

const (
	sendTimeout     = 8 * time.Second
	eventTimeout    = 15 * time.Second
	readTimeout     = 10 * time.Second
	writeTimeout    = 30 * time.Second // of a response; a live stream sets its own for each event
	idleTimeout     = 2 * time.Minute
	shutdownTimeout = 15 * time.Second
	// backgroundPing is more than lies between two looks of a server that has nothing to do.
	backgroundPing = 3 * time.Second
	// requestPatience is for a connection to the database when all are in use. A request needs up to three in turn.
	requestPatience = 1500 * time.Millisecond
	maxHeader       = 64 << 10
)

// Migrate updates the database schema.
func Migrate(ctx context.Context, c Config, log *slog.Logger) error {
	return postgres.Migrate(ctx, c.DatabaseDirectURL, log)
}

// New connects to the database and assembles the server. The caller must call Close.
func New(ctx context.Context, c Config, log *slog.Logger) (*Server, error) {
	log = tracing.NewLogger(log.Handler())
	s := &Server{config: c, log: log, stopping: make(chan struct{})}
	var err error
	if s.observer, err = c.observe(ctx, log); err != nil {
		return nil, err
	}
	share := max(2, c.DatabaseConns/3)
	requests, background := s.database(max(2, c.DatabaseConns-share)), s.database(share)
	requests.Patience, requests.ReplicaURLs = requestPatience, c.DatabaseReplicas
	requests.Metrics = s.observer.Replicas
	background.PingAfter = backgroundPing
	if s.requests, err = postgres.Open(ctx, requests); err != nil {
		return nil, errors.Join(err, s.observer.close())
	}
	if s.background, err = postgres.Open(ctx, background); err != nil {
		return nil, errors.Join(err, s.requests.Close(), s.observer.close())
	}
	if c.DatabaseDirectURL != c.DatabaseURL {
		err = s.background.CheckDirect(ctx, c.DatabaseDirectURL)
	}
	if err == nil {
		err = s.wire(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Server) database(connections int32) postgres.Config {
	return postgres.Config{
		URL: s.config.DatabaseURL, Connections: connections,
		Pooled: s.config.DatabaseDirectURL != s.config.DatabaseURL, Log: s.log}
}

func (s *Server) wire(ctx context.Context) error {
	key, err := s.config.secretKey()
	if err != nil {
		return fmt.Errorf("SECRET_KEY %w", err)
	}
	sealer, err := core.NewSealer(key)
	if err != nil {
		return err
	}
	public, err := url.Parse(s.config.PublicURL)
	if err != nil {
		return err
	}
	if err := s.wirePictures(key); err != nil {
		return err
	}
	sender, err := s.senders(ctx, sealer)
	if err != nil {
		return err
	}
	background := postgres.NewStore(s.background)
	background.Retention, background.StorageQuota = s.config.retention(), s.config.storageQuota()
	background.Files = s.files
	s.observer.watch(map[string]*postgres.DB{"requests": s.requests, "background": s.background}, background)
	s.hub = &live.Hub{Source: background, Encode: s.picture().EncodeNotification, Metrics: s.observer.Live, Log: s.log,
		Listen: func(ctx context.Context, ready func(), hear func(core.Signal)) error {
			return postgres.Listen(ctx, s.config.DatabaseDirectURL, ready, hear)
		}}
	if s.config.NATSURL != "" {
		if s.relay, err = relay.Connect(s.config.NATSURL, s.log); err != nil {
			return fmt.Errorf("NATS_URL: %w", err)
		}
		s.hub.Relay = s.relay
	}
	if s.analytics, err = s.config.analytics(s.log); err != nil {
		return err
	}
	mailJobs, err := s.config.mailJobs(s.background, key, s.log)
	if err != nil {
		return err
	}
	s.dispatcher, err = delivery.New(delivery.Config{
		DB: s.background, Pruner: background, Indexer: background, Sender: sender, Positioned: s.hub.Positioned,
		Returned:  s.hub.Read,
		Events:    s.eventSender(sealer),
		Analytics: s.analytics, Jobs: append(mailJobs, s.observer.part()), Transports: s.config.Push,
		Quota: s.config.FCMQuota, WebPushQuota: s.config.WebPushQuota,
		StorageQuota: s.config.storageQuota(), Drafts: s.config.CapDrafts,
		EventQuota: s.config.EventQuota, Metrics: s.observer.Delivery, Tracer: s.observer.tracer,
		Now: Now, Log: s.log,
	})
	if err != nil {
		return err
	}
	api, err := s.api(sender, sealer, public, key)
	if err != nil {
		return err
	}
	s.handler = s.routes(api)
	return nil
}

// analytics returns what reports events to PostHog, or reports none.
func (c Config) analytics(log *slog.Logger) (core.Analytics, error) {
	if c.Analytics == analyticsOff {
		return core.NoAnalytics{}, nil
	}
	return analytics.New(analytics.Config{Host: c.PostHogHost, Key: c.PostHogAPIKey, Log: log})
}

// displaysEvery is how long a report that a notification was displayed waits for others, so that those of a million
// people take few transactions.
const displaysEvery = 250 * time.Millisecond

// requestStore returns the store that requests use, with the limits of the settings.
func (c Config) requestStore(db *postgres.DB, files postgres.PictureFiles) *postgres.Store {
	store := postgres.NewStore(db)
	store.Files = files
	store.Caps, store.StorageQuota, store.EmailsPerNetwork = c.caps(), c.storageQuota(), c.emailsPerNetwork()
	store.GatherDisplays(displaysEvery)
	return store
}

func (s *Server) api(sender core.PushSender, sealer *core.Sealer, public *url.URL, key []byte) (httpapi.Config, error) {
	operators, err := s.config.operators()
	if err != nil {
		return httpapi.Config{}, err
	}
	store := s.config.requestStore(s.requests, s.files)
	rules, err := s.rules()
	if err != nil {
		return httpapi.Config{}, err
	}
	entrance, err := s.entrance(store, rules, public, key)
	if err != nil {
		return httpapi.Config{}, err
	}
	joining, err := s.channelInvitations(store, key)
	if err != nil {
		return httpapi.Config{}, err
	}
	writer := s.dispatcher.Writer(s.requests)
	webhooks := core.NewWebhooks(store, writer, rules, sealer, webhook.NewSecret, Now)
	return httpapi.Config{
		WaitlistConfig: entrance,
		Channels:       core.NewChannels(store, operators, rules, s.hub, Now),
		Notifications:  core.NewNotifications(store, writer, operators, rules, Now),
		Subscriptions:  core.NewSubscriptions(store, s.hub, Now),
		FeedAddresses:  core.NewFeedAddresses(store, Now),
		Feed:           core.NewFeed(store, readAnnouncer{s.hub, s.dispatcher}, s.analytics, Now),
		Devices: core.NewDevices(delivery.NewDeviceStore(store, s.dispatcher.WakeTurns), sender, s.dispatcher, rules,
			Now),
		Drafts: core.NewDrafts(store, rules, Now), Templates: core.NewTemplates(store, rules, Now),
		Webhooks:           webhooks,
		APIKeys:            core.NewAPIKeys(store, s.hub, Now),
		AccessTokens:       core.NewAccessTokens(store, rules, s.hub, Now),
		DeviceSignIns:      core.NewDeviceSignIns(store, rules, Now),
		Subscribers:        core.NewSubscribers(store, webhooks, s.hub, Now),
		Publishers:         core.NewPublishers(store, operators, rules, Now),
		Members:            core.NewMembers(store, webhooks, s.hub, Now),
		Invitations:        s.invitations(store),
		ChannelMembers:     core.NewChannelMembers(store, s.hub, Now),
		ChannelInvitations: joining,
		EventEndpoints:     s.eventEndpoints(store, rules, sealer),
		Categories:         core.NewCategories(store, operators, Now),
		Moderation:         core.NewModeration(store, writer, operators, s.hub, Now),
		Reports:            core.NewReports(store, operators, Now),
		PublisherRequests:  s.publisherRequests(store, operators, rules),
		AuditLog:           core.NewAuditLog(store, operators),
		Installation:       core.NewInstallation(store, operators, s.config.shownSettings(), Now),
		Operators:          operators,
		Live:               s.hub,
		Uploads:            core.NewPictures(store, s.renderer, Now),
		Pictures:           s.picture(),
	}, nil
}

// entrance returns what serves and authenticates any request, with the waiting list.
func (s *Server) entrance(
	store *postgres.Store, rules *core.Rules, public *url.URL, key []byte,
) (httpapi.WaitlistConfig, error) {
	proxies, err := s.config.proxies()
	if err != nil {
		return httpapi.WaitlistConfig{}, err
	}
	sessions, err := s.config.sessions(store, s.dispatcher.Jobs(), s.hub, public, key, s.log)
	if err != nil {
		return httpapi.WaitlistConfig{}, err
	}
	list, err := s.config.waitlistAPI(s.requests, key, s.dispatcher.Jobs())
	if err != nil {
		return httpapi.WaitlistConfig{}, err
	}
	return httpapi.WaitlistConfig{
		Waitlist: list, Rules: rules, Credentials: core.NewCredentials(store, Now), Sessions: sessions,
		PublicURL: public, TrustedProxies: proxies, Limits: s.config.limits(), Connections: s.requests.Size(),
		Metrics: s.observer.HTTP, Tracer: s.observer.tracer, Log: s.log, Now: Now,
	}, nil
}

func (s *Server) eventEndpoints(store *postgres.Store, rules *core.Rules, sealer *core.Sealer) *core.EventEndpoints {
	return core.NewEventEndpoints(store, rules, sealer, webhook.NewSecret, s.eventSender(sealer),
		s.dispatcher.NudgeEvents, Now)
}

func (s *Server) rules() (*core.Rules, error) {
	templates, err := template.New()
	if err != nil {
		return nil, err
	}
	links := core.LinkRules{AllowLoopback: s.config.isDevelopment(), HTTPPictures: s.config.PictureProxy,
		Schemes: s.config.LinkSchemes, Origin: s.config.PublicURL}
	return core.NewRules(links, s.eventRules(), templates, s.config.ReservedNames...).
		WithTokens(s.config.tokenRules()).WithRetention(s.config.retention()).WithPush(s.config.pushRules()).
		WithAdmission(core.Admission(s.config.Publishers)), nil
}

func (s *Server) channelInvitations(store *postgres.Store, key []byte) (*core.ChannelInvitations, error) {
	secrets, err := core.NewChannelInvitationSecrets(key)
	return core.NewChannelInvitations(s.config.emailStore(store, s.dispatcher.Jobs()), secrets,
		s.config.invitationsPerDay(), s.hub, Now), err
}

func (s *Server) invitations(store *postgres.Store) *core.MembershipInvitations {
	return core.NewMembershipInvitations(s.config.emailStore(store, s.dispatcher.Jobs()), s.config.invitationsPerDay(),
		Now)
}

func (s *Server) publisherRequests(
	store *postgres.Store, operators core.Operators, rules *core.Rules,
) *core.PublisherRequests {
	return core.NewPublisherRequests(s.config.emailStore(store, s.dispatcher.Jobs()), operators, rules, Now)
}

// readAnnouncer announces what was read to the live streams, and to devices whose app is closed.
type readAnnouncer struct {
	*live.Hub
	dispatcher *delivery.Dispatcher
}

// Read implements core.Announcer.
func (a readAnnouncer) Read(ctx context.Context, subscriberID core.ID, r core.ReadEvent) {
	a.Hub.Read(ctx, subscriberID, r)
	a.dispatcher.Read(subscriberID, r)
}

func (s *Server) eventSender(sealer *core.Sealer) *events.Sender {
	return events.New(events.Config{Sealer: sealer, Rules: s.eventRules(), Timeout: eventTimeout, Now: Now})
}

func (s *Server) eventRules() core.EventRules {
	return core.EventRules{AllowLoopback: s.config.EventEndpointsLoopback, Own: s.config.PublicURL}
}

func (c Config) tokenRules() core.TokenRules {
	return core.TokenRules{Days: c.AccessTokenDays, MaxDays: c.AccessTokenMaxDays}
}

func (c Config) limits() httpapi.Limits {
	return httpapi.Limits{
		Off: !c.Limits, Reads: c.LimitReads, Writes: c.LimitWrites, Publishes: c.LimitPublishes,
		Webhook: c.LimitWebhook, UnsignedWebhook: c.LimitUnsignedWebhook, Joins: c.LimitJoins,
		Anonymous:         c.LimitAnonymous,
		FailedCredentials: c.LimitFailedCredentials, SubscriberStreams: c.LimitSubscriberStreams,
		AddressStreams: c.LimitAddressStreams,
	}
}

func (s *Server) routes(api httpapi.Config) http.Handler {
	mux, count := http.NewServeMux(), s.observer.HTTP
	watch(mux, s.stopping, s.requests)
	documentation := count.Handler("documentation", docs.Handler())
	mux.Handle(docs.Base, documentation)
	mux.Handle(docs.Base+"/", documentation)
	mux.Handle("GET "+docs.LLMsPath, documentation)
	mux.Handle(pictures.UploadsPattern, count.Handler("pictures", s.uploads))
	mux.Handle("GET "+securityPath, s.config.securityTxt(Now))
	if s.pictures != nil {
		mux.Handle(pictures.Pattern, count.Handler("pictures", s.pictures))
	}
	readAllowed := httpapi.NewReadLimit(api.Limits, api.TrustedProxies, Now, count)
	mux.Handle("/", count.Handler("web_app", webui.Handler(webui.Config{Env: s.publicSettings(),
		PublicURL: s.config.PublicURL, Picture: s.picture(), Policies: s.config.policyTexts(),
		Pages:       visitor{api.Channels, api.Publishers, api.Notifications},
		ReadAllowed: readAllowed, Now: Now, Log: s.log.With("part", "web_app")})))
	s.serveFeeds(mux, readAllowed)
	served := httpapi.New(api)
	return withHeaders(s.config.PublicURL, besideAPI(served, s.config.compatible(served, mux)))
}

// publicSettings returns what browsers are told, with the key that they subscribe with.
func (s *Server) publicSettings() map[string]string {
	public := s.config.publicSettings()
	if s.webPush != nil {
		public["WEB_PUSH_PUBLIC_KEY"] = s.webPush.Key.Public()
	}
	return public
}

// besideAPI routes /api to api and everything else to others. It cleans the path for this check, because a mux would
// redirect an unclean path to /api instead of letting the API refuse it.
func besideAPI(api, others http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, p := range []string{r.URL.Path, path.Clean(r.URL.Path)} {
			if p == "/api" || strings.HasPrefix(p, "/api/") {
				api.ServeHTTP(w, r)
				return
			}
		}
		others.ServeHTTP(w, r)
	})
}

// watch serves the liveness and readiness checks.
func watch(mux *http.ServeMux, stopping chan struct{}, db *postgres.DB) {
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) })
	mux.Handle("GET /readyz", &readiness{stopping: stopping, ping: db.Ping, now: Now})
}

// Serve handles requests from l and dispatches notifications until ctx is done. Then it waits up to shutdownTimeout for
// running work.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	if err := s.hub.Start(ctx); err != nil {
		return err
	}
	if err := s.dispatcher.Start(ctx); err != nil {
		return err
	}
	defer s.sample(ctx, l.Addr())()
	defer s.config.reportMail(ctx, s.log)()
	s.printOperatorLink(ctx)
	hubCtx, stopHub := context.WithCancel(context.WithoutCancel(ctx))
	hubDone := make(chan struct{})
	go func() { defer close(hubDone); s.hub.Run(hubCtx) }()
	stop := func() {
		close(s.stopping)
		// Proxies see that it is not ready, and turn to other servers.
		time.Sleep(time.Duration(s.config.ShutdownDelay) * time.Second)
		stopHub() // ends the streams at once, so that they do not delay the shutdown
		<-hubDone
	}
	web := newWeb(closing(s.handler, s.stopping), s.log)
	return serveUntilDone(ctx, s.config.bounded(l, s.observer.HTTP), web, stop, s.dispatcher)
}

// sample samples this node until the returned function is called.
func (s *Server) sample(ctx context.Context, addr net.Addr) (stop func()) {
	sampler := &metrics.Sampler{Store: postgres.NewStore(s.background), Counts: s.observer.Counts,
		Streams: s.hub.Streams, Node: nodeName(addr), Now: Now, Log: s.log}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	go func() { defer close(done); sampler.Run(ctx) }()
	return func() { cancel(); <-done }
}

// nodeName returns the host name and port by which operators know this node.
func nodeName(addr net.Addr) string {
	host, _ := os.Hostname()
	_, port, _ := net.SplitHostPort(addr.String())
	return net.JoinHostPort(host, port)
}

// Close sends the remaining analytics and spans, and closes the connections to the database and NATS.
func (s *Server) Close() (err error) {
	if client, ok := s.analytics.(io.Closer); ok {
		err = client.Close()
	}
	if s.pictures != nil {
		s.pictures.Close()
	}
	if s.webPush != nil {
		s.webPush.Close()
	}
	if s.relay != nil {
		s.relay.Close()
	}
	return errors.Join(err, s.observer.close(), s.requests.Close(), s.background.Close())
}

// Listen listens on addr. Its error says what to do when the address is in use.
func Listen(ctx context.Context, addr string) (net.Listener, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if errors.Is(err, os.ErrPermission) {
		return nil, fmt.Errorf("%w: only root and programs with CAP_NET_BIND_SERVICE may use %s (systemd's "+
			"AmbientCapabilities, or setcap); or choose another address", err, addr)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: is another server using %s? Stop it, or choose another address", err, addr)
	}
	return l, nil
}
