package command

import (
	"cmp"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func webhooksCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:  "webhooks",
		Usage: "list, create, change, rotate and delete addresses at which others publish to a channel",
		Subcommands: []*cli.Command{
			webhooksListCommand(s), webhooksCreateCommand(s), webhooksUpdateCommand(s),
			webhooksRotateCommand(s), webhooksDeleteCommand(s), webhooksEventsCommand(s),
		},
	}
}

func webhooksListCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "list",
		Usage:       "list the webhooks of a channel, with their addresses",
		ArgsUsage:   "CHANNEL",
		Description: example("sininho webhooks list acme/deploys"),
		Action: func(c *cli.Context) error {
			args, err := arguments(c)
			if err != nil {
				return err
			}
			client, err := s.signIn()
			if err != nil {
				return err
			}
			return writeList(s, client.Webhooks.List(c.Context, args[0]), 0, "There is no webhook.", "ID\tNAME\tSIGNED\tLAST EVENT\tURL",
				func(w sininho.Webhook) []string {
					return []string{w.ID, oneLine(w.Name), yesNo(w.Signed), orNever(moment(w.LastEventAt)), oneLine(w.URL)}
				})
		},
	}
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

func webhooksCreateCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "create",
		Usage:     "create a webhook and write its secret, this once",
		ArgsUsage: "CHANNEL",
		UsageText: "sininho webhooks create CHANNEL --name NAME [options]",
		Description: "Its address is told on stderr. Of an unsigned one the address is the secret, and is written to stdout.\n\n" +
			example("sininho webhooks create acme/deploys --name CI > secret"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "name", Usage: "`TEXT` to tell it by"},
			&cli.BoolFlag{Name: "unsigned", Usage: "let anyone publish who knows the address"},
			idempotencyFlag(),
		},
		Action: func(c *cli.Context) error {
			args, err := arguments(c)
			if err != nil {
				return err
			}
			if !c.IsSet("name") {
				return usageOf(c, "--name is needed")
			}
			client, err := s.signIn()
			if err != nil {
				return err
			}
			hook, err := client.Webhooks.Create(c.Context, args[0], sininho.WebhookInput{Name: c.String("name"), Unsigned: c.Bool("unsigned")}, callOptions(c)...)
			if err != nil {
				return err
			}
			return s.writeWebhookSecret("Created", hook)
		},
	}
}

// writeWebhookSecret writes what lets others publish: the secret or, when unsigned, the
// address.
func (s *session) writeWebhookSecret(done string, hook *sininho.WebhookSecret) error {
	told := done + " the webhook " + hook.ID
	if !hook.Signed {
		return s.writeSecret(hook, hook.URL, "the webhook "+hook.ID, told+", unsigned: whoever knows its address can publish")
	}
	return s.writeSecret(hook, hook.Secret, "the webhook "+hook.ID, told+" at "+hook.URL+"; its secret is shown this once")
}

func webhooksUpdateCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "update",
		Usage:       "give a webhook another name",
		ArgsUsage:   "CHANNEL ID",
		Description: example("sininho webhooks update acme/deploys 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f --name CD"),
		Flags:       []cli.Flag{&cli.StringFlag{Name: "name", Usage: "`TEXT` to tell it by"}},
		Action: func(c *cli.Context) error {
			args, err := arguments(c)
			if err != nil {
				return err
			}
			if err := somethingGiven(c); err != nil {
				return err
			}
			client, err := s.signIn()
			if err != nil {
				return err
			}
			hook, err := client.Webhooks.Update(c.Context, args[0], args[1], c.String("name"))
			if err != nil {
				return err
			}
			s.talk("%s is now %q", hook.ID, hook.Name)
			if s.json {
				return quiet(s, s.writeJSON(hook))
			}
			return nil
		},
	}
}

func webhooksRotateCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "rotate",
		Usage:     "make a new secret or a new address, and write it",
		ArgsUsage: "CHANNEL ID PART",
		UsageText: "sininho webhooks rotate CHANNEL ID secret|address",
		Description: "An old secret stays good for 24 hours; an old address is refused at once.\n\n" +
			example("sininho webhooks rotate acme/deploys 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f secret > secret"),
		Flags: []cli.Flag{idempotencyFlag()},
		Action: func(c *cli.Context) error {
			args, err := arguments(c)
			if err != nil {
				return err
			}
			part := sininho.WebhookPart(args[2])
			if part != sininho.RotateSecret && part != sininho.RotateAddress {
				return usageOf(c, "PART is secret or address, not %q", args[2])
			}
			client, err := s.signIn()
			if err != nil {
				return err
			}
			hook, err := client.Webhooks.Rotate(c.Context, args[0], args[1], part, callOptions(c)...)
			if err != nil {
				return err
			}
			if part == sininho.RotateAddress {
				return s.writeSecret(hook, hook.URL, "the webhook "+hook.ID, "The webhook "+hook.ID+" has a new address; the old one is refused from now on")
			}
			return s.writeWebhookSecret("Rotated", hook)
		},
	}
}

func webhooksDeleteCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "delete",
		Usage:       "delete a webhook; what is sent to its address is refused from now on",
		ArgsUsage:   "CHANNEL ID",
		Description: example("sininho webhooks delete acme/deploys 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f --yes"),
		Flags:       []cli.Flag{yesFlag()},
		Action: func(c *cli.Context) error {
			args, err := arguments(c)
			if err != nil {
				return err
			}
			return s.destroy(c, "Delete the webhook "+args[1]+"? What is sent to it is refused from now on.", "Deleted "+args[1],
				func(client *sininho.Client) error { return client.Webhooks.Delete(c.Context, args[0], args[1]) })
		},
	}
}

func webhooksEventsCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "events",
		Usage:       "list what was sent to a webhook, newest first, and what became of it",
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
			return writeList(s, client.Webhooks.Events(c.Context, args[0], args[1]), limit, "Nothing was sent to it yet.", "RECEIVED\tEVENT\tOUTCOME\tNOTIFICATION OR REASON",
				func(e sininho.WebhookEvent) []string {
					return []string{moment(e.ReceivedAt), oneLine(e.ID), string(e.Outcome), oneLine(cmp.Or(e.NotificationID, e.Detail))}
				})
		},
	}
}
