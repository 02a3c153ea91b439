package fcm

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	firebase "firebase.google.com/go/v4"
	"firebase.google.com/go/v4/messaging"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/google"
	"google.golang.org/api/option"

	"github.com/sininho/sininho/server/internal/core"
)

// Config says whose project to push for.
type Config struct {
	ProjectID string
	// Credentials is a service account's JSON; empty takes Google's default credentials of the environment.
	Credentials []byte
	// Endpoint replaces Google's address; empty is Google.
	Endpoint string
	// Timeout bounds one send.
	Timeout time.Duration
}

const (
	scope = "https://www.googleapis.com/auth/firebase.messaging"
	// connections is how many HTTP/2 transports share the sends: one alone is bound by a single connection's lock.
	connections = 4
)

// Sender implements core.PushSender.
type Sender struct {
	clients  []*messaging.Client
	next     atomic.Uint32
	prepared atomic.Pointer[prepared]
	timeout  time.Duration
}

// New makes a sender. It does not reach the network.
func New(ctx context.Context, c Config) (*Sender, error) {
	s := &Sender{timeout: c.Timeout}
	for range connections {
		client, err := newClient(ctx, c)
		if err != nil {
			return nil, fmt.Errorf("firebase: %w", err)
		}
		s.clients = append(s.clients, client)
	}
	return s, nil
}

func newClient(ctx context.Context, c Config) (*messaging.Client, error) {
	transport := newTransport(c.Endpoint)
	tokens, err := tokenSource(context.WithValue(ctx, oauth2.HTTPClient, &http.Client{Timeout: c.Timeout}), c.Credentials)
	if err != nil {
		return nil, err
	}
	hc := &http.Client{Transport: once{&oauth2.Transport{Source: tokens, Base: transport}}}
	opts := []option.ClientOption{option.WithHTTPClient(hc)}
	if c.Endpoint != "" {
		opts = append(opts, option.WithEndpoint(strings.TrimSuffix(c.Endpoint, "/")))
	}
	app, err := firebase.NewApp(ctx, &firebase.Config{ProjectID: c.ProjectID}, opts...)
	if err != nil {
		return nil, err
	}
	return app.Messaging(ctx)
}

func tokenSource(ctx context.Context, credentials []byte) (oauth2.TokenSource, error) {
	if len(credentials) == 0 {
		c, err := google.FindDefaultCredentials(ctx, scope)
		if err != nil {
			return nil, err
		}
		return c.TokenSource, nil
	}
	conf, err := google.JWTConfigFromJSON(credentials, scope)
	if err != nil {
		return nil, err
	}
	return conf.TokenSource(ctx), nil
}

// Send pushes to one device, once.
func (s *Sender) Send(ctx context.Context, p core.Push, address string) core.Result {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	message := *s.message(p)
	message.Token = address
	client := s.clients[s.next.Add(1)%connections]
	_, err := client.Send(ctx, &message)
	return classify(err)
}

// prepared keeps the message of the push that is being sent, which is the same for all devices but for the token.
type prepared struct {
	push    core.Push
	at      time.Time // its time to live counts from here
	message *messaging.Message
}

func (s *Sender) message(p core.Push) *messaging.Message {
	now := time.Now()
	if m := s.prepared.Load(); m != nil && m.push == p && now.Sub(m.at) < time.Second {
		return m.message
	}
	m := newMessage(p, now)
	s.prepared.Store(&prepared{p, now, m})
	return m
}
