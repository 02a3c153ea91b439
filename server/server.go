package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/dispatch"
	"github.com/sininho/sininho/server/internal/httpapi"
	"github.com/sininho/sininho/server/internal/live"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/internal/push/fcm"
	"github.com/sininho/sininho/server/internal/session"
	"github.com/sininho/sininho/server/internal/webui"
)

// Server is one node. Any number of them share a database.
type Server struct {
	config     Config
	log        *slog.Logger
	store      *postgres.Store
	hub        *live.Hub
	dispatcher *dispatch.Dispatcher
	handler    http.Handler
	stopping   chan struct{}
}

const (
	sendTimeout     = 8 * time.Second
	readTimeout     = 10 * time.Second
	idleTimeout     = 2 * time.Minute
	shutdownTimeout = 15 * time.Second
	maxHeader       = 64 << 10
)

// Migrate brings the database up to date, and makes the demo channel.
func Migrate(ctx context.Context, c Config, log *slog.Logger) error {
	return postgres.Migrate(ctx, c.DatabaseDirectURL, log)
}

// New connects to the database and puts the parts together. Close must be called in the end.
func New(ctx context.Context, c Config, log *slog.Logger) (*Server, error) {
	store, err := postgres.Open(ctx, postgres.Config{
		URL: c.DatabaseURL, Connections: c.DatabaseConns, Pooled: c.DatabaseDirectURL != c.DatabaseURL})
	if err != nil {
		return nil, err
	}
	s := &Server{config: c, log: log, store: store, stopping: make(chan struct{})}
	if err := s.wire(ctx); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return s, nil
}

// Now is the time as the database keeps it: in UTC, to the microsecond.
func Now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

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
	sender, err := s.sender(ctx)
	if err != nil {
		return err
	}
	s.hub = &live.Hub{Source: s.store, Encode: httpapi.EncodeNotification, Log: s.log,
		Listen: func(ctx context.Context, ready func(), hear func(core.Signal)) error {
			return postgres.Listen(ctx, s.config.DatabaseDirectURL, ready, hear)
		}}
	s.dispatcher, err = dispatch.New(s.store.Pool(), dispatch.Config{Store: s.store, Sender: sender, Placed: s.hub.Placed,
		Quota: s.config.FCMQuota, Now: Now, Log: s.log})
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

func (s *Server) sender(ctx context.Context) (*fcm.Sender, error) {
	c := fcm.Config{ProjectID: s.config.FirebaseProjectID, Endpoint: s.config.FCMEndpoint, Timeout: sendTimeout}
	if s.config.FirebaseCredentialsFile != "" {
		b, err := os.ReadFile(s.config.FirebaseCredentialsFile)
		if err != nil {
			return nil, fmt.Errorf("FIREBASE_CREDENTIALS_FILE: %w", err)
		}
		c.Credentials = b
	}
	return fcm.New(ctx, c)
}

func (s *Server) api(sender core.PushSender, sealer *core.Sealer, public *url.URL, key []byte) (http.Handler, error) {
	proxies, err := s.config.proxies()
	if err != nil {
		return nil, err
	}
	sessions, err := session.New(session.Config{Store: s.store, Announce: s.hub, PublicURL: public, Key: key, Now: Now, Log: s.log,
		Google: session.Google{ClientID: s.config.GoogleClientID, ClientSecret: s.config.GoogleSecret,
			AuthURL: s.config.GoogleAuthURL, TokenURL: s.config.GoogleTokenURL, UserInfoURL: s.config.GoogleUserInfoURL}})
	if err != nil {
		return nil, err
	}
	links := core.LinkRules{AllowLoopback: public.Scheme == "http"}
	nudge := s.dispatcher.Nudge
	return httpapi.New(httpapi.Config{
		Channels:      &core.Channels{Store: s.store, Links: links, Now: Now},
		Notifications: &core.Notifications{Store: s.store, Links: links, Now: Now, Nudge: nudge},
		Subscriptions: &core.Subscriptions{Store: s.store, Announce: s.hub, Now: Now},
		Feed:          &core.Feed{Store: s.store, Announce: s.hub, Now: Now},
		Devices:       &core.Devices{Store: s.store, Sender: sender, Now: Now},
		Webhooks:      &core.Webhooks{Store: s.store, Sealer: sealer, Links: links, Now: Now, Nudge: nudge},
		APIKeys:       &core.APIKeys{Store: s.store, Now: Now},
		Categories:    s.store, Subscribers: s.store, Publishers: s.store,
		Sessions: sessions, Live: s.hub,
		PublicURL: public, TrustedProxies: proxies, Limits: s.limits(), Log: s.log, Now: Now,
	}), nil
}

func (s *Server) limits() httpapi.Limits {
	c := s.config
	return httpapi.Limits{Off: !c.Limits, Reads: c.LimitReads, Writes: c.LimitWrites, Publishes: c.LimitPublishes,
		Webhook: c.LimitWebhook, UnsignedWebhook: c.LimitUnsignedWebhook, FailedCredentials: c.LimitFailedCredentials}
}

func (s *Server) routes(api http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/api/", api)
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) })
	mux.HandleFunc("GET /readyz", s.readyz)
	mux.Handle("/", webui.Handler(webui.Config{Env: s.config.publicSettings(), PublicURL: s.config.PublicURL}))
	return mux
}

// readyz tells a load balancer whether to send requests here.
func (s *Server) readyz(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	select {
	case <-s.stopping:
		http.Error(w, "stopping", http.StatusServiceUnavailable)
	default:
		if err := s.store.Ping(ctx); err != nil {
			http.Error(w, "the database does not answer", http.StatusServiceUnavailable)
			return
		}
		_, _ = w.Write([]byte("ready\n"))
	}
}

// Serve takes requests from l and dispatches until ctx is done; then it lets what is under way finish, for a bounded time.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	if err := s.hub.Start(ctx); err != nil {
		return err
	}
	if err := s.dispatcher.Start(ctx); err != nil {
		return err
	}
	hubCtx, stopHub := context.WithCancel(context.WithoutCancel(ctx))
	hubDone := make(chan struct{})
	go func() { defer close(hubDone); s.hub.Run(hubCtx) }()
	web := &http.Server{Handler: s.handler, ReadHeaderTimeout: readTimeout, ReadTimeout: readTimeout, IdleTimeout: idleTimeout,
		MaxHeaderBytes: maxHeader, ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelDebug)}
	served := make(chan error, 1)
	go func() { served <- web.Serve(l) }()
	var err error
	select {
	case <-ctx.Done():
	case err = <-served:
	}
	close(s.stopping)
	stopHub() // ends the streams at once, so that they do not hold up the shutdown
	<-hubDone
	stopCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	return errors.Join(err, web.Shutdown(stopCtx), s.dispatcher.Stop(stopCtx))
}

// Close lets go of the database.
func (s *Server) Close() error { return s.store.Close() }

// Listen opens the address of the settings and says what to do when it is taken.
func Listen(ctx context.Context, addr string) (net.Listener, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("%w: is another server using %s? Stop it, or choose another address", err, addr)
	}
	return l, nil
}
