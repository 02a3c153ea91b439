package command

import (
	"cmp"
	"fmt"
	"iter"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/webhook"
)

// secretVariable is the environment variable with the signing secret.
const secretVariable = "SININHO_WEBHOOK_SECRET" //nolint:gosec // the name of a variable, not a credential

func listenCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "listen",
		Usage:     "post what you follow, or what a channel publishes, to an address, live, until interrupted",
		ArgsUsage: "[CHANNEL]",
		UsageText: "sininho listen --forward-to URL [CHANNEL] [options]",
		Description: "Each event is a POST of {\"type\", \"timestamp\", \"data\"}, signed as Standard Webhooks says. The type is notification or\n" +
			"corrected, whose data is the notification, or withdrawn, whose data has its id. The secret is that of\n" +
			secretVariable + ", or a new one that is told on stderr.\n\n" +
			"They are posted one after the other. One that meets no server, or an answer of 408, 429 or 5xx, is tried again, and\n" +
			"given up after --retries; another answer than 2xx gives it up at once. Redirects are not followed. After a cut it\n" +
			"goes on from where it was; to do so in another run, give --since the id that is told at the end.\n\n" +
			example("sininho listen --forward-to http://localhost:3000/hooks/sininho", "sininho listen metro/linhas --forward-to http://localhost:3000/hooks/sininho --json"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "forward-to", Usage: "`URL` to post to, on this machine or any other"},
			&cli.StringFlag{Name: "since", Usage: "go on after the event with this `ID` (42)"},
			&cli.IntFlag{Name: "retries", Usage: "try `N` times more before giving an event up", Value: 8},
			&cli.IntFlag{Name: "limit", Usage: "end after `N` events, with the exit code 1 if one was given up; 0 for none"},
		},
		Action: func(c *cli.Context) error { return listen(s, c) },
	}
}

// firstForwardWait is the wait before the second attempt to post an event.
const firstForwardWait = 500 * time.Millisecond

func listen(s *session, c *cli.Context) error {
	channel, err := optionalChannel(c)
	if err != nil {
		return err
	}
	limit, _, err := limits(c)
	if err != nil {
		return err
	}
	f, err := s.forwarder(c)
	if err != nil {
		return err
	}
	defer f.http.CloseIdleConnections()
	since := strings.TrimPrefix(c.String("since"), forwardedID)
	if since != "" {
		if _, err := strconv.ParseUint(since, 10, 63); err != nil {
			return usageOf(c, "--since takes an event's id as 42, not %q", since)
		}
	}
	connect := s.connect
	if channel == "" {
		connect = s.signInAsPerson
	}
	client, err := connect()
	if err != nil {
		return err
	}
	l := &listening{session: s, forwarder: f, last: since}
	source := &tailing{session: s, client: client, channel: channel, lastID: l.last}
	err = l.run(c, source.stream(c.Context, source.options(func() {})), limit)
	if l.last != "" {
		s.talk("Go on after it with --since %s", l.last)
	}
	return err
}

// forwarder reads the address and the signing secret, and shows the secret if it is new.
func (s *session) forwarder(c *cli.Context) (*forwarder, error) {
	to := c.String("forward-to")
	u, err := url.Parse(to)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") || u.User != nil {
		return nil, usageOf(c, "--forward-to takes an address as http://localhost:3000/hooks")
	}
	if c.Int("retries") < 0 {
		return nil, usageOf(c, "--retries takes 0 or more, not %d", c.Int("retries"))
	}
	secret := s.env(secretVariable)
	if secret == "" {
		secret = webhook.NewSecret()
		s.talk("Signing with %s; set %s to keep it.", secret, secretVariable)
	} else if err := webhook.CheckSecret(secret); err != nil {
		return nil, usageOf(c, "%s holds no secret to sign with: %v", secretVariable, err)
	}
	return &forwarder{
		http: newPoster(postTimeout), to: to, secret: secret, retries: c.Int("retries"), firstWait: firstForwardWait,
		failed: func(id, why string, wait time.Duration) { s.talk("%s: %s; trying again in %s", id, oneLine(why), wait) },
	}, nil
}

// listening is one run of 'sininho listen'.
type listening struct {
	session   *session
	forwarder *forwarder
	// last is the id of the latest event that was handled.
	last    string
	givenUp int
}

func (l *listening) run(c *cli.Context, events iter.Seq2[sininho.Event, error], limit int) error {
	n := 0
	for event, err := range events {
		switch {
		case err != nil:
			return err
		case event.Type == sininho.EventReset:
			l.session.talk("Some of what was missed is no longer kept.")
			continue
		case event.Type == sininho.EventRead: // nothing was published
			l.last = event.ID
			continue
		}
		out, err := l.forwarder.forward(c.Context, event)
		if err != nil {
			return err
		}
		l.last = event.ID
		if err := l.tell(event, out); err != nil {
			return quiet(l.session, err)
		}
		if n++; n == limit {
			break
		}
	}
	if l.givenUp > 0 {
		return errReported
	}
	return nil
}

func (l *listening) tell(e sininho.Event, out forwarded) error {
	result := fmt.Sprintf("%d in %d ms", out.Status, out.DurationMs)
	if !out.Delivered {
		l.givenUp++
		result = "given up: " + oneLine(out.why())
	}
	title := e.NotificationID
	if e.Notification != nil {
		title = strconv.Quote(oneLine(e.Notification.Title))
	}
	l.session.talk("%s %s %s: %s", out.ID, e.Type, cmp.Or(title, "-"), result)
	if l.session.json {
		return l.session.writeJSON(out)
	}
	return nil
}
