package command

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func endpointsCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:  "endpoints",
		Usage: "manage the event endpoints of a publisher, which receive events about its notifications",
		Subcommands: []*cli.Command{
			endpointsListCommand(s), endpointsShowCommand(s), endpointsCreateCommand(s), endpointsConfirmCommand(s),
			endpointsUpdateCommand(s), endpointsDeleteCommand(s), endpointsRotateCommand(s), endpointsTestCommand(s),
			endpointsDeliveriesCommand(s), endpointsDeliveryCommand(s), endpointsResendCommand(s),
		},
	}
}

func endpointsListCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "list",
		Usage:       "list the event endpoints of a publisher",
		ArgsUsage:   "PUBLISHER",
		Description: example("sininho endpoints list acme"),
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, args []string) error {
			return writeList(s, client.EventEndpoints.List(c.Context, args[0]), 0,
				"There is no event endpoint; see 'sininho endpoints create --help'.",
				"ID\tNAME\tSTATE\tEVENTS\tURL", func(e sininho.EventEndpoint) []string {
					return []string{e.ID, oneLine(e.Name), endpointState(e), eventNames(e.Events), oneLine(e.URL)}
				})
		}),
	}
}

func endpointState(e sininho.EventEndpoint) string {
	switch {
	case !e.Enabled:
		return "off"
	case e.ConfirmedAt.IsZero():
		return "unconfirmed"
	case !e.FailingSince.IsZero():
		return "failing"
	}
	return "on"
}

func eventNames(types []sininho.EndpointEventType) string {
	var names []string
	for _, t := range types {
		names = append(names, oneLine(string(t)))
	}
	return strings.Join(names, ",")
}

func endpointsShowCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "show",
		Usage:       "show an event endpoint, and why it was switched off",
		ArgsUsage:   "PUBLISHER ID",
		Description: example("sininho endpoints show acme 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f"),
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, args []string) error {
			e, err := client.EventEndpoints.Get(c.Context, args[0], args[1])
			if err != nil {
				return err
			}
			return s.writeEndpoint(e)
		}),
	}
}

func (s *session) writeEndpoint(e *sininho.EventEndpoint) error {
	if s.json {
		return quiet(s, s.writeJSON(e))
	}
	return quiet(s, s.writeFields([][2]string{
		{"id", e.ID}, {"name", e.Name}, {"url", e.URL}, {"events", eventNames(e.Events)},
		{"state", endpointState(*e)}, {"switched off", moment(e.DisabledAt)}, {"because", e.DisabledReason},
		{"confirmed", moment(e.ConfirmedAt)}, {"failing since", moment(e.FailingSince)},
		{"paused until", moment(e.PausedUntil)}, {"created", moment(e.CreatedAt)},
	}))
}

func eventsFlag() cli.Flag {
	return &cli.StringFlag{Name: "events", Usage: "`TYPES` of events to send, separated by commas: " +
		"notification.dispatched, notification.finished, notification.failed, channel.subscribers, test (default: all)"}
}

func eventsGiven(c *cli.Context) []sininho.EndpointEventType {
	if !c.IsSet("events") {
		return nil
	}
	var types []sininho.EndpointEventType
	for t := range strings.SplitSeq(c.String("events"), ",") {
		types = append(types, sininho.EndpointEventType(strings.TrimSpace(t)))
	}
	return types
}

func endpointsCreateCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "create",
		Usage:     "create an event endpoint and write its signing secret, which is shown only once",
		ArgsUsage: "PUBLISHER",
		UsageText: "sininho endpoints create PUBLISHER --name NAME --to URL [options]",
		Description: "Events are signed according to Standard Webhooks. Give the secret to the receiver, then run\n" +
			"'sininho endpoints confirm'.\n\n" +
			example("sininho endpoints create acme --name Panel --to https://example.com/hooks/sininho > secret"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "name", Usage: "`TEXT` to recognize it by"},
			&cli.StringFlag{Name: "to", Usage: "public https `URL` to post to"},
			eventsFlag(), idempotencyFlag(),
		},
		Action: func(c *cli.Context) error {
			args, err := arguments(c)
			if err != nil {
				return err
			}
			if !c.IsSet("name") || !c.IsSet("to") {
				return usageOf(c, "--name and --to are required")
			}
			client, err := s.signInAsPerson()
			if err != nil {
				return err
			}
			e, err := client.EventEndpoints.Create(c.Context, args[0],
				sininho.EventEndpointInput{URL: c.String("to"), Name: c.String("name"), Events: eventsGiven(c)},
				callOptions(c)...)
			if err != nil {
				return err
			}
			return s.writeSecret(e, e.Secret, "the event endpoint "+e.ID,
				"Created the event endpoint "+e.ID+"; its secret is shown only once.\n"+
					"Once its receiver has the secret, run 'sininho endpoints confirm "+args[0]+" "+e.ID+"'.")
		},
	}
}

func endpointsUpdateCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "update",
		Usage:     "change an event endpoint, or switch it on or off",
		ArgsUsage: "PUBLISHER ID",
		Description: "--on also re-enables an endpoint that was switched off because it failed. A new --to must be\n" +
			"confirmed with 'sininho endpoints confirm'.\n\n" +
			example("sininho endpoints update acme 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f --on"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "name", Usage: "`TEXT` to recognize it by"},
			&cli.StringFlag{Name: "to", Usage: "public https `URL` to post to"},
			eventsFlag(),
			&cli.BoolFlag{Name: "on", Usage: "switch it on"},
			&cli.BoolFlag{Name: "off", Usage: "switch it off"},
		},
		Action: func(c *cli.Context) error {
			args, err := arguments(c)
			if err != nil {
				return err
			}
			if err := somethingGiven(c); err != nil {
				return err
			}
			if c.Bool("on") && c.Bool("off") {
				return usageOf(c, "--on and --off exclude each other")
			}
			in := sininho.EventEndpointUpdate{URL: given(c, "to"), Name: given(c, "name"), Events: eventsGiven(c)}
			if c.Bool("on") || c.Bool("off") {
				in.Enabled = new(c.Bool("on"))
			}
			client, err := s.signInAsPerson()
			if err != nil {
				return err
			}
			e, err := client.EventEndpoints.Update(c.Context, args[0], args[1], in)
			if err != nil {
				return err
			}
			s.talk("Changed the event endpoint %s", e.ID)
			return s.writeEndpoint(e)
		},
	}
}

func endpointsDeleteCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "delete",
		Usage:       "delete an event endpoint; its pending events are not delivered",
		ArgsUsage:   "PUBLISHER ID",
		Description: example("sininho endpoints delete acme 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f --yes"),
		Flags:       []cli.Flag{yesFlag()},
		Action: func(c *cli.Context) error {
			args, err := arguments(c)
			if err != nil {
				return err
			}
			return s.destroy(c, s.signInAsPerson,
				"Delete the event endpoint "+args[1]+"? It receives no further events.",
				"Deleted "+args[1],
				func(client *sininho.Client) error { return client.EventEndpoints.Delete(c.Context, args[0], args[1]) })
		},
	}
}

func endpointsRotateCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "rotate",
		Usage:     "create a new secret and write it, only once",
		ArgsUsage: "PUBLISHER ID",
		Description: "For 24 hours, or until the next rotation, events are signed with the old one too.\n\n" +
			example("sininho endpoints rotate acme 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f > secret"),
		Flags: []cli.Flag{idempotencyFlag()},
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, args []string) error {
			e, err := client.EventEndpoints.Rotate(c.Context, args[0], args[1], callOptions(c)...)
			if err != nil {
				return err
			}
			return s.writeSecret(e, e.Secret, "the event endpoint "+e.ID,
				"The event endpoint "+e.ID+" has a new secret; it is shown only once")
		}),
	}
}
