package command

import (
	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func webhooksCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:  "webhooks",
		Usage: "arrange and try addresses at which others publish to a channel, and see what came of it",
		Subcommands: []*cli.Command{
			webhooksListCommand(s), webhooksCreateCommand(s), webhooksUpdateCommand(s),
			webhooksRotateCommand(s), webhooksDeleteCommand(s), webhooksPreviewCommand(s), webhooksTriggerCommand(s),
			webhooksEventsCommand(s), webhooksEventCommand(s), webhooksReplayCommand(s),
		},
	}
}

func webhooksListCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "list",
		Usage:       "list the webhooks of a channel, with their addresses",
		ArgsUsage:   "CHANNEL",
		Description: example("sininho webhooks list acme/deploys"),
		Action: s.signedIn(func(c *cli.Context, client *sininho.Client, args []string) error {
			return writeList(s, client.Webhooks.List(c.Context, args[0]), 0, "There is no webhook.", "ID\tNAME\tSENDER\tSIGNING\tLAST EVENT\tURL",
				func(w sininho.Webhook) []string {
					return []string{w.ID, oneLine(w.Name), oneLine(senderOf(w)), string(w.Signing), orNever(moment(w.LastEventAt)), oneLine(w.URL)}
				})
		}),
	}
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// senderOf returns the sender of a webhook, and whether it has its own template.
func senderOf(w sininho.Webhook) string {
	if w.Template != nil {
		return string(w.Sender) + " (own template)"
	}
	return string(w.Sender)
}

// These flags are shared by several commands on webhooks.
func senderFlag() cli.Flag {
	return &cli.StringFlag{Name: "sender", Usage: "`WHOSE` payloads are posted: plain, github, gitlab, alertmanager, grafana, stripe or sentry"}
}

func templateFlag() cli.Flag {
	return &cli.StringFlag{Name: "template", Usage: "`FILE` with a template of your own, YAML or JSON, in place of the sender's; - for stdin"}
}

func secretFlag(usage string) cli.Flag {
	return &cli.BoolFlag{Name: "secret-stdin", Usage: usage}
}

func webhooksCreateCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "create",
		Usage:     "create a webhook and write its secret, this once",
		ArgsUsage: "CHANNEL",
		UsageText: "sininho webhooks create CHANNEL --name NAME [options]",
		Description: "Its address is told on stderr. Without a secret to show, as of an unsigned one, the address is written to stdout.\n" +
			"Where the sender makes the secret (Stripe, Sentry), give it with --secret-stdin, here or later to 'sininho webhooks rotate'.\n\n" +
			templateHelp + "\n\n" +
			example("sininho webhooks create acme/deploys --name CI > secret",
				"sininho webhooks create acme/deploys --name GitHub --sender github > secret",
				"sininho webhooks create acme/deploys --name Stripe --sender stripe --secret-stdin < secret"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "name", Usage: "`TEXT` to recognize it by"},
			senderFlag(),
			&cli.StringFlag{Name: "signing", Usage: "`HOW` the sender proves who it is: standard, github, gitlab, stripe, sentry, bearer or none (default: as the sender does)"},
			templateFlag(),
			secretFlag("read the sender's own secret from stdin"),
			&cli.BoolFlag{Name: "unsigned", Usage: "let anyone publish who knows the address; the same as --signing none"},
			idempotencyFlag(),
		},
		Action: func(c *cli.Context) error { return createWebhook(s, c) },
	}
}

func createWebhook(s *session, c *cli.Context) error {
	args, err := arguments(c)
	if err != nil {
		return err
	}
	in := sininho.WebhookInput{Name: c.String("name"), Sender: sininho.WebhookSender(c.String("sender")), Signing: sininho.WebhookSigning(c.String("signing"))}
	switch {
	case !c.IsSet("name"):
		return usageOf(c, "--name is needed")
	case c.Bool("unsigned") && c.IsSet("signing"):
		return usageOf(c, "--unsigned is --signing none; give one of them")
	case c.Bool("unsigned"):
		in.Signing = sininho.SigningNone
	}
	if c.Bool("secret-stdin") && in.Signing == sininho.SigningNone {
		return usageOf(c, "an unsigned webhook has no secret")
	}
	if in.Template, err = s.templateGiven(c); err != nil {
		return err
	}
	if in.Secret, err = s.webhookSecretGiven(c); err != nil {
		return err
	}
	client, err := s.signIn()
	if err != nil {
		return err
	}
	hook, err := client.Webhooks.Create(c.Context, args[0], in, callOptions(c)...)
	if err != nil {
		return err
	}
	return s.writeWebhookSecret("Created", hook, in.Secret != "")
}

