package command

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/cli/internal/sample"
	"github.com/sininho/sininho/internal/version"
	"github.com/sininho/sininho/pkg/sininho"
)

func webhooksTriggerCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "trigger",
		Usage:     "post a signed sample event to a webhook and report the outcome",
		ArgsUsage: "CHANNEL ID",
		Description: "The webhook handles the sample like any other event, so it may be published. The secret is\n" +
			"read from stdin, because the server does not show it again; an unsigned webhook has none.\n" +
			kindsHelp() + "\n\n" +
			example("sininho webhooks trigger acme/deploys 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f "+
				"--secret-stdin < secret",
				"sininho webhooks trigger acme/deploys 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f "+
					"--event push --secret-stdin < secret"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "event", Usage: "`KIND` of event, from the list above"},
			secretFlag("read the webhook's secret from stdin"),
		},
		Action: func(c *cli.Context) error { return trigger(s, c) },
	}
}

func kindsHelp() string {
	text := "The kinds of event by sender, the default first:\n"
	for _, sender := range senders {
		text += fmt.Sprintf("\n    %-13s %s", sender, strings.Join(sample.Kinds(sininho.WebhookSender(sender)), ", "))
	}
	return text
}

func trigger(s *session, c *cli.Context) error {
	args, err := arguments(c)
	if err != nil {
		return err
	}
	secret, err := s.webhookSecretGiven(c)
	if err != nil {
		return err
	}
	client, err := s.signIn()
	if err != nil {
		return err
	}
	hook, err := client.Webhooks.Get(c.Context, args[0], args[1])
	if err != nil {
		return err
	}
	if hook.Signed && secret == "" {
		return usageOf(c, "the webhook is signed (%s): pass its secret with --secret-stdin", hook.Signing)
	}
	event, err := sampleFor(c, hook, secret)
	if err != nil {
		return err
	}
	if got, err := s.post(c, hook, event); err != nil || got != nil {
		return s.report(got, err)
	}
	found, err := client.Webhooks.Event(c.Context, args[0], hook.ID, event.Header.Get("Webhook-Id"))
	if err != nil {
		return err
	}
	return s.report(&receipt{Outcome: found.Outcome, NotificationID: found.NotificationID, Detail: found.Detail,
		Adjusted: found.Adjusted}, nil)
}

// sampleFor returns the requested event, or the first one of the webhook's sender.
func sampleFor(c *cli.Context, hook *sininho.Webhook, secret string) (sample.Event, error) {
	kinds := sample.Kinds(hook.Sender)
	if len(kinds) == 0 {
		return sample.Event{}, fmt.Errorf("this version has no sample of %s", hook.Sender)
	}
	kind := kinds[0]
	if c.IsSet("event") {
		kind = c.String("event")
	}
	id, now := strings.ReplaceAll(uuid.NewString(), "-", ""), time.Now()
	event, err := sample.New(hook.Sender, kind, id, now)
	if err != nil {
		return event, usageOf(c, "%v; there are %s", err, strings.Join(kinds, ", "))
	}
	return event, event.Sign(hook.Signing, secret, "evt_"+id, now)
}

// receipt is the response of a webhook: the outcome of an event, or why it was not accepted.
type receipt struct {
	Outcome        sininho.WebhookOutcome `json:"outcome,omitzero"`
	NotificationID string                 `json:"notificationId,omitzero"`
	Detail         string                 `json:"detail,omitzero"`
	Duplicate      bool                   `json:"duplicate"`
	Adjusted       []sininho.Adjustment   `json:"adjusted,omitempty"`
	Code           string                 `json:"code,omitzero"`
	Title          string                 `json:"title,omitzero"`
}

const (
	postTimeout = 30 * time.Second
	maxReceipt  = 1 << 20
)

// post posts an event. It returns nil for a response in the form of Slack or Discord, which has no receipt.
func (s *session) post(c *cli.Context, hook *sininho.Webhook, event sample.Event) (*receipt, error) {
	req, err := http.NewRequestWithContext(c.Context, http.MethodPost, hook.URL, bytes.NewReader(event.Body))
	if err != nil {
		return nil, fmt.Errorf("the webhook's address cannot be posted to")
	}
	req.Header = event.Header
	req.Header.Set("User-Agent", "sininho-trigger/"+version.Read().Version)
	poster := newPoster(postTimeout)
	defer poster.CloseIdleConnections()
	res, err := poster.Do(req)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", sininho.ErrUnreachable, req.URL.Host, plainCause(err))
	}
	defer res.Body.Close()
	var got receipt
	text, err := io.ReadAll(io.LimitReader(res.Body, maxReceipt))
	if err != nil {
		return nil, err
	}
	if res.StatusCode == http.StatusNoContent || res.StatusCode == http.StatusOK && string(text) == "ok" {
		return nil, nil
	}
	if json.Unmarshal(text, &got) != nil || (got.Outcome == "" && got.Code == "") {
		return nil, fmt.Errorf("%s responded with %s, which is not a response of Sininho", req.URL.Host, res.Status)
	}
	if got.Outcome == "" {
		s.talk("sininho: the event was not accepted: %s (%d %s)", cmp.Or(got.Detail, got.Title),
			res.StatusCode, got.Code)
		if res.StatusCode == http.StatusUnauthorized {
			s.talk("Check that this is the secret of this webhook, whose signing is %s.", hook.Signing)
		}
		return nil, errReported
	}
	return &got, nil
}

// report writes a receipt.
func (s *session) report(got *receipt, err error) error {
	if err != nil {
		return err
	}
	if s.json {
		return s.ended(got.Outcome, s.writeJSON(got))
	}
	return s.ended(got.Outcome, s.writeFields([][2]string{
		{"outcome", string(got.Outcome)}, {"notification", got.NotificationID}, {"detail", got.Detail},
		{"adjusted", adjustments(got.Adjusted)},
	}))
}
