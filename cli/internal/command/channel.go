package command

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func channelsCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:  "channels",
		Usage: "list, show and create channels",
		Subcommands: []*cli.Command{
			channelsListCommand(s), channelsShowCommand(s), channelsCreateCommand(s),
		},
	}
}

func channelsListCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:  "list",
		Usage: "list public channels",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "search", Usage: "`WORDS` in name, description or slug"},
			&cli.StringFlag{Name: "category", Usage: "`SLUG` of a category"},
			&cli.StringFlag{Name: "publisher", Usage: "`SLUG` of a publisher"},
			&cli.StringFlag{Name: "sort", Usage: "`ORDER`: popular, newest or active", Value: "popular"},
			&cli.IntFlag{Name: "limit", Usage: "at most `N`; 0 for all", Value: 30},
		},
		Action: func(c *cli.Context) error { return listChannels(s, c) },
	}
}

func listChannels(s *session, c *cli.Context) error {
	if err := noArguments(c); err != nil {
		return err
	}
	limit, size, err := limits(c)
	if err != nil {
		return err
	}
	client, err := s.connect()
	if err != nil {
		return err
	}
	var rows [][]string
	for channel, err := range client.Channels.List(c.Context, sininho.ChannelListOptions{
		Query: c.String("search"), Category: c.String("category"), Publisher: c.String("publisher"),
		Sort: sininho.ChannelSort(c.String("sort")), PageSize: size,
	}) {
		if err != nil {
			return err
		}
		if s.json {
			if err := s.writeJSON(channel); err != nil {
				return quiet(s, err)
			}
		}
		rows = append(rows, channelRow(channel))
		if len(rows) == limit {
			break
		}
	}
	if s.json {
		return nil
	}
	if len(rows) == 0 {
		s.talk("No channel found.")
		return nil
	}
	return quiet(s, s.writeTable("CHANNEL\tNAME\tCATEGORY\tFOLLOWERS\tNOTIFICATIONS", rows))
}

func channelRow(c sininho.Channel) []string {
	return []string{
		c.Address().String(), oneLine(c.Name), oneLine(c.Category.Name),
		strconv.FormatInt(c.SubscriberCount, 10), strconv.FormatInt(c.NotificationCount, 10),
	}
}

func channelsShowCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "show",
		Usage:     "show a channel",
		ArgsUsage: "CHANNEL",
		Action: func(c *cli.Context) error {
			address, err := channelArgument(c)
			if err != nil {
				return err
			}
			client, err := s.connect()
			if err != nil {
				return err
			}
			channel, err := client.Channels.Get(c.Context, address)
			if err != nil {
				return err
			}
			return s.writeChannel(channel)
		},
	}
}

func (s *session) writeChannel(c *sininho.Channel) error {
	if s.json {
		return quiet(s, s.writeJSON(c))
	}
	return quiet(s, s.writeFields([][2]string{
		{"channel", c.Address().String()}, {"name", c.Name}, {"description", c.Description},
		{"publisher", c.Publisher.Name}, {"category", c.Category.Name + " (" + c.Category.Slug + ")"},
		{"visibility", string(c.Visibility)}, {"icon", c.Icon},
		{"followers", strconv.FormatInt(c.SubscriberCount, 10)},
		{"notifications", strconv.FormatInt(c.NotificationCount, 10)},
		{"last published", moment(c.LastPublishedAt)}, {"created", moment(c.CreatedAt)},
	}))
}

func channelsCreateCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "create",
		Usage:     "create a channel of your publisher",
		ArgsUsage: "CHANNEL",
		UsageText: "sininho channels create CHANNEL --name NAME --category SLUG [options]",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "name", Usage: "`TEXT` of at most 100 characters"},
			&cli.StringFlag{Name: "category", Usage: "`SLUG` of its category"},
			&cli.StringFlag{Name: "description", Usage: "`TEXT` of at most 1,000 characters"},
			&cli.StringFlag{Name: "icon", Usage: "https `ADDRESS` of a square image"},
			&cli.BoolFlag{Name: "unlisted", Usage: "keep it out of lists; whoever knows its address can see it"},
			&cli.StringFlag{Name: "idempotency-key", Usage: "`KEY` under which repeating this creates nothing again for 24 hours"},
		},
		Action: func(c *cli.Context) error { return createChannel(s, c) },
	}
}

func createChannel(s *session, c *cli.Context) error {
	address, err := channelArgument(c)
	if err != nil {
		return err
	}
	if !c.IsSet("name") || !c.IsSet("category") {
		return usageOf(c, "--name and --category are needed")
	}
	client, err := s.signIn()
	if err != nil {
		return err
	}
	category, err := findCategory(c.Context, client, c.String("category"))
	if err != nil {
		return err
	}
	in := sininho.ChannelInput{
		Name: c.String("name"), Description: c.String("description"), Icon: c.String("icon"), CategoryID: category,
	}
	if c.Bool("unlisted") {
		in.Visibility = sininho.Unlisted
	}
	var opts []sininho.CallOption
	if c.IsSet("idempotency-key") {
		opts = append(opts, sininho.WithIdempotencyKey(c.String("idempotency-key")))
	}
	channel, err := client.Channels.Create(c.Context, address, in, opts...)
	if err != nil {
		return err
	}
	s.talk("Created %s", channel.Address())
	return s.writeChannel(channel)
}

// findCategory gives the id of a category, or names those there are.
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

// channelArgument is the one argument of a command on a channel.
func channelArgument(c *cli.Context) (string, error) {
	switch c.NArg() {
	case 0:
		return "", usageOf(c, "which channel? Name it as publisher/channel")
	case 1:
		_, err := sininho.ParseAddress(c.Args().First())
		return c.Args().First(), err
	default:
		return "", usageOf(c, "unexpected %q after the channel", c.Args().Get(1))
	}
}

func noArguments(c *cli.Context) error {
	if c.NArg() > 0 {
		return usageOf(c, "unexpected %q", c.Args().First())
	}
	return nil
}

// limits reads --limit and the size of the pages to fetch for it; 0 is no limit.
func limits(c *cli.Context) (limit, size int, err error) {
	limit = c.Int("limit")
	if limit < 0 {
		return 0, 0, usageOf(c, "--limit takes 0 (all) or more, not %d", limit)
	}
	if limit == 0 {
		return 0, 100, nil
	}
	return limit, min(limit, 100), nil
}

// quiet drops the error of a stdout whose reader has gone.
func quiet(s *session, err error) error {
	if s.out.broken() {
		return nil
	}
	if err != nil {
		return fmt.Errorf("writing: %w", err)
	}
	return nil
}
