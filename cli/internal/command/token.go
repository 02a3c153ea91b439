package command

import (
	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func tokensCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "tokens",
		Usage:       "list, create and revoke your access tokens, with which programs act on your behalf",
		Subcommands: []*cli.Command{tokensListCommand(s), tokensCreateCommand(s), tokensRevokeCommand(s)},
	}
}

func tokensListCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "list",
		Usage:       "list your access tokens, without their secrets, newest first",
		Description: "The list includes the tokens that 'sininho login' created.\n\n" + example("sininho tokens list"),
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, _ []string) error {
			return writeList(s, client.AccessTokens.List(c.Context), 0, "You have no access token.",
				"ID\tNAME\tENDS IN\tSCOPES\tCREATED\tLAST USED\tEXPIRES", tokenRow)
		}),
	}
}

func tokenRow(t sininho.AccessToken) []string {
	return []string{
		t.ID, oneLine(t.Name), "…" + t.Hint, scopesText(t.Scopes), moment(t.CreatedAt), orNever(moment(t.LastUsedAt)),
		orNever(moment(t.ExpiresAt)),
	}
}

// tokenScopes are the scopes of access tokens.
var tokenScopes = []string{"read", "publish", "manage"}

func tokenScopesFlag() cli.Flag {
	return &cli.StringFlag{Name: "scopes",
		Usage: "its scopes as `LIST`: one or more of read,publish,manage; manage includes the others (default: all)"}
}

func tokensCreateCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "create",
		Usage:     "create an access token and write its secret, which is shown only once",
		UsageText: "sininho tokens create --name NAME [options]",
		Description: "The scopes are read (see what you see, and change nothing), publish (publish, correct and\n" +
			"withdraw) and manage (everything that you may do, which includes the others). A token expires\n" +
			"after 90 days unless --expires-at is given. Only a token with manage creates others, which have at\n" +
			"most its expiry and end with it.\n\n" +
			example("sininho tokens create --name Backup --scopes read --expires-at 720h > token"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "name", Usage: "`TEXT` to recognize it by"},
			tokenScopesFlag(),
			&cli.StringFlag{Name: "expires-at",
				Usage: "`TIME` at which it expires, at most 366 days ahead: 2027-03-01T12:00:00Z, or 720h from now"},
			idempotencyFlag(),
		},
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			if !c.IsSet("name") {
				return usageOf(c, "--name is required")
			}
			expiresAt, err := futureTime(c, "expires-at")
			if err != nil {
				return err
			}
			client, err := s.signInAsPerson()
			if err != nil {
				return err
			}
			in := sininho.AccessTokenInput{Name: c.String("name"), Scopes: scopesGiven(c), ExpiresAt: expiresAt}
			token, err := client.AccessTokens.Create(c.Context, in, callOptions(c)...)
			if err != nil {
				return err
			}
			name := "the access token " + token.ID
			return s.writeSecret(token, token.Secret, name,
				"Created "+name+untilText(token.ExpiresAt)+"; its secret is shown only once")
		},
	}
}

func tokensRevokeCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "revoke",
		Usage:       "revoke an access token at once, and those that it created",
		ArgsUsage:   "ID",
		Description: example("sininho tokens revoke 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f --yes"),
		Flags:       []cli.Flag{yesFlag()},
		Action: func(c *cli.Context) error {
			args, err := arguments(c)
			if err != nil {
				return err
			}
			return s.destroy(c, s.signInAsPerson,
				"Revoke the access token "+args[0]+"? Programs that use it, or a token that it created, stop working.",
				"Revoked "+args[0],
				func(client *sininho.Client) error { return client.AccessTokens.Revoke(c.Context, args[0]) })
		},
	}
}
