package command

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func templatesCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:  "templates",
		Usage: "manage and fill in what is often said in a channel",
		Subcommands: []*cli.Command{
			templatesListCommand(s), templatesCreateCommand(s), templatesUpdateCommand(s), templatesFillCommand(s),
			templatesDeleteCommand(s),
		},
	}
}

func templatesListCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "list",
		Usage:       "list the templates of a channel, with their fields and when they repeat",
		ArgsUsage:   "CHANNEL",
		Description: example("sininho templates list acme/deploys"),
		Action: s.signedIn(func(c *cli.Context, client *sininho.Client, args []string) error {
			return writeList(s, client.Templates.List(c.Context, args[0]), 0, "There is no template.",
				"ID\tNEXT\tNAME\tFIELDS", func(t sininho.Template) []string {
					return []string{t.ID, moment(t.NextAt), oneLine(t.Name), oneLine(strings.Join(t.Fields, ", "))}
				})
		}),
	}
}

func templatesCreateCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "create",
		Usage:     "create a template",
		ArgsUsage: "CHANNEL NAME",
		Description: "The id is written to stdout. A name in two braces is a field, which 'sininho templates fill'\n" +
			"fills in. With --on it is published on these days, or made a draft of yours.\n\n" +
			example("sininho templates create acme/deploys 'Is live' --title 'Version {{ version }} is live'",
				"sininho templates create acme/deploys Weekly --title 'What we did this week' \\\n"+
					"           --on friday --at 17:00 --timezone Europe/Lisbon --draft"),
		Flags: slices.Concat(messageOptions(), planOptions(), []cli.Flag{idempotencyFlag()}),
		Action: func(c *cli.Context) error {
			args, err := arguments(c)
			if err != nil {
				return err
			}
			plan, err := planGiven(c)
			if err != nil {
				return err
			}
			content, err := s.content(c, args[0])
			if err != nil {
				return err
			}
			client, err := s.signIn()
			if err != nil {
				return err
			}
			in := sininho.TemplateInput{Name: args[1], Content: content, Plan: plan}
			return written(s, func(t *sininho.Template) string { return t.ID })(
				client.Templates.Create(c.Context, args[0], in, callOptions(c)...))
		},
	}
}

func templatesUpdateCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "update",
		Usage:     "rename a template, or replace its content or when it repeats",
		ArgsUsage: "CHANNEL ID",
		Description: "Without any of the content the content stays; otherwise all of it is replaced.\n\n" +
			example("sininho templates update acme/deploys 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f --name 'Is out'"),
		Flags: slices.Concat(messageOptions(), planOptions(), []cli.Flag{
			&cli.StringFlag{Name: "name", Usage: "`TEXT` that no other template of the channel has"}}),
		Action: func(c *cli.Context) error {
			args, err := arguments(c)
			if err != nil {
				return err
			}
			if err := somethingGiven(c); err != nil {
				return err
			}
			plan, err := planGiven(c)
			if err != nil {
				return err
			}
			in := sininho.TemplateUpdate{Name: given(c, "name"), Plan: plan}
			if slices.ContainsFunc(messageFlags, c.IsSet) {
				content, err := s.content(c, args[0])
				if err != nil {
					return err
				}
				in.Content = &content
			}
			client, err := s.signIn()
			if err != nil {
				return err
			}
			return written(s, func(t *sininho.Template) string { return t.ID })(
				client.Templates.Update(c.Context, args[0], args[1], in))
		},
	}
}

func templatesFillCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "fill",
		Usage:     "fill in a template and write it as 'sininho publish --file' takes it",
		ArgsUsage: "CHANNEL ID",
		Description: example("sininho templates fill acme/deploys 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f " +
			"--set version=2.5 |\n" +
			"  sininho publish acme/deploys --file -"),
		Flags: []cli.Flag{&cli.GenericFlag{Name: "set", Value: &dataValue{},
			Usage: "`KEY=VALUE` of a field; all of them are required"}},
		Action: s.signedIn(func(c *cli.Context, client *sininho.Client, args []string) error {
			t, err := client.Templates.Get(c.Context, args[0], args[1])
			if err != nil {
				return err
			}
			in, err := t.Fill(c.Generic("set").(*dataValue).pairs)
			if err != nil {
				return err
			}
			return quiet(s, s.writeJSON(in))
		}),
	}
}

func templatesDeleteCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "delete",
		Usage:       "delete a template; what was published from it stays",
		ArgsUsage:   "CHANNEL ID",
		Description: example("sininho templates delete acme/deploys 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f --yes"),
		Flags:       []cli.Flag{yesFlag()},
		Action: func(c *cli.Context) error {
			args, err := arguments(c)
			if err != nil {
				return err
			}
			return s.destroy(c, s.signIn, "Delete the template "+args[1]+"?", "Deleted "+args[1],
				func(client *sininho.Client) error { return client.Templates.Delete(c.Context, args[0], args[1]) })
		},
	}
}
