package command

import (
	"cmp"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func requestPublisherCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "request",
		Usage:     "ask the operators for a publisher, or show what you asked for",
		ArgsUsage: "[PUBLISHER]",
		UsageText: "sininho publishers request [PUBLISHER --name NAME] [options]",
		Description: "Where operators approve each publisher. Another request replaces the one before.\n\n" +
			example("sininho publishers request acme --name Acme --reason 'What we ship'",
				"sininho publishers request"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "name", Usage: "`TEXT` of at most 100 characters; required to ask"},
			&cli.StringFlag{Name: "reason", Usage: "`TEXT` that says what the publisher is for"},
		},
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, args []string) error {
			if len(args) == 0 {
				r, err := client.PublisherRequests.Mine(c.Context)
				if err != nil {
					return err
				}
				return s.writePublisherRequest(r)
			}
			if !c.IsSet("name") {
				return usageOf(c, "--name is required")
			}
			r, err := client.PublisherRequests.Ask(c.Context, args[0],
				sininho.PublisherRequestInput{Name: c.String("name"), Reason: c.String("reason")})
			if err != nil {
				return err
			}
			s.talk("Asked for %s", r.Slug)
			return s.writePublisherRequest(r)
		}),
	}
}

func withdrawRequestCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "withdraw-request",
		Usage:       "withdraw what you asked for with 'publishers request'",
		Description: example("sininho publishers withdraw-request"),
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, _ []string) error {
			if err := client.PublisherRequests.Withdraw(c.Context); err != nil {
				return err
			}
			s.talk("Withdrew the request")
			return nil
		}),
	}
}

func (s *session) writePublisherRequest(r *sininho.PublisherRequest) error {
	if s.json {
		return quiet(s, s.writeJSON(r))
	}
	return quiet(s, s.writeFields([][2]string{
		{"request", r.ID}, {"publisher", r.Slug}, {"name", r.Name}, {"reason", r.Reason}, {"state", string(r.Status)},
		{"answer", r.Answer}, {"since", moment(r.CreatedAt)},
	}))
}

func publisherRequestsCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "requests",
		Usage:       "list the requests for publishers, the oldest first",
		Description: example("sininho admin requests"),
		Flags:       []cli.Flag{&cli.IntFlag{Name: "limit", Usage: "at most `N`; 0 for all", Value: 30}},
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
			return writeList(s, client.PublisherRequests.List(c.Context), limit, "Nobody waits for a publisher.",
				"REQUEST\tSINCE\tPUBLISHER\tNAME\tREASON\tBY", func(r sininho.PublisherRequest) []string {
					return []string{
						r.ID, moment(r.CreatedAt), r.Slug, oneLine(r.Name), oneLine(cmp.Or(r.Reason, "-")),
						oneLine(cmp.Or(r.Asker.Email, r.Asker.Name)),
					}
				})
		},
	}
}

func approveRequestCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "approve",
		Usage:       "create the publisher that a person asked for",
		ArgsUsage:   "REQUEST",
		Description: example("sininho admin approve 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f"),
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, args []string) error {
			r, err := client.PublisherRequests.Approve(c.Context, args[0])
			return s.answered(r, err)
		}),
	}
}

func refuseRequestCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "refuse",
		Usage:       "refuse the publisher that a person asked for",
		ArgsUsage:   "REQUEST",
		Description: example("sininho admin refuse 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f --answer 'Write to us first'"),
		Flags:       []cli.Flag{&cli.StringFlag{Name: "answer", Usage: "`TEXT` for the person, who sees why"}},
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, args []string) error {
			r, err := client.PublisherRequests.Refuse(c.Context, args[0], c.String("answer"))
			return s.answered(r, err)
		}),
	}
}

// answered says what became of a request.
func (s *session) answered(r *sininho.PublisherRequest, err error) error {
	if err != nil {
		return err
	}
	s.talk("The request for %s is %s", r.Slug, r.Status)
	if s.json {
		return quiet(s, s.writeJSON(r))
	}
	return nil
}
