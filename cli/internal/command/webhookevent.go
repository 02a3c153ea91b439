package command

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func webhooksEventsCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "events",
		Usage:       "list the events that a webhook received, newest first, with their outcomes",
		ArgsUsage:   "CHANNEL ID",
		Description: example("sininho webhooks events acme/deploys 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f"),
		Flags:       []cli.Flag{&cli.IntFlag{Name: "limit", Usage: "at most `N`; 0 for all", Value: 30}},
		Action: func(c *cli.Context) error {
			args, err := arguments(c)
			if err != nil {
				return err
			}
			limit, _, err := limits(c)
			if err != nil {
				return err
			}
			client, err := s.signIn()
			if err != nil {
				return err
			}
			return writeList(s, client.Webhooks.Events(c.Context, args[0], args[1]), limit,
				"It has received no event yet.",
				"RECEIVED\tEVENT\tKIND\tOUTCOME\tNOTIFICATION OR REASON", eventRow)
		},
	}
}

func eventRow(e sininho.WebhookEvent) []string {
	return []string{
		moment(e.ReceivedAt), oneLine(e.ID), oneLine(cmp.Or(e.Kind, "-")), string(e.Outcome),
		oneLine(cmp.Or(e.NotificationID, e.Detail)),
	}
}

func webhooksEventCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "event",
		Usage:     "show one event with its payload, which is kept for 30 days",
		ArgsUsage: "CHANNEL ID EVENT",
		Description: "EVENT is its id, as listed by 'sininho webhooks events'.\n\n" +
			example("sininho webhooks event acme/deploys 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f evt_1",
				"sininho webhooks event acme/deploys 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f evt_1 --jq .payload"),
		Action: s.signedIn(func(c *cli.Context, client *sininho.Client, args []string) error {
			event, err := client.Webhooks.Event(c.Context, args[0], args[1], args[2])
			if err != nil {
				return err
			}
			return s.writeWebhookEvent(event)
		}),
	}
}

func (s *session) writeWebhookEvent(e *sininho.WebhookEventDetail) error {
	if s.json {
		return quiet(s, s.writeJSON(e))
	}
	fields := eventFields(&e.WebhookEvent)
	for _, name := range slices.Sorted(maps.Keys(e.Headers)) {
		fields = append(fields, [2]string{oneLine(name), e.Headers[name]})
	}
	err := s.writeFields(fields)
	if err == nil && e.Payload != nil {
		var text bytes.Buffer
		if json.Indent(&text, e.Payload, "", "  ") != nil {
			text = *bytes.NewBuffer(e.Payload)
		}
		_, err = s.out.Write([]byte("\n" + visible(text.String()) + "\n"))
	}
	return quiet(s, err)
}

func eventFields(e *sininho.WebhookEvent) [][2]string {
	return [][2]string{
		{"event", e.ID}, {"kind", e.Kind}, {"received", moment(e.ReceivedAt)}, {"outcome", string(e.Outcome)},
		{"notification", e.NotificationID}, {"detail", e.Detail}, {"adjusted", adjustments(e.Adjusted)},
	}
}

// adjustments writes what was changed as one text.
func adjustments(list []sininho.Adjustment) string {
	var texts []string
	for _, each := range list {
		texts = append(texts, each.Pointer+" "+each.Reason)
	}
	return strings.Join(texts, "; ")
}

func webhooksReplayCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "replay",
		Usage:     "render an event again with the webhook as it is now, and publish it",
		ArgsUsage: "CHANNEL ID EVENT",
		Description: "An event that was already published is not published again; its outcome is shown.\n\n" +
			example("sininho webhooks replay acme/deploys 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f evt_1"),
		Action: s.signedIn(func(c *cli.Context, client *sininho.Client, args []string) error {
			event, err := client.Webhooks.Replay(c.Context, args[0], args[1], args[2])
			if err != nil {
				return err
			}
			if s.json {
				err = s.writeJSON(event)
			} else {
				err = s.writeFields(eventFields(event))
			}
			return s.ended(event.Outcome, err)
		}),
	}
}

// ended returns the error of a command whose payload was refused: the command fails, and the reason
// was already written.
func (s *session) ended(outcome sininho.WebhookOutcome, err error) error {
	if err == nil && outcome == sininho.WebhookRefused {
		return errReported
	}
	return quiet(s, err)
}
