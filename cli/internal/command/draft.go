package command

import (
	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func draftsCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:  "drafts",
		Usage: "save what you have begun to write; only you see it",
		Subcommands: []*cli.Command{
			draftsListCommand(s), draftsShowCommand(s), draftsSaveCommand(s), draftsDeleteCommand(s),
		},
	}
}

func draftsListCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "list",
		Usage:       "list your drafts in a channel, the latest change first",
		ArgsUsage:   "CHANNEL",
		Description: example("sininho drafts list acme/deploys"),
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, args []string) error {
			return writeList(s, client.Drafts.List(c.Context, args[0]), 0, "There is no draft.", "ID\tCHANGED\tTITLE",
				func(d sininho.Draft) []string { return []string{d.ID, moment(d.UpdatedAt), oneLine(d.Content.Title)} })
		}),
	}
}

func draftsShowCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "show",
		Usage:     "write a draft as 'sininho publish --file' takes it",
		ArgsUsage: "CHANNEL ID",
		Description: example("sininho drafts show acme/deploys 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f |\n" +
			"  sininho publish acme/deploys --file -"),
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, args []string) error {
			d, err := client.Drafts.Get(c.Context, args[0], args[1])
			if err != nil {
				return err
			}
			return quiet(s, s.writeJSON(d.Content))
		}),
	}
}

func draftsSaveCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "save",
		Usage:     "save a draft, or with an ID replace one",
		ArgsUsage: "CHANNEL [ID]",
		Description: "The id is written to stdout. Nothing is required, and nothing is published.\n\n" +
			example("sininho drafts save acme/deploys --title 'Version 2.5'"),
		Flags: append(messageOptions(), idempotencyFlag()),
		Action: func(c *cli.Context) error {
			args, err := arguments(c)
			if err != nil {
				return err
			}
			content, err := s.content(c, args[0])
			if err != nil {
				return err
			}
			client, err := s.signInAsPerson()
			if err != nil {
				return err
			}
			if len(args) > 1 {
				return written(s, func(d *sininho.Draft) string { return d.ID })(
					client.Drafts.Update(c.Context, args[0], args[1], content))
			}
			return written(s, func(d *sininho.Draft) string { return d.ID })(
				client.Drafts.Create(c.Context, args[0], content, callOptions(c)...))
		},
	}
}

// content returns what the messageOptions say for a channel, with a body from stdin, and uploads files of pictures.
func (s *session) content(c *cli.Context, channel string) (sininho.PublishInput, error) {
	in, err := message(c)
	if err == nil && in.Body == "-" {
		in.Body, err = s.readStdin(c.Context)
	}
	if err != nil {
		return in, err
	}
	return in, s.uploadFiles(c, channel, nothingElse, &in.Image, &in.Icon)
}

// written writes the id of a result, or with --json all of it.
func written[T any](s *session, id func(*T) string) func(*T, error) error {
	return func(made *T, err error) error {
		switch {
		case err != nil:
			return err
		case s.json:
			return quiet(s, s.writeJSON(made))
		}
		_, err = s.out.Write([]byte(id(made) + "\n"))
		return quiet(s, err)
	}
}

func draftsDeleteCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "delete",
		Usage:       "delete a draft",
		ArgsUsage:   "CHANNEL ID",
		Description: example("sininho drafts delete acme/deploys 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f --yes"),
		Flags:       []cli.Flag{yesFlag()},
		Action: func(c *cli.Context) error {
			args, err := arguments(c)
			if err != nil {
				return err
			}
			return s.destroy(c, s.signInAsPerson, "Delete the draft "+args[1]+"?", "Deleted "+args[1],
				func(client *sininho.Client) error { return client.Drafts.Delete(c.Context, args[0], args[1]) })
		},
	}
}
