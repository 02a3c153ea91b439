package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
	"github.com/sininho/sininho/server/internal/httpapi"
	"github.com/sininho/sininho/server/internal/mail"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/internal/session"
	"github.com/sininho/sininho/server/internal/waitlist"
)

// letters returns the sender of the waiting list's emails, or nil without a mail server.
func (c Config) letters(store *postgres.Store, tokens waitlist.Tokens) (delivery.Letters, error) {
	if c.SMTPURL == "" {
		return nil, nil
	}
	sender, err := mail.New(mail.Config{URL: c.SMTPURL, From: c.MailFrom})
	if err != nil {
		return nil, fmt.Errorf("SMTP_URL or MAIL_FROM %w", err)
	}
	return &waitlist.Letters{Store: store, Sender: sender, Tokens: tokens, Links: waitlist.Links{PublicURL: c.PublicURL}}, nil
}

// waitlistOf returns the waiting list, which sends its emails through queue.
func (c Config) waitlistOf(store *postgres.Store, tokens waitlist.Tokens, operators core.Operators,
	queue func(context.Context, postgres.Tx, []waitlist.Letter) error) *waitlist.Waitlist {
	return &waitlist.Waitlist{Store: &postgres.Waitlist{Store: store, Queue: queue}, Tokens: tokens,
		Links: waitlist.Links{PublicURL: c.PublicURL}, Operators: operators, Open: c.SMTPURL != "", Now: Now}
}

// sessions returns the sign-in manager for the settings.
func (c Config) sessions(store *postgres.Store, announce core.Announcer, public *url.URL, key []byte, log *slog.Logger) (*session.Manager, error) {
	operators, err := c.operators()
	if err != nil {
		return nil, err
	}
	return session.New(session.Config{Store: store, Announce: announce, PublicURL: public, Key: key, Now: Now, Log: log,
		InvitedOnly: c.SignUp == signUpInvitation, Operators: operators,
		Google: session.Google{ClientID: c.GoogleClientID, ClientSecret: c.GoogleSecret,
			AuthURL: c.GoogleAuthURL, TokenURL: c.GoogleTokenURL, UserInfoURL: c.GoogleUserInfoURL}})
}

// WaitlistServer serves the waiting list alone, at its own address, and sends its emails. It shares the database with
// the main server.
type WaitlistServer struct {
	log      *slog.Logger
	db       *postgres.DB
	postman  *delivery.Dispatcher
	handler  http.Handler
	stopping chan struct{}
}

// NewWaitlist connects to the database and assembles the server. The caller must call Close.
func NewWaitlist(ctx context.Context, c Config, log *slog.Logger) (*WaitlistServer, error) {
	s := &WaitlistServer{log: log, stopping: make(chan struct{})}
	var err error
	s.db, err = postgres.Open(ctx, postgres.Config{URL: c.DatabaseURL, Connections: c.DatabaseConns, Pooled: c.DatabaseDirectURL != c.DatabaseURL})
	if err != nil {
		return nil, err
	}
	if err := s.wire(c); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *WaitlistServer) wire(c Config) error {
	key, err := c.secretKey()
	if err != nil {
		return fmt.Errorf("SECRET_KEY %w", err)
	}
	public, err := url.Parse(c.PublicURL)
	if err != nil {
		return err
	}
	proxies, err := c.proxies()
	if err != nil {
		return err
	}
	operators, err := c.operators()
	if err != nil {
		return err
	}
	tokens, err := waitlist.NewTokens(key)
	if err != nil {
		return err
	}
	store := postgres.NewStore(s.db)
	letters, err := c.letters(store, tokens)
	if err != nil {
		return err
	}
	if s.postman, err = delivery.NewPostman(delivery.Config{DB: s.db, Letters: letters, Now: Now, Log: s.log}); err != nil {
		return err
	}
	sessions, err := c.sessions(store, nil, public, key, s.log)
	if err != nil {
		return err
	}
	api := httpapi.NewWaitlist(httpapi.Config{
		Waitlist: c.waitlistOf(store, tokens, operators, s.postman.QueueLetters), Sessions: sessions,
		Credentials: core.NewCredentials(store, Now),
		PublicURL:   public, TrustedProxies: proxies, Limits: c.limits(), Log: s.log, Now: Now})
	mux := http.NewServeMux()
	mux.Handle("/", api)
	watch(mux, s.stopping, s.db)
	s.handler = besideAPI(api, mux)
	return nil
}

// Serve handles requests from l and sends emails until ctx is done. Then it waits up to shutdownTimeout for running
// work.
func (s *WaitlistServer) Serve(ctx context.Context, l net.Listener) error {
	if err := s.postman.Start(ctx); err != nil {
		return err
	}
	return serveUntilDone(ctx, l, newWeb(s.handler, s.log), func() { close(s.stopping) }, s.postman)
}

// Close closes the database connections.
func (s *WaitlistServer) Close() error { return s.db.Close() }
