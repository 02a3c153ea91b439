package command

import (
	"cmp"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func sessionsCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "sessions",
		Usage:       "list and end the sessions of the browsers in which you are signed in",
		Subcommands: []*cli.Command{sessionsListCommand(s), sessionsEndCommand(s), sessionsEndAllCommand(s)},
	}
}

func sessionsListCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:  "list",
		Usage: "list your sessions, most recently used first",
		Description: "NETWORK is the address of the last use, or the /64 of an IPv6 address. Programs such as this\n" +
			"one have no session: see 'sininho tokens list'.\n\n" + example("sininho sessions list"),
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, _ []string) error {
			return writeList(s, client.Sessions.List(c.Context), 0, "You are not signed in in any browser.",
				"ID\tBROWSER\tSYSTEM\tNETWORK\tCREATED\tLAST SEEN\tEXPIRES", sessionRow)
		}),
	}
}

func sessionRow(x sininho.Session) []string {
	return []string{
		x.ID, oneLine(cmp.Or(x.Browser, "?")), oneLine(cmp.Or(x.System, "?")), oneLine(cmp.Or(x.Network, "?")),
		moment(x.CreatedAt), moment(x.LastSeenAt), moment(x.ExpiresAt),
	}
}

func sessionsEndCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "end",
		Usage:       "sign out of one browser at once",
		ArgsUsage:   "ID",
		Description: example("sininho sessions end 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f --yes"),
		Flags:       []cli.Flag{yesFlag()},
		Action: func(c *cli.Context) error {
			args, err := arguments(c)
			if err != nil {
				return err
			}
			return s.destroy(c, s.signInAsPerson,
				"End the session "+args[0]+"? Its browser is signed out and receives no further pushes.",
				"Ended "+args[0],
				func(client *sininho.Client) error { return client.Sessions.End(c.Context, args[0]) })
		},
	}
}

func sessionsEndAllCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "end-all",
		Usage:       "sign out of all browsers at once",
		Description: "Access tokens stay valid: see 'sininho tokens'.\n\n" + example("sininho sessions end-all --yes"),
		Flags:       []cli.Flag{yesFlag()},
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			return s.destroy(c, s.signInAsPerson,
				"End all sessions? Your browsers are signed out and receive no further pushes.",
				"Ended all sessions; access tokens stay valid",
				func(client *sininho.Client) error { return client.Sessions.EndAll(c.Context) })
		},
	}
}
