package command

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func tailCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "tail",
		Usage:     "show live notifications of your feed or of a channel, until interrupted",
		ArgsUsage: "[CHANNEL]",
		Description: "Reconnects automatically and misses nothing. With --json each event is a line with its\n" +
			"type and notification. Live events also have an id, which can be passed to --since later;\n" +
			"earlier notifications that --since TIME adds have none.\n\n" +
			"With --exec the shell (on Windows the program itself) runs a command for each notification, one\n" +
			"after another, instead of writing it. The notification is on its stdin as JSON, and in\n" +
			"SININHO_ID, SININHO_CHANNEL, SININHO_TITLE, SININHO_BODY, SININHO_LINK, SININHO_IMAGE,\n" +
			"SININHO_IMPORTANCE, SININHO_EXTERNAL_ID and SININHO_PUBLISHED_AT. Put quotation marks around\n" +
			"them, and never pass them to eval: anyone who may publish writes them. A command that fails is\n" +
			"reported, and the next one runs.\n\n" +
			example("sininho tail metro/linhas --since 2h",
				"sininho tail metro/linhas --exec 'notify-send \"$SININHO_TITLE\" \"$SININHO_BODY\"'"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "since",
				Usage: "start at an earlier `TIME`: a duration before now (2h), a time (2026-03-01T12:00:00Z) " +
					"or an event's id (42)"},
			&cli.IntFlag{Name: "limit", Usage: "end after `N` events; 0 for no limit"},
			&cli.StringFlag{Name: "exec", Usage: "run `COMMAND` for each notification"},
		},
		Action: func(c *cli.Context) error { return tail(s, c) },
	}
}

func tail(s *session, c *cli.Context) error {
	address, err := optionalChannel(c)
	if err != nil {
		return err
	}
	limit, _, err := limits(c)
	if err != nil {
		return err
	}
	since, lastID, err := parseSince(c)
	if err != nil {
		return err
	}
	show := s.writeEvent
	if c.IsSet("exec") {
		if strings.TrimSpace(c.String("exec")) == "" {
			return usageOf(c, "--exec takes a command")
		}
		h := hook{s, c.String("exec")}
		show = func(e sininho.Event) error { return h.run(c.Context, e) }
	}
	connect := s.connect
	if address == "" {
		connect = s.signInAsPerson
	}
	client, err := connect()
	if err != nil {
		return err
	}
	f := &tailing{session: s, client: client, channel: address, lastID: lastID, seen: map[string]bool{}}
	n := 0
	for event, err := range f.events(c.Context, since) {
		if err != nil {
			return err
		}
		if err := show(event); err != nil {
			return quiet(s, err)
		}
		if n++; n == limit {
			return nil
		}
	}
	return nil
}

// parseSince returns --since as a time or as the id of an event.
func parseSince(c *cli.Context) (since time.Time, lastID string, err error) {
	text := c.String("since")
	if text == "" {
		return time.Time{}, "", nil
	}
	if _, err := strconv.ParseUint(text, 10, 63); err == nil {
		return time.Time{}, text, nil
	}
	if ago, ok := duration(text); ok {
		return time.Now().Add(-ago), "", nil
	}
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at, "", nil
	}
	return time.Time{}, "", usageOf(c, "--since takes a duration such as 2h, a time such as 2026-03-01T12:00:00Z "+
		"or an event's id such as 42, not %q", text)
}

// tailing follows one channel, or the feed if channel is empty.
type tailing struct {
	session *session
	client  *sininho.Client
	channel string
	lastID  string
	// seen has the ids of the notifications already shown from the history, which the stream may repeat.
	seen map[string]bool
}

// events iterates over the history since a time, if one is given, and then over the live events. It
// connects the stream before it reads the history, so that nothing is missed between the two.
func (f *tailing) events(ctx context.Context, since time.Time) iter.Seq2[sininho.Event, error] {
	return func(yield func(sininho.Event, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		stopped := false
		begin := func() {
			if since.IsZero() {
				return
			}
			if stopped = !f.history(ctx, since, yield); stopped {
				cancel()
			}
			since = time.Time{}
		}
		for event, err := range f.stream(ctx, f.options(begin)) {
			if stopped {
				return
			}
			if event.Type == sininho.EventNotification && f.seen[event.NotificationID] {
				continue
			}
			if event.Type == sininho.EventWithdrawn {
				delete(f.seen, event.NotificationID) // it can become visible again
			}
			if !yield(event, err) {
				return
			}
		}
	}
}

func (f *tailing) stream(ctx context.Context, opts sininho.StreamOptions) iter.Seq2[sininho.Event, error] {
	if f.channel == "" {
		return f.client.Feed.Stream(ctx, opts)
	}
	return f.client.Notifications.Stream(ctx, f.channel, opts)
}

func (f *tailing) list(ctx context.Context) iter.Seq2[sininho.Notification, error] {
	if f.channel == "" {
		return f.client.Feed.List(ctx, sininho.FeedListOptions{})
	}
	return f.client.Notifications.List(ctx, f.channel, sininho.ListOptions{})
}

func (f *tailing) options(begin func()) sininho.StreamOptions {
	connected := false // a disconnection is reported once, however many attempts follow
	return sininho.StreamOptions{
		LastEventID: f.lastID,
		OnConnect: func() {
			connected = true
			f.session.talk("Listening to %s; stop with Ctrl-C.", cmp.Or(f.channel, "your feed"))
			begin()
		},
		OnDisconnect: func(error, time.Duration) {
			if connected {
				f.session.talk("Connection lost; reconnecting.")
			}
			connected = false
		},
	}
}

// history yields the notifications published since a time, oldest first, and returns false if the loop has ended.
func (f *tailing) history(ctx context.Context, since time.Time, yield func(sininho.Event, error) bool) bool {
	var missed []sininho.Notification
	for n, err := range f.list(ctx) {
		if err != nil {
			yield(sininho.Event{}, err)
			return false
		}
		if n.PublishedAt.Before(since) {
			break
		}
		missed = append(missed, n)
	}
	for _, n := range slices.Backward(missed) {
		f.seen[n.ID] = true
		if !yield(sininho.Event{Type: sininho.EventNotification, Notification: &n, NotificationID: n.ID}, nil) {
			return false
		}
	}
	return true
}

// writeEvent writes one event, for people or as JSON.
func (s *session) writeEvent(e sininho.Event) error {
	switch {
	case s.json:
		return s.writeJSON(e)
	case e.Type == sininho.EventReset:
		s.talk("Some of the missed events are no longer available; see 'sininho feed'.")
		return nil
	case e.Type == sininho.EventWithdrawn:
		_, err := fmt.Fprintf(s.out, "%s was withdrawn\n", oneLine(e.NotificationID))
		return err
	case e.Type == sininho.EventCorrected:
		return s.writeNotification(e.Notification, "corrected")
	case e.Type == sininho.EventRead:
		return nil
	default:
		return s.writeNotification(e.Notification, "")
	}
}
