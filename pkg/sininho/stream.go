package sininho

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"mime"
	"net/http"
	"time"

	"github.com/sininho/sininho/pkg/api"
)

const (
	// streamIdle is the longest silence before a connection counts as dead; servers send heartbeats well within it.
	streamIdle = 75 * time.Second
	// maxReconnectWait bounds the wait between connections, even if the server requests a longer one.
	maxReconnectWait = 30 * time.Second
)

// EventType is the type of a stream event.
type EventType string

// The types of stream events. Streams skip events of other types.
const (
	// EventNotification: Event.Notification was published, or is visible again.
	EventNotification EventType = "notification"
	// EventCorrected: Event.Notification, published earlier, was changed.
	EventCorrected EventType = "corrected"
	// EventWithdrawn: the notification Event.NotificationID is no longer visible.
	EventWithdrawn EventType = "withdrawn"
	// EventRead: a notification was marked read, unread or archived on another device, was postponed,
	// or is back because its time has come; only on the stream of a feed. NotificationID names it, or
	// ChannelID its channel if all of the channel was read; if both are empty, the whole feed was read.
	EventRead EventType = "read"
	// EventReset: missed events are no longer stored; fetch the list again.
	EventReset EventType = "reset"
)

// Event is a change in a channel or a feed.
type Event struct {
	// ID is the stream position, from which StreamOptions.LastEventID can continue.
	ID   string    `json:"id,omitzero"`
	Type EventType `json:"type"`
	// Notification is set for EventNotification and EventCorrected.
	Notification *Notification `json:"notification,omitempty"`
	// NotificationID is empty for EventReset, and for an EventRead of more than one notification.
	NotificationID string `json:"notificationId,omitzero"`
	// ChannelID is set for an EventRead of a whole channel.
	ChannelID string `json:"channelId,omitzero"`
	// ReadAt is when NotificationID was read; zero if it became unread.
	ReadAt time.Time `json:"readAt,omitzero"`
	// Archived is set if NotificationID left the feed (true) or returned to it (false).
	Archived *bool `json:"archived,omitempty"`
	// SnoozedUntil is set if NotificationID left the feed until then.
	SnoozedUntil time.Time `json:"snoozedUntil,omitzero"`
	// Returned is set if NotificationID returned because it was postponed until now.
	Returned bool `json:"returned,omitzero"`
}

// StreamOptions determines where a stream begins and which functions it calls when the connection changes.
type StreamOptions struct {
	// LastEventID is the Event.ID after which to continue; if it is empty, the stream begins with the next event.
	LastEventID string
	// OnConnect is called each time the stream is connected and its position is known: from then on nothing is
	// missed, however long the call takes. After a disconnection, fetch the read states again: they are not replayed.
	OnConnect func()
	// OnDisconnect is called when the connection is lost or an attempt to connect fails, with the
	// wait before the next attempt.
	OnDisconnect func(err error, wait time.Duration)
}

type streamSetting struct {
	retries int
	timeout time.Duration
	logger  *slog.Logger
}

func streamSettings(s settings) streamSetting {
	return streamSetting{retries: s.retries, timeout: s.timeout, logger: s.logger}
}

// Stream follows a channel live. It connects when the loop begins. Whenever the connection is lost
// it reconnects after the last event, so that none is missed or repeated, until the context ends;
// the context's error is then the last item. The stream also ends with an error if the server
// refuses it (such as [ErrNotFound]) or if the first connection still fails after the retries.
// Leaving the loop closes the connection.
func (s *NotificationsService) Stream(ctx context.Context, channel string, opts StreamOptions) iter.Seq2[Event, error] {
	address, err := ParseAddress(channel)
	if err != nil {
		return failed[Event](err)
	}
	open := func(ctx context.Context, lastID *string) (*http.Response, error) {
		params := &api.StreamChannelParams{LastEventID: lastID}
		return s.streams.api.StreamChannel(ctx, address.Publisher, address.Channel, params)
	}
	return s.streams.follow(ctx, address.String(), opts, open)
}

// streamer opens streams.
type streamer struct {
	api      *api.Client
	settings streamSetting
}

// opener sends the request for a stream that continues after lastID.
type opener func(ctx context.Context, lastID *string) (*http.Response, error)

func (s streamer) follow(ctx context.Context, name string, opts StreamOptions, open opener) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		f := &follower{settings: s.settings, name: name, send: open, opts: opts, lastID: opts.LastEventID}
		f.run(ctx, yield)
	}
}

// follower is one loop over a stream, across its connections.
type follower struct {
	settings streamSetting
	name     string
	send     opener
	opts     StreamOptions
	lastID   string
	retry    time.Duration
	failures int
	// connected is set after the first connection, which proves that the server and the channel exist.
	connected bool
}

// errStopped means that the caller left the loop.
var errStopped = errors.New("stopped")

func (f *follower) run(ctx context.Context, yield func(Event, error) bool) {
	for {
		err := f.connection(ctx, yield)
		if errors.Is(err, errStopped) {
			return
		}
		if ctx.Err() != nil {
			yield(Event{}, ctx.Err())
			return
		}
		if f.isFinal(err) {
			yield(Event{}, err)
			return
		}
		wait := f.wait(err)
		f.reportReconnect(ctx, err, wait)
		f.failures++
		if sleep(ctx, wait) != nil {
			yield(Event{}, ctx.Err())
			return
		}
	}
}

