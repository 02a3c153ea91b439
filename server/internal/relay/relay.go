package relay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/sininho/sininho/server/internal/core"
)

const (
	mostWaiting  = 8192             // messages that wait to be handled; more are dropped
	pingInterval = 5 * time.Second  // two that are not answered end a connection
	retryTime    = time.Second      // between attempts to connect
	flushTimeout = time.Second      // for the server to confirm what was sent
	subjectRoot  = "sininho.signal" // the subjects are below
)

// Relay is a node's connection to NATS. It reconnects by itself.
type Relay struct {
	conn     *nats.Conn
	log      *slog.Logger
	messages chan *nats.Msg
	changed  chan struct{} // receives when the connection was lost or made, or messages were dropped

	mu            sync.Mutex
	subscriptions map[core.ID]*nats.Subscription
}

// CheckURL validates the addresses of NATS servers, which are separated by commas.
func CheckURL(addresses string) error {
	for address := range strings.SplitSeq(addresses, ",") {
		u, err := url.Parse(strings.TrimSpace(address))
		if err != nil || u.Hostname() == "" || u.Scheme != "nats" && u.Scheme != "tls" {
			return errors.New("must be an address such as nats://user:password@host:4222, or tls:// with encryption")
		}
	}
	return nil
}

// Connect connects to NATS. A server that cannot be reached is tried again in the background, because Sininho works
// without it. Connect fails when the server refuses the connection. The caller must call Close.
func Connect(addresses string, log *slog.Logger) (*Relay, error) {
	if err := CheckURL(addresses); err != nil {
		return nil, err
	}
	r := &Relay{log: log, messages: make(chan *nats.Msg, mostWaiting), changed: make(chan struct{}, 1),
		subscriptions: map[core.ID]*nats.Subscription{}}
	options := []nats.Option{
		nats.Name("sininho"), nats.MaxReconnects(-1), nats.IgnoreAuthErrorAbort(), nats.ReconnectWait(retryTime),
		nats.ReconnectBufSize(-1), // signals go through PostgreSQL meanwhile
		nats.PingInterval(pingInterval), nats.MaxPingsOutstanding(2),
		nats.ConnectHandler(func(*nats.Conn) { r.change() }), nats.ReconnectHandler(func(*nats.Conn) { r.change() }),
		nats.DisconnectErrHandler(func(*nats.Conn, error) { r.change() }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			log.Warn("nats", "error", err)
			r.change()
		}),
	}
	var err error
	r.conn, err = nats.Connect(addresses, options...)
	if isUnreachable(err) {
		log.Warn("nats: the server cannot be reached; signals go through PostgreSQL", "error", err)
		r.conn, err = nats.Connect(addresses, append(options, nats.RetryOnFailedConnect(true))...)
	}
	if err != nil {
		return nil, fmt.Errorf("connect to NATS: %w", err)
	}
	return r, nil
}

func isUnreachable(err error) bool {
	var network net.Error
	return errors.Is(err, nats.ErrNoServers) || errors.As(err, &network)
}

// Close sends what is left and disconnects.
func (r *Relay) Close() {
	if r.conn.IsConnected() {
		_ = r.conn.FlushTimeout(flushTimeout) // otherwise nodes look in the database
	}
	r.conn.Close()
}

func (r *Relay) change() {
	select {
	case r.changed <- struct{}{}:
	default:
	}
}

func subject(id core.ID) string { return subjectRoot + "." + id.String() }

// Send sends signals to the nodes that subscribe to their channel or subscriber, and returns those that must go through
// PostgreSQL, too: all while there is no connection.
func (r *Relay) Send(signals []core.Signal) (rest []core.Signal) {
	if !r.conn.IsConnected() {
		return signals
	}
	for _, s := range signals {
		if !r.send(s) || s.Followed != nil { // without it a stream would miss what is published
			rest = append(rest, s)
		}
	}
	return rest
}

// send reports whether a signal was sent to all its subjects.
func (r *Relay) send(s core.Signal) bool {
	var ids []core.ID
	switch {
	case s.Position > 0:
		ids = s.ChannelIDs
	case s.Reader != nil:
		ids = []core.ID{*s.Reader}
	case s.Followed != nil:
		ids = []core.ID{*s.Followed}
	}
	payload, err := json.Marshal(s)
	if err != nil {
		return false
	}
	for _, id := range ids {
		if r.conn.Publish(subject(id), payload) != nil {
			return false
		}
	}
	return len(ids) > 0
}

// Subscribe adds a channel or subscriber whose signals this node needs.
func (r *Relay) Subscribe(id core.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.subscriptions[id] != nil {
		return
	}
	s, err := r.conn.ChanSubscribe(subject(id), r.messages)
	if err != nil {
		r.log.Warn("nats: subscribe", "error", err)
		return
	}
	r.subscriptions[id] = s
}

// Unsubscribe removes a channel or subscriber.
func (r *Relay) Unsubscribe(id core.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s := r.subscriptions[id]; s != nil {
		_ = s.Unsubscribe() // fails only when the connection is closed
		delete(r.subscriptions, id)
	}
}

// Flush waits until the server knows the subscriptions. Without a connection it returns at once: the server is told
// them after connecting.
func (r *Relay) Flush() {
	if r.conn.IsConnected() {
		_ = r.conn.FlushTimeout(flushTimeout) // what is missed is read from the database
	}
}

// Listen passes signals on until ctx is done. It calls changed with whether there is a connection at the beginning,
// when that has changed, and when signals were lost.
func (r *Relay) Listen(ctx context.Context, changed func(connected bool), receive func(core.Signal)) {
	r.change()
	for was := false; ; {
		select {
		case <-ctx.Done():
			return
		case <-r.changed:
			r.Flush()
			connected := r.conn.IsConnected()
			if !connected {
				r.log.WarnContext(ctx, "nats: not connected; signals go through PostgreSQL")
			} else if !was {
				r.log.InfoContext(ctx, "nats: connected")
			}
			was = connected
			changed(connected)
		case m := <-r.messages:
			var s core.Signal
			if json.Unmarshal(m.Data, &s) == nil {
				receive(s)
			}
		}
	}
}
