package command

import (
	"context"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func categoriesCommand(s *session) *cli.Command {
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
