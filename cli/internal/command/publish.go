package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

// maxMessage bounds the bytes read from stdin as one message; a body has 80,000 bytes at most.
const maxMessage = 1 << 20

func publishCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "publish",
		Usage:     "publish to a channel: one notification, or a file of many",
		ArgsUsage: "CHANNEL [TEXT|-]",
		UsageText: "sininho publish CHANNEL TEXT            (first line the title, the rest the body)\n" +
			"sininho publish CHANNEL --title TITLE [--body BODY] [options]\n" +
			"sininho publish CHANNEL -               (stdin: first line the title, the rest the body)\n" +
			"sininho publish CHANNEL --file FILE     (JSON lines or a JSON array; - for stdin)",
		Description: publishHelp,
		Flags: append(messageOptions(),
			&cli.StringFlag{Name: "idempotency-key", Usage: "`KEY` with which repeating the command within 24 hours " +
				"publishes nothing again; times must then be absolute, such as 2026-03-01T12:00:00Z"},
			&cli.BoolFlag{Name: "strict", Usage: "refuse a text that would have to be cut or cleaned"},
			&cli.StringFlag{Name: "file", Usage: "publish each message of `FILE`"},
			&cli.IntFlag{Name: "concurrency", Value: 1,
				Usage: "with --file: number of parallel requests; with more than 1 the order is lost"},
		),
		Action: func(c *cli.Context) error { return publish(s, c) },
	}
}

// messageOptions are the flags that describe a single message.
func messageOptions() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "title", Usage: "`TEXT` of at most 200 characters"},
		&cli.StringFlag{Name: "body", Usage: "`TEXT` of at most 20,000 characters; - reads it from stdin"},
		&cli.StringFlag{Name: "link", Usage: "https, http, mailto or tel `ADDRESS` that it leads to"},
		pictureFlag("image", "an image"),
		pictureFlag("icon", "an icon, in place of the channel's"),
		&cli.StringFlag{Name: "importance", Usage: "`LEVEL`: normal or important"},
		&cli.GenericFlag{Name: "data", Usage: "`KEY=VALUE` for programs; may be repeated", Value: &dataValue{}},
		&cli.StringFlag{Name: "external-id", Usage: "your own `ID`; a channel accepts each only once"},
		&cli.StringFlag{Name: "schedule-at",
			Usage: "`TIME` of publication, at most a year ahead: 2026-03-01T12:00:00Z, or 2h from now"},
		&cli.StringFlag{Name: "expires-at",
			Usage: "`TIME` at which it is removed from all feeds, lists and devices, and is no longer pushed"},
	}
}

var publishHelp = `The id of the notification is written to stdout.

A text, from stdin or as an argument, is never refused for its form, and what is changed is written
to stderr: colours and other control characters are removed, other encodings than UTF-8 are decoded, a title that is
too long is cut at a word and moves into the body as a whole, and of a body that is too long the end
is kept. With --strict such a text is an error.

With --file all messages are checked before the first is sent. They are published in the file's
order, and each result is written with its line number; in an array 4#2 means the second element,
on line 4. Neighbours with externalIds are published together, which is much faster. Running the command
again within 24 hours publishes nothing twice: messages that were already published are
reported as replayed. A message with an externalId is never published twice. To publish the
same messages again on purpose, use another --idempotency-key. When the server's rate limit
is exceeded, all requests pause for as long as the server requires. On Ctrl-C requests in
flight have a few seconds to finish; without a response the result is reported as unknown.
The members of a message are title, body, link, image, icon, importance, data,
externalId, scheduledAt and expiresAt.

` + example("sininho publish acme/deploys 'Version 2.4 is live' --importance important")

// messageFlags are the names of messageOptions.
var messageFlags = []string{
	"title", "body", "link", "image", "icon", "importance", "data", "external-id", "schedule-at", "expires-at",
}

func publish(s *session, c *cli.Context) error {
	channel, err := firstChannel(c)
	if err != nil {
		return err
	}
	args := c.Args().Slice()[1:]
	if c.IsSet("file") {
		if len(args) > 0 || slices.ContainsFunc(messageFlags, c.IsSet) {
			return usageOf(c, "--file cannot be combined with another argument or a flag that describes a message")
		}
		return publishFile(s, c, channel)
	}
	in, err := publishInput(s, c, args)
	if err != nil {
		return err
	}
	valid := func() error { return validate(c, in) }
	if err := s.uploadFiles(c, channel, valid, &in.Image, &in.Icon); err != nil {
		return err
	}
	return publishOne(s, c, channel, in)
}

// validate checks an input without the server. With an idempotency key it leaves an expiry in the
// past to the server, which may have published the message in time.
func validate(c *cli.Context, in sininho.PublishInput) error {
	if c.IsSet("idempotency-key") && in.ExpiresAt.Before(time.Now()) {
		in.ExpiresAt = time.Time{}
	}
	return in.Validate()
}

// usageOf returns a usage error for the running command.
func usageOf(c *cli.Context, format string, args ...any) error {
	return &usageError{text: fmt.Sprintf(format, args...), command: c.Command.HelpName}
}

// message returns what the messageOptions say, and leaves a body that is - to the caller.
func message(c *cli.Context) (sininho.PublishInput, error) {
	in := sininho.PublishInput{
		Title: c.String("title"), Body: c.String("body"), Link: c.String("link"), Image: c.String("image"),
		Icon: c.String("icon"), Importance: sininho.Importance(c.String("importance")),
		ExternalID: c.String("external-id"), Data: c.Generic("data").(*dataValue).pairs,
	}
	var scheduleErr, expireErr error
	in.ScheduledAt, scheduleErr = parseTime(c, "schedule-at")
	in.ExpiresAt, expireErr = parseTime(c, "expires-at")
	if err := errors.Join(scheduleErr, expireErr); err != nil {
		return in, usageOf(c, "%v", err)
	}
	return in, nil
}

