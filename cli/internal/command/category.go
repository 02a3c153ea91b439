package command

import (
	"context"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func channelCategoriesCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "categories",
		Usage:       "list the categories of channels",
		Description: example("sininho channels categories"),
		Action: s.connected(func(c *cli.Context, client *sininho.Client, _ []string) error {
			return writeList(s, client.Categories.List(c.Context), 0, "There is no category.",
				"CATEGORY\tNAME\tCHANNELS",
				func(category sininho.Category) []string {
					return []string{category.Slug, oneLine(category.Name), strconv.FormatInt(category.ChannelCount, 10)}
				})
		}),
	}
}

// adminCategoriesCommand is for operators; 'sininho channels categories' lists what it changes.
func adminCategoriesCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "categories",
		Usage:       "create, change and delete the categories of channels",
		Description: "'sininho channels categories' lists them.",
		Subcommands: []*cli.Command{
			categoryCreateCommand(s), categoryUpdateCommand(s), categoryDeleteCommand(s),
		},
	}
}

func categoryFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "name", Usage: "`NAME` that readers see"},
		&cli.IntFlag{Name: "position", Usage: "`N`; categories with a smaller one come first"},
	}
}

func categoryCreateCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "create",
		Usage:       "create a category",
		ArgsUsage:   "CATEGORY",
		Description: example("sininho admin categories create cultura --name Cultura --position 30"),
		Flags:       append(categoryFlags(), idempotencyFlag()),
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, args []string) error {
			if c.String("name") == "" {
				return usageOf(c, "--name is required")
			}
			in := sininho.CategoryInput{Name: c.String("name"), Position: c.Int("position")}
			category, err := client.Categories.Create(c.Context, args[0], in, callOptions(c)...)
			if err != nil {
				return err
			}
			return s.changedCategory("Created", category)
		}),
	}
}

func categoryUpdateCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "update",
		Usage:       "change a category; what is not given stays",
		ArgsUsage:   "CATEGORY",
		Description: example("sininho admin categories update cultura --name 'Arte e cultura'"),
		Flags:       append(categoryFlags(), &cli.StringFlag{Name: "slug", Usage: "`NEW` slug"}),
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, args []string) error {
			in := sininho.CategoryUpdate{Name: given(c, "name"), Slug: given(c, "slug")}
			if c.IsSet("position") {
				in.Position = new(c.Int("position"))
			}
			id, err := findCategory(c.Context, client, args[0])
			if err != nil {
				return err
			}
			category, err := client.Categories.Update(c.Context, id, in)
			if err != nil {
				return err
			}
			return s.changedCategory("Changed", category)
		}),
	}
}

func categoryDeleteCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "delete",
		Usage:       "delete a category without channels",
		ArgsUsage:   "CATEGORY",
		Description: example("sininho admin categories delete cultura"),
		Flags:       []cli.Flag{yesFlag()},
		Action: func(c *cli.Context) error {
			args, err := arguments(c)
			if err != nil {
				return err
			}
			return s.destroy(c, s.signInAsPerson, "Delete the category "+args[0]+"?", "Deleted "+args[0],
				func(client *sininho.Client) error {
					id, err := findCategory(c.Context, client, args[0])
					if err != nil {
						return err
					}
					return client.Categories.Delete(c.Context, id)
				})
		},
	}
}

func (s *session) changedCategory(what string, category *sininho.Category) error {
	s.talk("%s %s", what, category.Slug)
	if s.json {
		return quiet(s, s.writeJSON(category))
	}
	return nil
}

// findCategory returns the id of a category; if there is none, its error lists the existing slugs.
func findCategory(ctx context.Context, client *sininho.Client, slug string) (string, error) {
	var slugs []string
	for category, err := range client.Categories.List(ctx) {
		if err != nil {
			return "", err
		}
		if category.Slug == slug {
			return category.ID, nil
		}
		slugs = append(slugs, category.Slug)
	}
	return "", usagef("there is no category %q; there are: %s", slug, strings.Join(slugs, ", "))
}