func (f *follower) isFinal(err error) bool {
	var refused *Error
	switch {
	case errors.As(err, &refused) && refused.Status != http.StatusTooManyRequests && refused.Status < 500:
		return true
	case errors.Is(err, errResponse), isPermanent(err):
		return true
	}
	return !f.connected && f.failures >= f.settings.retries
}

func (f *follower) wait(err error) time.Duration {
	wait := f.retry + fullJitter(f.failures)
	var refused *Error
	if errors.As(err, &refused) {
		wait += refused.RetryAfter
	}
	return min(wait, maxReconnectWait)
}

func (f *follower) reportReconnect(ctx context.Context, err error, wait time.Duration) {
	f.settings.logger.InfoContext(ctx, "sininho: connecting to the stream again",
		"stream", f.name, "wait", wait, "after", err.Error())
	if f.opts.OnDisconnect != nil {
		f.opts.OnDisconnect(err, wait)
	}
}

// connection reads one connection until it ends, which is always with an error.
func (f *follower) connection(ctx context.Context, yield func(Event, error) bool) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watchdog := time.AfterFunc(f.settings.timeout, func() { cancel(errSilent) })
	defer watchdog.Stop()
	resp, err := f.open(ctx)
	if err != nil {
		return f.cause(ctx, err)
	}
	defer resp.Body.Close()
	watchdog.Reset(streamIdle)
	f.connected = true
	reader := newSSEReader(resp.Body, f.lastID, func() { watchdog.Reset(streamIdle); f.failures = 0 })
	return f.cause(ctx, f.read(reader, yield))
}

// errSilent means that nothing was received for too long.
var errSilent = fmt.Errorf("%w: the connection went silent", ErrUnreachable)

func (f *follower) cause(ctx context.Context, err error) error {
	if errors.Is(context.Cause(ctx), errSilent) {
		return errSilent
	}
	return err
}

func (f *follower) open(ctx context.Context) (*http.Response, error) {
	resp, err := f.send(ctx, optional(f.lastID))
	if err := check(resp, err); err != nil {
		return nil, err
	}
	if kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); kind != "text/event-stream" {
		resp.Body.Close()
		return nil, unexpectedType(resp, "events")
	}
	return resp, nil
}

func (f *follower) read(reader *sseReader, yield func(Event, error) bool) error {
	for first := true; ; first = false {
		raw, err := reader.next()
		f.lastID, f.retry = reader.lastID, reader.retry
		if errors.Is(err, errResponse) {
			return fmt.Errorf("sininho: %w", err)
		}
		if err != nil {
			return fmt.Errorf("%w: the stream ended: %w", ErrUnreachable, err)
		}
		if first && f.opts.OnConnect != nil {
			f.opts.OnConnect() // only now that the position is known, or a cut during the call would lose events
		}
		event, known, err := parseEvent(raw)
		if err != nil {
			return err
		}
		if known && !yield(event, nil) {
			return errStopped
		}
	}
}

func parseEvent(raw sseEvent) (event Event, known bool, err error) {
	event = Event{ID: raw.id, Type: EventType(raw.kind)}
	switch event.Type {
	case EventNotification, EventCorrected:
		event.Notification = &Notification{}
		err = json.Unmarshal(raw.data, event.Notification)
		event.NotificationID = event.Notification.ID
	case EventWithdrawn:
		event.NotificationID, err = parseWithdrawn(raw.data)
	case EventRead:
		err = parseRead(raw.data, &event)
	case EventReset:
	default:
		return event, false, nil
	}
	if err != nil {
		return event, false, fmt.Errorf("sininho: %w: event %s: %w", errResponse, raw.kind, err)
	}
	return event, true, nil
}

// parseRead parses the data of an EventRead.
func parseRead(data []byte, event *Event) error {
	var read struct {
		NotificationID, ChannelID string
		ReadAt, SnoozedUntil      time.Time
		Archived                  *bool
		Returned                  bool
	}
	err := json.Unmarshal(data, &read)
	event.NotificationID, event.ChannelID = read.NotificationID, read.ChannelID
	event.ReadAt, event.Archived = read.ReadAt, read.Archived
	event.SnoozedUntil, event.Returned = read.SnoozedUntil, read.Returned
	return err
}

// parseWithdrawn parses the id, which is a JSON string or a member of an object.
func parseWithdrawn(data []byte) (string, error) {
	var object struct{ ID, NotificationID string }
	if err := json.Unmarshal(data, &object); err == nil {
		return object.ID + object.NotificationID, nil
	}
	var id string
	err := json.Unmarshal(data, &id)
	return id, err
}

// openCaller makes a single attempt and leaves the response body open, for a stream or a file of any size.
type openCaller struct {
	*caller
	accept string
}

// Do implements api.HttpRequestDoer.
func (c openCaller) Do(req *http.Request) (*http.Response, error) {
	req.Header.Set("Accept", c.accept)
	prepared, err := c.prepare(req.Context(), req)
	if err != nil {
		return nil, err
	}
	client := *c.http
	client.Timeout = 0
	resp, err := client.Do(prepared)
	if err != nil {
		return nil, wrapUnreachable(req, withoutURL(err))
	}
	resp.Request = req // a custom transport may leave it unset
	if resp.StatusCode >= 300 {
		err := c.redactBody(resp)
		return resp, wrapUnreachable(req, err)
	}
	return resp, nil
}

// redactBody reads a bounded error response and removes the key from it.
func (c *caller) redactBody(resp *http.Response) error {
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxResponseBytes))
	resp.Body = newBody(c.redact(body))
	return err
}