// webhookSecretGiven reads a secret from stdin if --secret-stdin is given.
func (s *session) webhookSecretGiven(c *cli.Context) (string, error) {
	switch {
	case !c.Bool("secret-stdin"):
		return "", nil
	case c.String("template") == "-":
		return "", usageOf(c, "stdin cannot hold both the secret and the template; give the template's file")
	}
	return s.readSecret(c.Context, "the webhook's secret")
}

// writeWebhookSecret writes what is needed to publish: the secret or, if there is none to show, the address.
func (s *session) writeWebhookSecret(done string, hook *sininho.WebhookSecret, given bool) error {
	told := done + " the webhook " + hook.ID
	switch {
	case !hook.Signed:
		return s.writeSecret(hook, hook.URL, "the webhook "+hook.ID, told+", unsigned: whoever knows its address can publish")
	case given:
		return s.writeSecret(hook, hook.URL, "the webhook "+hook.ID, told+" with the secret that you gave; give the sender its address")
	}
	return s.writeSecret(hook, hook.Secret, "the webhook "+hook.ID, told+" at "+hook.URL+"; its secret is shown this once")
}

func webhooksUpdateCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "update",
		Usage:     "change a webhook's name, sender or template",
		ArgsUsage: "CHANNEL ID",
		Description: "See what comes of a template with 'sininho webhooks preview' first.\n\n" + templateHelp + "\n\n" +
			example("sininho webhooks update acme/deploys 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f --name CD",
				"sininho webhooks update acme/deploys 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f --template deploys.yaml"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "name", Usage: "`TEXT` to recognize it by"},
			senderFlag(), templateFlag(),
			&cli.BoolFlag{Name: "no-template", Usage: "go back to the sender's template"},
		},
		Action: func(c *cli.Context) error { return updateWebhook(s, c) },
	}
}

func updateWebhook(s *session, c *cli.Context) error {
	args, err := arguments(c)
	if err != nil {
		return err
	}
	if err := somethingGiven(c); err != nil {
		return err
	}
	if c.Bool("no-template") && c.IsSet("template") {
		return usageOf(c, "--template and --no-template cannot go together")
	}
	in := sininho.WebhookUpdate{Name: given(c, "name"), Sender: (*sininho.WebhookSender)(given(c, "sender"))}
	if in.Template, err = s.templateGiven(c); err != nil {
		return err
	}
	if c.Bool("no-template") {
		in.Template = &sininho.WebhookTemplate{}
	}
	client, err := s.signIn()
	if err != nil {
		return err
	}
	hook, err := client.Webhooks.Update(c.Context, args[0], args[1], in)
	if err != nil {
		return err
	}
	s.talk("%s is now %q, of %s", hook.ID, hook.Name, senderOf(*hook))
	if s.json {
		return quiet(s, s.writeJSON(hook))
	}
	return nil
}

func webhooksRotateCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "rotate",
		Usage:     "make a new secret or a new address, and write it",
		ArgsUsage: "CHANNEL ID PART",
		UsageText: "sininho webhooks rotate CHANNEL ID secret|address",
		Description: "An old secret stays good for 24 hours; an old address is refused at once.\n\n" +
			example("sininho webhooks rotate acme/deploys 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f secret > secret",
				"sininho webhooks rotate acme/deploys 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f secret --secret-stdin < secret-of-stripe"),
		Flags:  []cli.Flag{secretFlag("read the sender's own new secret from stdin"), idempotencyFlag()},
		Action: func(c *cli.Context) error { return rotateWebhook(s, c) },
	}
}

func rotateWebhook(s *session, c *cli.Context) error {
	args, err := arguments(c)
	if err != nil {
		return err
	}
	part := args[2]
	switch {
	case part != "secret" && part != "address":
		return usageOf(c, "PART is secret or address, not %q", part)
	case part == "address" && c.Bool("secret-stdin"):
		return usageOf(c, "--secret-stdin is for a new secret, not for a new address")
	}
	secret, err := s.webhookSecretGiven(c)
	if err != nil {
		return err
	}
	client, err := s.signIn()
	if err != nil {
		return err
	}
	if part == "address" {
		hook, err := client.Webhooks.RotateAddress(c.Context, args[0], args[1], callOptions(c)...)
		if err != nil {
			return err
		}
		return s.writeSecret(hook, hook.URL, "the webhook "+hook.ID, "The webhook "+hook.ID+" has a new address; the old one is refused from now on")
	}
	hook, err := client.Webhooks.RotateSecret(c.Context, args[0], args[1], secret, callOptions(c)...)
	if err != nil {
		return err
	}
	return s.writeWebhookSecret("Rotated", hook, secret != "")
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
			return s.destroy(c, s.signIn, "Delete the webhook "+args[1]+"? What is sent to it is refused from now on.", "Deleted "+args[1],
				func(client *sininho.Client) error { return client.Webhooks.Delete(c.Context, args[0], args[1]) })
		},
	}
}
