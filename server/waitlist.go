package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/http"
	"net/url"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
	"github.com/sininho/sininho/server/internal/emails"
	"github.com/sininho/sininho/server/internal/httpapi"
	"github.com/sininho/sininho/server/internal/jobs"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/internal/tracing"
	"github.com/sininho/sininho/server/internal/waitlist"
)

// mailJobs returns the jobs of the waiting list and of all emails, which are sent if there is a mail server.
func (c Config) mailJobs(db *postgres.DB, secretKey []byte, log *slog.Logger) ([]jobs.Part, error) {
	pruning := waitlist.Pruning(db, Now)
	if c.SMTPURL == "" {
		return []jobs.Part{pruning, waitlist.RescueOnly(), emails.RescueOnly()}, nil
	}
	server, err := c.mailSender()
	if err != nil {
		return nil, err
	}
	joining, err := waitlist.Joining(db, secretKey)
	if err != nil {
		return nil, err
	}
	places, err := waitlist.NewPlaces(db, secretKey, c.PublicURL)
	if err != nil {
		return nil, err
	}
	codes, err := core.NewEmailCodes(secretKey)
	if err != nil {
		return nil, err
	}
	secrets, err := core.NewChannelInvitationSecrets(secretKey)
	if err != nil {
		return nil, err
	}
	addresses, err := c.pictureAddresses(secretKey)
	if err != nil {
		return nil, err
	}
	store := postgres.NewStore(db)
	sender := &emails.Sender{Server: server, Facts: store, Waitlist: places, Counter: store,
		Budget: core.EmailBudget(c.EmailsPerDay), Codes: codes, Invitations: secrets, PublicURL: c.PublicURL,
		Picture: addresses.Icon, Now: Now, Log: log}
	return []jobs.Part{pruning, joining, sender.Jobs()}, nil
}

// emailStore returns the store that queues emails, if there is a mail server.
func (c Config) emailStore(store *postgres.Store, client *jobs.Client) *emails.Store {
	if c.SMTPURL == "" {
		return emails.NewStore(store, nil)
	}
	return emails.NewStore(store, client)
}

// invitationsPerDay returns how many addresses a person, and a publisher, can invite per day.
func (c Config) invitationsPerDay() int {
	if !c.Limits {
		return math.MaxInt
	}
	return c.LimitInvitations
}

// waitlistAPI returns the handlers of the waiting list.
func (c Config) waitlistAPI(db *postgres.DB, secretKey []byte, client *jobs.Client) (*waitlist.API, error) {
	operators, err := c.operators()
	if err != nil {
		return nil, err
	}
	list, err := waitlist.New(waitlist.Config{DB: db, Subscribers: postgres.NewStore(db), Jobs: client,
		Operators: operators, SecretKey: secretKey, PublicURL: c.PublicURL, Open: c.SMTPURL != "",
		EmailsPerNetwork: c.emailsPerNetwork(), Now: Now})
	if err != nil {
		return nil, err
	}
	return waitlist.NewAPI(list), nil
}

// WaitlistServer serves the waiting list alone, at its own address, and sends its emails. It shares the database with
// the main server.
type WaitlistServer struct {
	config   Config
	log      *slog.Logger
	observer *observer
	db       *postgres.DB
	jobs     *jobs.Client
	handler  http.Handler
	stopping chan struct{}
}

// NewWaitlist connects to the database and assembles the server. The caller must call Close.
func NewWaitlist(ctx context.Context, c Config, log *slog.Logger) (*WaitlistServer, error) {
	log = tracing.NewLogger(log.Handler())
	o, err := c.observe(ctx, log)
	if err != nil {
		return nil, err
	}
	db, err := postgres.Open(ctx, postgres.Config{URL: c.DatabaseURL, Connections: c.DatabaseConns,
		Patience: requestPatience, Pooled: c.DatabaseDirectURL != c.DatabaseURL})
	if err != nil {
		return nil, errors.Join(err, o.close())
	}
	s, err := c.waitlistServer(db, o, log)
	if err != nil {
		return nil, errors.Join(err, db.Close(), o.close())
	}
	o.watch(map[string]*postgres.DB{"requests": db}, postgres.NewStore(db))
	return s, nil
}

// waitlistServer assembles the server over a database.
func (c Config) waitlistServer(db *postgres.DB, o *observer, log *slog.Logger) (*WaitlistServer, error) {
	key, err := c.secretKey()
	if err != nil {
		return nil, fmt.Errorf("SECRET_KEY %w", err)
	}
	parts, err := c.mailJobs(db, key, log)
	if err != nil {
		return nil, err
	}
	client, err := jobs.New(db, log, append(parts, delivery.RescueOnly(), o.part())...)
	if err != nil {
		return nil, err
	}
	api, err := c.waitlistAlone(db, key, client, o, log)
	if err != nil {
		return nil, err
	}
	mux, stopping := http.NewServeMux(), make(chan struct{})
	mux.Handle("/", api)
	watch(mux, stopping, db)
	return &WaitlistServer{config: c, log: log, observer: o, db: db, jobs: client,
		handler:  withHeaders(c.PublicURL, besideAPI(api, mux)),
		stopping: stopping}, nil
}

// waitlistAlone returns the handler of the waiting list's API.
func (c Config) waitlistAlone(
	db *postgres.DB, key []byte, client *jobs.Client, o *observer, log *slog.Logger,
) (http.Handler, error) {
	public, err := url.Parse(c.PublicURL)
	if err != nil {
		return nil, err
	}
	proxies, err := c.proxies()
	if err != nil {
		return nil, err
	}
	list, err := c.waitlistAPI(db, key, client)
	if err != nil {
		return nil, err
	}
	store := postgres.NewStore(db)
	sessions, err := c.sessions(store, nil, noStreams{}, public, key, log)
	if err != nil {
		return nil, err
	}
	return httpapi.NewWaitlist(httpapi.WaitlistConfig{
		Waitlist: list, Rules: core.NewRules(core.LinkRules{}, core.EventRules{}, nil),
		Credentials: core.NewCredentials(store, Now), Sessions: sessions,
		PublicURL: public, TrustedProxies: proxies, Limits: c.limits(), Connections: db.Size(),
		Metrics: o.HTTP, Tracer: o.tracer, Log: log, Now: Now,
	}), nil
}

// Serve handles requests from l and sends emails until ctx is done. Then it waits up to shutdownTimeout for running
// work.
func (s *WaitlistServer) Serve(ctx context.Context, l net.Listener) error {
	if err := s.jobs.Start(ctx); err != nil {
		return err
	}
	defer s.config.reportMail(ctx, s.log)()
	l = s.config.bounded(l, s.observer.HTTP)
	return serveUntilDone(ctx, l, newWeb(s.handler, s.log), func() { close(s.stopping) }, s.jobs)
}

// noStreams implements core.Announcer where the waiting list is served alone, and nothing concerns streams.
type noStreams struct{}

func (noStreams) Followed(context.Context, core.ID)             {}
func (noStreams) Read(context.Context, core.ID, core.ReadEvent) {}
func (noStreams) ChannelReset(context.Context, core.ID)         {}
func (noStreams) ChannelLeft(context.Context, core.ID)          {}
func (noStreams) SignedOut(context.Context, core.ID)            {}

// Close exports the remaining spans and closes the database connections.
func (s *WaitlistServer) Close() error { return errors.Join(s.observer.close(), s.db.Close()) }
