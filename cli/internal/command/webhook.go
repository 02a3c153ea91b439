package command

import (
	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func webhooksCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:  "webhooks",
		Usage: "manage and test the webhooks of a channel, through which other systems publish",
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
			return writeList(s, client.Webhooks.List(c.Context, args[0]), 0, "There is no webhook.",
				"ID\tNAME\tSENDER\tSIGNING\tLAST EVENT\tREPLACED\tURL", webhookRow)
		}),
	}
}

func webhookRow(w sininho.Webhook) []string {
	return []string{
		w.ID, oneLine(w.Name), oneLine(senderOf(w)), string(w.Signing), orNever(moment(w.LastEventAt)),
		replacedText(w), oneLine(w.URL),
	}
}

// replacedText returns what was replaced because a member had left, for which the sender is not configured yet.
func replacedText(w sininho.Webhook) string {
	switch {
	case !w.SecretReplacedAt.IsZero():
		return "address and secret, " + moment(w.SecretReplacedAt)
	case w.LastEventAt.Before(w.AddressReplacedAt):
		return "address, " + moment(w.AddressReplacedAt)
	default:
		return "-"
	}
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// senderOf returns the sender of a webhook and mentions its own template if it has one.
func senderOf(w sininho.Webhook) string {
	if w.Template != nil {
		return string(w.Sender) + " (own template)"
	}
	return string(w.Sender)
}

// These flags are shared by several commands on webhooks.
func senderFlag() cli.Flag {
	return &cli.StringFlag{Name: "sender",
		Usage: "`SENDER` of the payloads: plain, github, gitlab, alertmanager, grafana, stripe, sentry, slack, " +
			"discord, gitea, uptimekuma, sonarr, radarr or jenkins"}
}

func templateFlag() cli.Flag {
	return &cli.StringFlag{Name: "template",
		Usage: "`FILE` with a template of your own, YAML or JSON, instead of the sender's; - for stdin"}
}

func secretFlag(usage string) cli.Flag {
	return &cli.BoolFlag{Name: "secret-stdin", Usage: usage}
}

func webhooksCreateCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "create",
		Usage:     "create a webhook and write its secret, which is shown only once",
		ArgsUsage: "CHANNEL",
		UsageText: "sininho webhooks create CHANNEL --name NAME [options]",
		Description: "The secret is written to stdout and the address to stderr. If there is no secret to show,\n" +
			"for example because the webhook is unsigned, as those for slack, discord and jenkins are, the\n" +
			"address is written to stdout.\n" +
			"If the sender creates the secret (Stripe, Sentry), pass it with --secret-stdin, here or later to\n" +
			"'sininho webhooks rotate'.\n\n" +
			templateHelp + "\n\n" +
			example("sininho webhooks create acme/deploys --name CI > secret",
				"sininho webhooks create acme/deploys --name GitHub --sender github > secret",
				"sininho webhooks create acme/deploys --name Proxmox --sender slack",
				"sininho webhooks create acme/deploys --name Stripe --sender stripe --secret-stdin < secret"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "name", Usage: "`TEXT` to recognize it by"},
			senderFlag(),
			&cli.StringFlag{Name: "signing", Usage: "`METHOD` by which the sender authenticates: " +
				"standard, github, gitlab, stripe, sentry, bearer or none (default: the sender's own)"},
			templateFlag(),
			secretFlag("read the sender's own secret from stdin"),
			&cli.BoolFlag{Name: "unsigned", Usage: "let anyone with the address publish; the same as --signing none"},
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
	in := sininho.WebhookInput{
		Name: c.String("name"), Sender: sininho.WebhookSender(c.String("sender")),
		Signing: sininho.WebhookSigning(c.String("signing")),
	}
	switch {
	case !c.IsSet("name"):
		return usageOf(c, "--name is required")
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

// writeWebhookSecret writes the secret or, if there is none to show, the address.
func (s *session) writeWebhookSecret(done string, hook *sininho.WebhookSecret, given bool) error {
	name := "the webhook " + hook.ID
	message := done + " " + name
	switch {
	case !hook.Signed:
		return s.writeSecret(hook, hook.URL, name, message+", unsigned: anyone with its address can publish")
	case given:
		return s.writeSecret(hook, hook.URL, name, message+" with the given secret; pass its address to the sender")
	}
	return s.writeSecret(hook, hook.Secret, name, message+" at "+hook.URL+"; its secret is shown only once")
}

func webhooksUpdateCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "update",
		Usage:     "change a webhook's name, sender or template",
		ArgsUsage: "CHANNEL ID",
		Description: "Try a template with 'sininho webhooks preview' first.\n\n" + templateHelp + "\n\n" +
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
		return usageOf(c, "--template and --no-template exclude each other")
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
		Usage:     "create a new secret or a new address and write it",
		ArgsUsage: "CHANNEL ID PART",
		UsageText: "sininho webhooks rotate CHANNEL ID secret|address",
		Description: "An old secret stays valid for 24 hours; an old address is refused at once.\n\n" +
			example("sininho webhooks rotate acme/deploys 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f secret > secret",
				"sininho webhooks rotate acme/deploys 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f secret "+
					"--secret-stdin < secret-of-stripe"),
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
		return s.writeSecret(hook, hook.URL, "the webhook "+hook.ID,
			"The webhook "+hook.ID+" has a new address; the old one is refused from now on")
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
		Usage:       "delete a webhook; its address refuses events from now on",
		ArgsUsage:   "CHANNEL ID",
		Description: example("sininho webhooks delete acme/deploys 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f --yes"),
		Flags:       []cli.Flag{yesFlag()},
		Action: func(c *cli.Context) error {
			args, err := arguments(c)
			if err != nil {
				return err
			}
			return s.destroy(c, s.signIn, "Delete the webhook "+args[1]+"? Its address refuses events from now on.",
				"Deleted "+args[1],
				func(client *sininho.Client) error { return client.Webhooks.Delete(c.Context, args[0], args[1]) })
		},
	}
}
