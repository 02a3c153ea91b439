package command

import (
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func publishersCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:  "publishers",
		Usage: "list, show, create, change and delete publishers, and manage their members and invitations",
		Subcommands: []*cli.Command{
			publishersListCommand(s), publishersShowCommand(s), publishersCreateCommand(s),
			publishersUpdateCommand(s), publishersDeleteCommand(s), publishersUploadCommand(s),
			publisherStorageCommand(s), membersCommand(s), setRoleCommand(s), removeMemberCommand(s), leaveCommand(s),
			inviteCommand(s), publisherInvitationsCommand(s), withdrawInvitationCommand(s), auditLogCommand(s),
			requestPublisherCommand(s), withdrawRequestCommand(s),
		},
	}
}

func publishersListCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "list",
		Usage:       "list publishers",
		Description: example("sininho publishers list --mine"),
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "mine", Usage: "only those that you are a member of, with your role"},
			&cli.StringFlag{Name: "search", Usage: "`WORDS` in name, slug or description"},
			&cli.IntFlag{Name: "limit", Usage: "at most `N`; 0 for all", Value: 30},
		},
		Action: func(c *cli.Context) error { return listPublishers(s, c) },
	}
}

func listPublishers(s *session, c *cli.Context) error {
	if err := noArguments(c); err != nil {
		return err
	}
	limit, _, err := limits(c)
	if err != nil {
		return err
	}
	connect := s.connect
	if c.Bool("mine") {
		connect = s.signInAsPerson
	}
	client, err := connect()
	if err != nil {
		return err
	}
	list := client.Publishers.List(c.Context, sininho.PublisherListOptions{Query: c.String("search")})
	if c.Bool("mine") {
		list = client.Publishers.Mine(c.Context)
	}
	return writeList(s, list, limit, "No publisher found.", "PUBLISHER\tNAME\tCHANNELS\tYOUR ROLE",
		func(p sininho.Publisher) []string {
			return []string{p.Slug, oneLine(p.Name), strconv.FormatInt(p.ChannelCount, 10), string(p.Role)}
		})
}

func publishersShowCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "show",
		Usage:       "show a publisher",
		ArgsUsage:   "PUBLISHER",
		Description: example("sininho publishers show metro"),
		Action: s.connected(func(c *cli.Context, client *sininho.Client, args []string) error {
			publisher, err := client.Publishers.Get(c.Context, args[0])
			if err != nil {
				return err
			}
			return s.writePublisher(publisher)
		}),
	}
}

func (s *session) writePublisher(p *sininho.Publisher) error {
	if s.json {
		return quiet(s, s.writeJSON(p))
	}
	return quiet(s, s.writeFields([][2]string{
		{"publisher", p.Slug}, {"name", p.Name}, {"description", p.Description}, {"website", p.Website},
		{"avatar", p.Avatar},
		{"channels", strconv.FormatInt(p.ChannelCount, 10)},
		{"followers", strconv.FormatInt(p.SubscriberCount, 10)}, {"your role", string(p.Role)},
		{"created", moment(p.CreatedAt)}, {"suspended", suspensionText(p.Suspension)},
	}))
}

func publisherFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "name", Usage: "`TEXT` of at most 100 characters"},
		&cli.StringFlag{Name: "description", Usage: "`TEXT` of at most 1,000 characters"},
		&cli.StringFlag{Name: "website", Usage: "https `ADDRESS`"},
		pictureFlag("avatar", "a square image"),
	}
}

func publishersCreateCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "create",
		Usage:       "create a publisher, with you as its owner",
		ArgsUsage:   "PUBLISHER",
		UsageText:   "sininho publishers create PUBLISHER --name NAME [options]",
		Description: example("sininho publishers create acme --name Acme --website https://acme.example"),
		Flags:       append(publisherFlags(), idempotencyFlag()),
		Action: func(c *cli.Context) error {
			args, err := arguments(c)
			if err != nil {
				return err
			}
			if !c.IsSet("name") {
				return usageOf(c, "--name is required")
			}
			client, err := s.signInAsPerson()
			if err != nil {
				return err
			}
			in, update := sininho.PublisherInput{
				Name: c.String("name"), Description: c.String("description"), Website: c.String("website"),
			}, sininho.PublisherUpdate{Avatar: given(c, "avatar")}
			if !isPath(c.String("avatar")) {
				in.Avatar, update.Avatar = c.String("avatar"), nil
			}
			publisher, err := client.Publishers.Create(c.Context, args[0], in, callOptions(c)...)
			if err == nil && update.Avatar != nil { // a file can be uploaded now
				if err = s.uploadFiles(c, args[0], nothingElse, update.Avatar); err == nil {
					publisher, err = client.Publishers.Update(c.Context, args[0], update)
				}
			}
			if err != nil {
				return err
			}
			s.talk("Created %s", publisher.Slug)
			return s.writePublisher(publisher)
		},
	}
}

func publishersUpdateCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "update",
		Usage:       "change the given fields of a publisher; an empty address clears the field",
		ArgsUsage:   "PUBLISHER",
		Description: example("sininho publishers update acme --description 'What we ship'"),
		Flags:       publisherFlags(),
		Action: func(c *cli.Context) error {
			args, err := arguments(c)
			if err != nil {
				return err
			}
			if err := somethingGiven(c); err != nil {
				return err
			}
			client, err := s.signInAsPerson()
			if err != nil {
				return err
			}
			in := sininho.PublisherUpdate{
				Name: given(c, "name"), Description: given(c, "description"), Website: given(c, "website"),
				Avatar: given(c, "avatar"),
			}
			if err := s.uploadFiles(c, args[0], nothingElse, in.Avatar); err != nil {
				return err
			}
			publisher, err := client.Publishers.Update(c.Context, args[0], in)
			if err != nil {
				return err
			}
			s.talk("Changed %s", publisher.Slug)
			return s.writePublisher(publisher)
		},
	}
}

func publishersDeleteCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "delete",
		Usage:       "delete a publisher without channels, and its keys",
		ArgsUsage:   "PUBLISHER",
		Description: example("sininho publishers delete acme --yes"),
		Flags:       []cli.Flag{yesFlag()},
		Action: func(c *cli.Context) error {
			args, err := arguments(c)
			if err != nil {
				return err
			}
			return s.destroy(c, s.signInAsPerson, "Delete the publisher "+args[0]+" permanently?", "Deleted "+args[0],
				func(client *sininho.Client) error { return client.Publishers.Delete(c.Context, args[0]) })
		},
	}
}
