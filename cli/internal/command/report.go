package command

import (
	"cmp"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func reportCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "report",
		Usage:     "report a channel or a notification to the operators",
		ArgsUsage: "CHANNEL [NOTIFICATION]",
		Description: "Its publisher learns neither of the report nor of you. Reporting again changes an open\n" +
			"report.\n\n" +
			example("sininho report metro/linhas --kind spam",
				"sininho report metro/linhas 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f --kind fraud"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "kind",
				Usage: "`KIND` of reason, required: spam, fraud, impersonation, abuse, illegal or other"},
			&cli.StringFlag{Name: "text", Usage: "`TEXT` that says what is wrong; required with --kind other"},
		},
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, args []string) error {
			if c.String("kind") == "" {
				return usageOf(c, "--kind is required")
			}
			in := sininho.ReportInput{Category: sininho.ReportCategory(c.String("kind")), Text: c.String("text")}
			report := func() error { return client.Reports.Channel(c.Context, args[0], in) }
			if len(args) > 1 {
				report = func() error { return client.Reports.Notification(c.Context, args[0], args[1], in) }
			}
			if err := report(); err != nil {
				return err
			}
			s.talk("Reported %s", args[len(args)-1])
			return nil
		}),
	}
}

func reportsCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "reports",
		Usage:       "list reports, the oldest first",
		Description: example("sininho admin reports", "sininho admin reports --state all"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "state", Value: "open",
				Usage: "`STATE` of the reports: open, resolved, dismissed or all"},
			&cli.IntFlag{Name: "limit", Usage: "at most `N`; 0 for all", Value: 30},
		},
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
			status := sininho.ReportStatus(c.String("state"))
			if status == "all" {
				status = ""
			}
			return writeList(s, client.Reports.List(c.Context, status), limit, "There is no report.",
				"REPORT\tSINCE\tSTATE\tKIND\tCHANNEL\tNOTIFICATION\tTITLE\tTEXT\tBY", reportRow)
		},
	}
}

func reportRow(r sininho.Report) []string {
	return []string{
		r.ID, moment(r.CreatedAt), string(r.Status), string(r.Category), r.Address().String(),
		cmp.Or(r.NotificationID, "-"), oneLine(cmp.Or(r.Title, "-")), oneLine(cmp.Or(r.Text, "-")),
		oneLine(cmp.Or(r.Reporter.Email, r.Reporter.Name)),
	}
}

// closeReportCommand returns the command resolve or dismiss.
func closeReportCommand(s *session, name, usage string) *cli.Command {
	return &cli.Command{
		Name:        name,
		Usage:       usage,
		ArgsUsage:   "REPORT",
		Description: example("sininho admin " + name + " 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f"),
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, args []string) error {
			end := client.Reports.Dismiss
			if name == "resolve" {
				end = client.Reports.Resolve
			}
			r, err := end(c.Context, args[0])
			if err != nil {
				return err
			}
			s.talk("The report about %s is %s", r.Address(), r.Status)
			if s.json {
				return quiet(s, s.writeJSON(r))
			}
			return nil
		}),
	}
}
