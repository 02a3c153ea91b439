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

// Config holds the Firebase project and how to reach it.
type Config struct {
	ProjectID string
	// Credentials is the JSON of a service account. When it is empty, Google's default credentials from the environment
	// are used.
	Credentials []byte
	// Endpoint replaces Google's address unless it is empty.
	Endpoint string
	// Picture returns the address at which devices load a picture; nil means its own.
	Picture func(picture string) string
	// Timeout limits one send.
	Timeout time.Duration
}

const (
	scope = "https://www.googleapis.com/auth/firebase.messaging"
	// connections is the number of HTTP/2 transports that share the sends, because the lock of a single connection
	// limits throughput.
	connections = 4
)

// Sender implements core.PushSender.
type Sender struct {
	clients  []*messaging.Client
	next     atomic.Uint32
	prepared atomic.Pointer[prepared]
	picture  func(string) string
	timeout  time.Duration
}

// New returns a Sender. It makes no network requests.
func New(ctx context.Context, c Config) (*Sender, error) {
	s := &Sender{picture: c.Picture, timeout: c.Timeout}
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
	tokens, err := tokenSource(context.WithValue(ctx, oauth2.HTTPClient, &http.Client{Timeout: c.Timeout}),
		c.Credentials)
	if err != nil {
		return nil, err
	}
	hc := &http.Client{Transport: once{replaceBody{&oauth2.Transport{Source: tokens, Base: transport}}}}
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
func (s *Sender) Send(ctx context.Context, p core.Push, to core.PushAddress) core.Result {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	body, err := s.body(p)
	if err != nil {
		return core.Result{Outcome: core.Failed, Cause: core.CauseInvalid, Err: err}
	}
	client := s.clients[s.next.Add(1)%connections]
	_, err = client.Send(withBody(ctx, addressed(body, to.Address)), &messaging.Message{Fid: to.Address})
	return classify(err)
}

// prepared caches the encoded message of the current push, which is the same for all devices except for the address.
type prepared struct {
	push core.Push
	at   time.Time // when its time to live starts
	body []byte    // up to the address
}

func (s *Sender) body(p core.Push) ([]byte, error) {
	now := time.Now()
	if b := s.prepared.Load(); b != nil && b.push == p && now.Sub(b.at) < time.Second {
		return b.body, nil
	}
	body, err := encode(newMessage(s.withPictures(p), now))
	if err != nil {
		return body, err
	}
	s.prepared.Store(&prepared{p, now, body})
	return body, nil
}

// withPictures returns the push with the addresses at which devices load its pictures.
func (s *Sender) withPictures(p core.Push) core.Push {
	if s.picture != nil {
		p.Image, p.Icon = s.picture(p.Image), s.picture(p.Icon)
	}
	return p
}