func publishInput(s *session, c *cli.Context, args []string) (sininho.PublishInput, error) {
	in, err := message(c)
	if err != nil {
		return in, err
	}
	switch {
	case len(args) > 1:
		return in, usageOf(c, "unexpected %q after the text; put quotation marks around a text with spaces", args[1])
	case len(args) == 1 && (c.IsSet("title") || c.IsSet("body")):
		return in, usageOf(c, "a text or - has title and body; remove --title and --body, or use --body -")
	case len(args) == 1 && args[0] == "-":
		return in, s.readPiped(c, &in, true)
	case len(args) == 1:
		return in, s.setText(c, &in, args[0])
	case !c.IsSet("title"):
		return in, usageOf(c, "a text is required: as an argument, with --title, or with - from stdin")
	case in.Body == "-":
		return in, s.readPiped(c, &in, false)
	}
	return in, nil
}

// readMessage takes the first line as the title and the rest as the body, without a blank line between them.
func (s *session) readMessage(ctx context.Context, in *sininho.PublishInput) error {
	text, err := s.readStdin(ctx)
	if err != nil {
		return err
	}
	title, body, _ := strings.Cut(text, "\n")
	in.Title = strings.TrimSuffix(title, "\r")
	in.Body = strings.TrimPrefix(strings.TrimPrefix(body, "\r"), "\n")
	if strings.TrimSpace(in.Title) == "" {
		return errUntitled("stdin")
	}
	return nil
}

func (s *session) readStdin(ctx context.Context) (string, error) {
	if isTerminal(s.in) {
		s.talk("Reading from the terminal; end with Ctrl-D.")
	}
	text, err := readAll(ctx, s.in, maxMessage)
	if err != nil {
		return "", fmt.Errorf("reading stdin: %w", err)
	}
	if len(text) > maxMessage {
		return "", fmt.Errorf("stdin is longer than a message, which has at most %d characters; "+
			"use --file to publish many", sininho.MaxBody)
	}
	return strings.TrimPrefix(string(text), byteOrderMark), nil
}

// byteOrderMark begins the files of some editors; it is not part of the text.
const byteOrderMark = "\uFEFF"

// parseTime returns a flag's time, or zero if it is not given. It refuses a time relative to now
// with an idempotency key, because each repetition would be a different request.
func parseTime(c *cli.Context, flag string) (time.Time, error) {
	if !c.IsSet(flag) {
		return time.Time{}, nil
	}
	text := c.String(flag)
	if after, ok := duration(strings.TrimPrefix(text, "+")); ok {
		at := time.Now().Add(after).Truncate(time.Second)
		if c.IsSet("idempotency-key") {
			return at, fmt.Errorf("--%s %s is a different time at each repetition; "+
				"with --idempotency-key use an absolute time, such as %s",
				flag, text, at.UTC().Format(time.RFC3339))
		}
		return at, nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return at, fmt.Errorf("--%s takes a time such as 2026-03-01T12:00:00Z or a duration such as 90m or 7d, not %q",
			flag, text)
	}
	return at, nil
}

func publishOne(s *session, c *cli.Context, channel string, in sininho.PublishInput) error {
	client, err := s.signIn()
	if err != nil {
		return err
	}
	result, err := client.Notifications.Publish(c.Context, channel, in, callOptions(c)...)
	if err != nil {
		return err
	}
	if s.json {
		err := s.writeJSON(published{Outcome: outcomeOf(result), Notification: &result.Notification})
		if err != nil {
			s.talk("%s", sentence(channel, result)) // the publish succeeded nevertheless
		}
		return err
	}
	s.talk("%s", sentence(channel, result))
	_, err = fmt.Fprintln(s.out, result.Notification.ID)
	return err
}

// published is a result as --json writes it.
type published struct {
	Line    int    `json:"line,omitzero"`
	Element int    `json:"element,omitzero"`
	Outcome string `json:"outcome"`
	*sininho.Notification
	Error *failure `json:"error,omitempty"`
}

func outcomeOf(r *sininho.PublishResult) string {
	switch {
	case r.Replayed:
		return "replayed"
	case r.Existing:
		return "existing"
	default:
		return "created"
	}
}

func sentence(channel string, r *sininho.PublishResult) string {
	title := oneLine(r.Notification.Title)
	switch {
	case r.Existing:
		return fmt.Sprintf("%s already has %q with external id %s; nothing was published",
			channel, title, r.Notification.ExternalID)
	case r.Replayed:
		return fmt.Sprintf("%q was already published to %s under this idempotency key", title, channel)
	case r.Notification.PublishedAt.IsZero():
		return fmt.Sprintf("Scheduled %q for %s in %s", title, moment(r.Notification.ScheduledAt), channel)
	default:
		return fmt.Sprintf("Published %q to %s", title, channel)
	}
}

// dataValue collects repeated KEY=VALUE flags.
type dataValue struct{ pairs map[string]string }

// Set implements flag.Value.
func (d *dataValue) Set(text string) error {
	key, value, found := strings.Cut(text, "=")
	if !found || key == "" {
		return fmt.Errorf("KEY=VALUE, not %q", text)
	}
	if d.pairs == nil {
		d.pairs = map[string]string{}
	}
	d.pairs[key] = value
	return nil
}

// String implements flag.Value.
func (d *dataValue) String() string { return "" }
