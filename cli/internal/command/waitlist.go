package command

import (
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func waitlistCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "waitlist",
		Usage:       "join the waiting list; for operators: list, export and invite its entries",
		Description: "If the waiting list has a server of its own, set SININHO_WAITLIST_URL to its address.",
		Subcommands: []*cli.Command{
			waitlistListCommand(s), waitlistExportCommand(s), waitlistInviteCommand(s), waitlistJoinCommand(s),
		},
	}
}

func waitlistListCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:  "list",
		Usage: "list the entries in the order in which they will be invited",
		Description: "Waiting entries come first, then the others, newest first.\n\n" +
			example("sininho waitlist list", "sininho waitlist list --who invited --search ana"),
		Flags: append(waitlistFlags(),
			&cli.IntFlag{Name: "limit", Usage: "at most `N`; 0 for all", Value: 30}),
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			limit, _, err := limits(c)
			if err != nil {
				return err
			}
			client, err := s.signInAsPerson()
			if err != nil {
				return err
			}
			return writeList(s, client.Waitlist.List(c.Context, waitlistOptions(c)), limit, "No entry found.",
				"POSITION\tEMAIL\tNAME\tSTATUS\tREFERRALS\tSINCE", waitlistRow)
		},
	}
}

func waitlistFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "search", Usage: "`WORDS` in address or name"},
		&cli.StringFlag{Name: "who", Usage: "only entries with this `STATUS`: unconfirmed, waiting, invited or joined"},
	}
}

func waitlistOptions(c *cli.Context) sininho.WaitlistListOptions {
	return sininho.WaitlistListOptions{Search: c.String("search"), Status: sininho.WaitlistStatus(c.String("who"))}
}

func waitlistRow(e sininho.WaitlistEntry) []string {
	position := "-"
	if e.Position > 0 {
		position = strconv.FormatInt(e.Position, 10)
	}
	return []string{
		position, e.Email, oneLine(e.Name), string(e.Status), strconv.FormatInt(e.Referrals, 10), moment(e.CreatedAt),
	}
}

func waitlistExportCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "export",
		Usage:       "write the entries as CSV, with a header line",
		Description: example("sininho waitlist export > waitlist.csv", "sininho waitlist export --who waiting"),
		Flags:       waitlistFlags(),
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			if s.json {
				return usageOf(c, "the export is CSV; for JSON use: sininho waitlist list --limit 0 --json")
			}
			client, err := s.signInAsPerson()
			if err != nil {
				return err
			}
			return quiet(s, client.Waitlist.Export(c.Context, s.out, waitlistOptions(c)))
		},
	}
}

func waitlistInviteCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "invite",
		Usage:     "invite the next waiting people, or the given addresses",
		UsageText: "sininho waitlist invite --next N\n   sininho waitlist invite EMAIL...",
		Description: "Each person gets an email with a link to sign in. An address need not be on the list; an\n" +
			"address that was already invited gets the email again.\n\n" +
			example("sininho waitlist invite --next 50", "sininho waitlist invite ana@example.com bruno@example.com"),
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "next", Usage: "number `N` of people to invite, 1 to 1000"},
			idempotencyFlag(),
		},
		Action: func(c *cli.Context) error {
			if c.IsSet("next") == (c.NArg() > 0) {
				return usageOf(c, "give either --next or addresses")
			}
			client, err := s.signInAsPerson()
			if err != nil {
				return err
			}
			invited, err := invite(c, client)
			if err != nil {
				return err
			}
			return s.writeInvited(invited)
		},
	}
}

func invite(c *cli.Context, client *sininho.Client) ([]sininho.WaitlistEntry, error) {
	if c.IsSet("next") {
		return client.Waitlist.InviteNext(c.Context, c.Int("next"), callOptions(c)...)
	}
	return client.Waitlist.Invite(c.Context, c.Args().Slice(), callOptions(c)...)
}

// writeInvited writes the invited email addresses, one per line. People who had signed in before get no invitation.
func (s *session) writeInvited(entries []sininho.WaitlistEntry) error {
	var invited []string
	for _, e := range entries {
		if s.json {
			if err := s.writeJSON(e); err != nil {
				return quiet(s, err)
			}
		}
		if e.Status == sininho.WaitlistInvited {
			invited = append(invited, e.Email)
		} else {
			s.talk("%s has already signed in", e.Email)
		}
	}
	s.talk("Invited %d", len(invited))
	if s.json || len(invited) == 0 {
		return nil
	}
	_, err := s.out.Write([]byte(visible(strings.Join(invited, "\n")) + "\n"))
	return quiet(s, err)
}

func waitlistJoinCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "join",
		Usage:       "put an address on the waiting list; an email explains the next step",
		ArgsUsage:   "EMAIL",
		Description: example("sininho waitlist join ana@example.com --name Ana"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "name", Usage: "`NAME` to use in emails"},
			&cli.StringFlag{Name: "referral", Usage: "`CODE` of a referral link"},
			&cli.StringFlag{Name: "locale", Usage: "`LANGUAGE` of the emails: pt-PT (or pt), pt-BR or en", Value: "pt"},
		},
		Action: s.connected(func(c *cli.Context, client *sininho.Client, args []string) error {
			in := sininho.WaitlistInput{
				Email: args[0], Name: c.String("name"), ReferralCode: c.String("referral"), Locale: c.String("locale"),
			}
			if err := client.Waitlist.Join(c.Context, in); err != nil {
				return err
			}
			s.talk("Sent an email to %s; follow its link to confirm the address.", args[0])
			return nil
		}),
	}
}
