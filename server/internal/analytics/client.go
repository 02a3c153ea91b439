package analytics

import (
	"cmp"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/posthog/posthog-go"
	"golang.org/x/time/rate"

	"github.com/sininho/sininho/server/internal/core"
)

// Config configures a Client.
type Config struct {
	Host string // PostHog's base URL
	Key  string // of the project; not secret
	// Waiting is how many events may wait to be sent; 0 means 10,000. Further events are dropped.
	Waiting int64
	// PerSecond is how many events are sent each second after a burst of Waiting; 0 means 100. Further events are
	// dropped, because reporting a flood of publishes must not take the time of those.
	PerSecond float64
	Log       *slog.Logger
}

// Client sends events. It implements core.Analytics.
type Client struct {
	log       *slog.Logger
	posthog   posthog.Client
	transport *http.Transport
	room      int64
	pace      *rate.Limiter
	waiting   atomic.Int64
	dropped   atomic.Int64
	warn      rate.Sometimes // limits how often dropped events are logged
}

const (
	defaultWaiting   = 10_000
	defaultPerSecond = 100
	sendEvery        = 2 * time.Second
	warnEvery        = time.Minute
)

// New returns a Client. The caller must close it.
func New(c Config) (*Client, error) {
	client := &Client{log: c.Log, room: cmp.Or(c.Waiting, defaultWaiting),
		transport: http.DefaultTransport.(*http.Transport).Clone()}
	client.pace = rate.NewLimiter(rate.Limit(cmp.Or(c.PerSecond, defaultPerSecond)), int(client.room))
	client.warn.Interval = warnEvery
	var err error
	client.posthog, err = posthog.NewWithConfig(c.Key, posthog.Config{
		Endpoint: strings.TrimSuffix(c.Host, "/"), Interval: sendEvery, Transport: client.transport,
		Logger: logger{c.Log}, Callback: client})
	return client, err
}

// Capture implements core.Analytics.
func (c *Client) Capture(e core.AnalyticsEvent) {
	if !c.pace.Allow() {
		c.drop("too many in a short time")
		return
	}
	if c.waiting.Add(1) > c.room {
		c.waiting.Add(-1)
		c.drop("too many wait already")
		return
	}
	if err := c.posthog.Enqueue(message(e)); err != nil {
		c.Failure(nil, err)
	}
}

// Success implements posthog.Callback.
func (c *Client) Success(posthog.APIMessage) { c.waiting.Add(-1) }

// Failure implements posthog.Callback. It receives an event after its last retry.
func (c *Client) Failure(_ posthog.APIMessage, err error) {
	c.waiting.Add(-1)
	c.drop(err.Error())
}

func (c *Client) drop(why string) {
	dropped := c.dropped.Add(1)
	c.warn.Do(func() { c.log.Warn("analytics: events are dropped", "since start", dropped, "reason", why) })
}

// Dropped returns the number of dropped events.
func (c *Client) Dropped() int64 { return c.dropped.Load() }

// Close makes one attempt to send the waiting events and stops the client. Capture must not be called afterwards.
func (c *Client) Close() error {
	err := c.posthog.Close()
	c.transport.CloseIdleConnections()
	return err
}

// logger writes the library's messages about each attempt at debug level.
type logger struct{ log *slog.Logger }

// Logf implements posthog.Logger.
func (l logger) Logf(format string, args ...any) {
	l.log.Debug("posthog: " + fmt.Sprintf(format, args...))
}

// Debugf implements posthog.Logger.
func (l logger) Debugf(format string, args ...any) { l.Logf(format, args...) }

// Warnf implements posthog.Logger.
func (l logger) Warnf(format string, args ...any) { l.Logf(format, args...) }

// Errorf implements posthog.Logger.
func (l logger) Errorf(format string, args ...any) { l.Logf(format, args...) }
