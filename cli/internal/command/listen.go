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
		Usage:     "forward live notifications of your feed or of a channel to an address, until interrupted",
		ArgsUsage: "[CHANNEL]",
		UsageText: "sininho listen --forward-to URL [CHANNEL] [options]",
		Description: "Each event is a POST of {\"type\", \"timestamp\", \"data\"}, signed according to Standard\n" +
			"Webhooks. The type is notification or corrected, with the notification as data, or withdrawn, with " +
			"its id.\n" +
			"The signing secret is " + secretVariable + ", or a new one that is written to stderr.\n\n" +
			"Events are posted one after the other. If the server cannot be reached or responds with 408, 429\n" +
			"or 5xx, an event is retried up to --retries times; any other status except 2xx gives it up at once.\n" +
			"Redirects are not followed. After a disconnection the stream resumes where it stopped; to resume\n" +
			"in another run, pass the id that is written at the end to --since.\n\n" +
			example("sininho listen --forward-to http://localhost:3000/hooks/sininho",
				"sininho listen metro/linhas --forward-to http://localhost:3000/hooks/sininho --json"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "forward-to", Usage: "`URL` to post to, on this machine or another"},
			&cli.StringFlag{Name: "since", Usage: "resume after the event with this `ID` (42)"},
			&cli.IntFlag{Name: "retries", Usage: "give an event up after `N` retries", Value: 8},
			&cli.IntFlag{Name: "limit",
				Usage: "end after `N` events, with exit code 1 if one was given up; 0 for no limit"},
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
			return usageOf(c, "--since takes an event's id such as 42, not %q", since)
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
		s.talk("Resume after it with --since %s", l.last)
	}
	return err
}

// forwarder reads the address and the signing secret, and shows the secret if it is new.
func (s *session) forwarder(c *cli.Context) (*forwarder, error) {
	to := c.String("forward-to")
	u, err := url.Parse(to)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") || u.User != nil {
		return nil, usageOf(c, "--forward-to takes an address such as http://localhost:3000/hooks")
	}
	if c.Int("retries") < 0 {
		return nil, usageOf(c, "--retries takes 0 or more, not %d", c.Int("retries"))
	}
	secret := s.env(secretVariable)
	if secret == "" {
		secret = webhook.NewSecret()
		s.talk("Signing with %s; set %s to keep it.", secret, secretVariable)
	} else if err := webhook.CheckSecret(secret); err != nil {
		return nil, usageOf(c, "%s is not a valid signing secret: %v", secretVariable, err)
	}
	return &forwarder{
		http: newPoster(postTimeout), to: to, secret: secret, retries: c.Int("retries"), firstWait: firstForwardWait,
		failed: func(id, cause string, wait time.Duration) {
			s.talk("%s: %s; trying again in %s", id, oneLine(cause), wait)
		},
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
			l.session.talk("Some of the missed events are no longer available.")
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
		if err := l.report(event, out); err != nil {
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

// report writes the result of posting an event.
func (l *listening) report(e sininho.Event, out forwarded) error {
	result := fmt.Sprintf("%d in %d ms", out.Status, out.DurationMs)
	if !out.Delivered {
		l.givenUp++
		result = "given up: " + oneLine(out.cause())
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
