package command

import (
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func keysCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:  "keys",
		Usage: "list, create, rotate and revoke the API keys of a publisher",
		Subcommands: []*cli.Command{
			keysListCommand(s), keysCreateCommand(s), keysRotateCommand(s), keysRevokeCommand(s),
		},
	}
}

func keysListCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "list",
		Usage:       "list the keys, without their secrets",
		ArgsUsage:   "PUBLISHER",
		Description: example("sininho keys list acme"),
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, args []string) error {
			return writeList(s, client.APIKeys.List(c.Context, args[0]), 0,
				"There is no key; see 'sininho keys create --help'.",
				"ID\tNAME\tENDS IN\tSCOPES\tCREATED\tCREATED BY\tLAST USED\tEXPIRES", keyRow)
		}),
	}
}

func keyRow(k sininho.APIKey) []string {
	return []string{
		k.ID, oneLine(k.Name), "…" + k.Hint, scopesText(k.Scopes), moment(k.CreatedAt), creatorText(k.CreatedBy),
		orNever(moment(k.LastUsedAt)), keyEnd(k),
	}
}

// creatorText returns who created a key, and whether they have left the publisher since.
func creatorText(p *sininho.APIKeyCreator) string {
	switch {
	case p == nil:
		return "?"
	case p.ID == "":
		return "a deleted account"
	case !p.Member:
		return oneLine(p.Name) + ", who has left"
	default:
		return oneLine(p.Name)
	}
}

// keyEnd returns when a key expires or expired, and when it was rotated.
func keyEnd(k sininho.APIKey) string {
	text := orNever(moment(k.ExpiresAt))
	if !k.ExpiresAt.IsZero() && k.ExpiresAt.Before(time.Now()) {
		text += ", expired"
	}
	if !k.RotatedAt.IsZero() {
		text += ", rotated " + moment(k.RotatedAt)
	}
	return text
}

// scopesGiven returns the scopes of --scopes.
func scopesGiven(c *cli.Context) (scopes []sininho.Scope) {
	if !c.IsSet("scopes") {
		return nil
	}
	for scope := range strings.SplitSeq(c.String("scopes"), ",") {
		scopes = append(scopes, sininho.Scope(strings.TrimSpace(scope)))
	}
	return scopes
}

func scopesText(scopes []sininho.Scope) string {
	var names []string
	for _, scope := range scopes {
		names = append(names, string(scope))
	}
	return strings.Join(names, ",")
}

func orNever(text string) string {
	if text == "" {
		return "never"
	}
	return text
}

func keysCreateCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "create",
		Usage:     "create a key and write its secret, which is shown only once",
		ArgsUsage: "PUBLISHER",
		UsageText: "sininho keys create PUBLISHER --name NAME --scopes SCOPES [options]",
		Description: "The scopes are publish, channels (create and change them) and read (see data that only the\n" +
			"publisher sees).\n\n" +
			example("sininho keys create acme --name CI --scopes publish,channels > key"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "name", Usage: "`TEXT` to recognize it by"},
			&cli.StringFlag{Name: "scopes", Usage: "its scopes as `LIST`: one or more of publish,channels,read"},
			&cli.StringFlag{Name: "expires-at",
				Usage: "`TIME` at which it expires: 2026-03-01T12:00:00Z, or 720h from now"},
			idempotencyFlag(),
		},
		Action: func(c *cli.Context) error { return createKey(s, c) },
	}
}

func createKey(s *session, c *cli.Context) error {
	args, err := arguments(c)
	if err != nil {
		return err
	}
	if !c.IsSet("name") || !c.IsSet("scopes") {
		return usageOf(c, "--name and --scopes are required")
	}
	in := sininho.APIKeyInput{Name: c.String("name")}
	in.Scopes = scopesGiven(c)
	if in.ExpiresAt, err = futureTime(c, "expires-at"); err != nil {
		return err
	}
	client, err := s.signInAsPerson()
	if err != nil {
		return err
	}
	key, err := client.APIKeys.Create(c.Context, args[0], in, callOptions(c)...)
	if err != nil {
		return err
	}
	return s.writeSecret(key, key.Secret, "the key "+key.ID,
		"Created the key "+key.ID+" of "+args[0]+"; its secret is shown only once")
}

func keysRotateCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "rotate",
		Usage:     "replace a key by a new one and write its secret, which is shown only once",
		ArgsUsage: "PUBLISHER ID",
		Description: "The old key stays valid for 24 hours, or until --old-expires-at. A key can be rotated only\n" +
			"once; the next time rotate its successor.\n\n" +
			example("sininho keys rotate acme 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f --old-expires-at 1h > key"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "old-expires-at",
				Usage: "`TIME` at which the old key expires: 2026-03-01T12:00:00Z, or 1h from now"},
			idempotencyFlag(),
		},
		Action: func(c *cli.Context) error {
			args, err := arguments(c)
			if err != nil {
				return err
			}
			oldExpiresAt, err := timeFlag(c, "old-expires-at")
			if err != nil {
				return err
			}
			client, err := s.signInAsPerson()
			if err != nil {
				return err
			}
			key, err := client.APIKeys.Rotate(c.Context, args[0], args[1], oldExpiresAt, callOptions(c)...)
			if err != nil {
				return err
			}
			message := "Created the key " + key.ID + " to replace " + args[1] + "; its secret is shown only once"
			if !key.ExpiresAt.IsZero() {
				message += ". It has the expiry of the old one: " + moment(key.ExpiresAt)
			}
			return s.writeSecret(key, key.Secret, "the key "+key.ID, message)
		},
	}
}

func keysRevokeCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "revoke",
		Usage:       "revoke a key at once",
		ArgsUsage:   "PUBLISHER ID",
		Description: example("sininho keys revoke acme 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f --yes"),
		Flags:       []cli.Flag{yesFlag()},
		Action: func(c *cli.Context) error {
			args, err := arguments(c)
			if err != nil {
				return err
			}
			return s.destroy(c, s.signInAsPerson, "Revoke the key "+args[1]+"? Programs that use it stop working.",
				"Revoked "+args[1],
				func(client *sininho.Client) error { return client.APIKeys.Revoke(c.Context, args[0], args[1]) })
		},
	}
}
