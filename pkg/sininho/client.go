package sininho

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/sininho/sininho/pkg/api"
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
	// Channels creates and finds channels.
	Channels *ChannelsService
	// Categories lists what channels are grouped by.
	Categories *CategoriesService
	// Auth tells who the API key makes you.
	Auth *AuthService

	http *http.Client
}

// New makes a client. It sends nothing. It fails when a setting cannot be used, naming
// every one that cannot, and never repeats the key in the error.
func New(opts ...Option) (*Client, error) {
	s := defaultSettings()
	for _, opt := range opts {
		opt(&s)
	}
	base, err := s.check()
	if err != nil {
		return nil, err
	}
	caller := newCaller(s)
	calls := &api.Client{Server: base + "/", Client: caller}
	streams := &api.Client{Server: base + "/", Client: streamCaller{caller}}
	return &Client{
		Notifications: &NotificationsService{api: calls, streams: streams, settings: streamSettings(s)},
		Channels:      &ChannelsService{api: calls},
		Categories:    &CategoriesService{api: calls},
		Auth:          &AuthService{api: calls},
		http:          caller.http,
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
