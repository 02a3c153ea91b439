package command

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func channelsCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:  "channels",
		Usage: "list, show, create, change and delete channels, and their followers, members and categories",
		Subcommands: []*cli.Command{
			channelsListCommand(s), channelsShowCommand(s), channelsFollowersCommand(s), channelsCreateCommand(s),
			channelsUpdateCommand(s), channelsDeleteCommand(s), channelCategoriesCommand(s), channelInviteCommand(s),
			channelInvitationsCommand(s), revokeChannelInvitationCommand(s), channelMembersCommand(s),
			approveChannelMemberCommand(s), removeChannelMemberCommand(s), joinCommand(s),
		},
	}
}

func channelsListCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "list",
		Usage:       "list public channels",
		Description: example("sininho channels list --search metro --sort active"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "search",
				Usage: "`WORDS` in name, description, slug, the names of publisher and category, or what it published"},
			&cli.StringFlag{Name: "category", Usage: "`SLUG` of a category"},
			&cli.StringFlag{Name: "publisher", Usage: "`SLUG` of a publisher"},
			&cli.StringFlag{Name: "sort", Usage: "`ORDER`: popular, trending, newest or active", Value: "popular"},
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
	channels := client.Channels.List(c.Context, sininho.ChannelListOptions{
		Query: c.String("search"), Category: c.String("category"), Publisher: c.String("publisher"),
		Sort: sininho.ChannelSort(c.String("sort")), PageSize: size,
	})
	return writeList(s, channels, limit, "No channel found.",
		"CHANNEL\tNAME\tCATEGORY\tFOLLOWERS\tNOTIFICATIONS", channelRow)
}

func channelRow(c sininho.Channel) []string {
	return []string{
		c.Address().String(), oneLine(c.Name), oneLine(c.Category.Name),
		strconv.FormatInt(c.SubscriberCount, 10), strconv.FormatInt(c.NotificationCount, 10),
	}
}

func channelsShowCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "show",
		Usage:       "show a channel",
		Description: example("sininho channels show metro/linhas"),
		ArgsUsage:   "CHANNEL",
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
		{"publisher", c.Publisher.Name}, {"website", c.Publisher.Website},
		{"category", c.Category.Name + " (" + c.Category.Slug + ")"},
		{"visibility", string(c.Visibility)}, {"suspended", suspensionText(c.Suspension)}, {"icon", c.Icon},
		{"kept", kept(c)},
		{"followers", strconv.FormatInt(c.SubscriberCount, 10)},
		{"notifications", strconv.FormatInt(c.NotificationCount, 10)},
		{"last published", moment(c.LastPublishedAt)}, {"created", moment(c.CreatedAt)},
	}))
}

// kept describes how much a channel keeps, or returns "" if it keeps as much as the server does.
func kept(c *sininho.Channel) string {
	var parts []string
	if c.KeepDays != 0 {
		parts = append(parts, fmt.Sprintf("%d days", c.KeepDays))
	}
	if c.KeepCount != 0 {
		parts = append(parts, fmt.Sprintf("%d notifications", c.KeepCount))
	}
	return strings.Join(parts, ", ")
}

func keepFlags(usage string) []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "keep-days", Usage: "delete notifications after this `NUMBER` of days" + usage},
		&cli.IntFlag{Name: "keep-count", Usage: "keep this `NUMBER` of notifications, the latest" + usage},
	}
}

func channelsFollowersCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "followers",
		Usage:       "show the number of followers of a channel at the end of each day, in UTC",
		ArgsUsage:   "CHANNEL",
		Description: example("sininho channels followers metro/linhas --days 7"),
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "days", Usage: "at most this `NUMBER` of days, 1 to 90, today included", Value: 30},
		},
		Action: s.connected(func(c *cli.Context, client *sininho.Client, args []string) error {
			days := c.Int("days")
			if days < 1 || days > 90 {
				return usageOf(c, "--days takes a number from 1 to 90")
			}
			data, err := client.Channels.Followers(c.Context, args[0], days)
			if err != nil {
				return err
			}
			return s.writeFollowers(data)
		}),
	}
}

func (s *session) writeFollowers(data []sininho.FollowerDay) error {
	if s.json {
		return quiet(s, s.writeJSON(data))
	}
	var rows [][]string
	for _, d := range data {
		rows = append(rows, []string{d.Day, strconv.FormatInt(d.Followers, 10)})
	}
	return quiet(s, s.writeTable("DAY\tFOLLOWERS", rows))
}

func channelsCreateCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "create",
		Usage:       "create a channel of your publisher",
		ArgsUsage:   "CHANNEL",
		UsageText:   "sininho channels create CHANNEL --name NAME --category SLUG [options]",
		Description: example("sininho channels create acme/deploys --name Deploys --category tecnologia"),
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "name", Usage: "`TEXT` of at most 100 characters"},
			&cli.StringFlag{Name: "category", Usage: "`SLUG` of its category"},
			&cli.StringFlag{Name: "description", Usage: "`TEXT` of at most 1,000 characters"},
			pictureFlag("icon", "a square image"),
			&cli.BoolFlag{Name: "unlisted", Usage: "hide it from lists; anyone with its address can see it"},
			&cli.BoolFlag{Name: "private", Usage: "show it to those alone who join by 'sininho channels invite'"},
			idempotencyFlag(),
		}, keepFlags("")...),
		Action: func(c *cli.Context) error { return createChannel(s, c) },
	}
}

func createChannel(s *session, c *cli.Context) error {
	address, err := channelArgument(c)
	if err != nil {
		return err
	}
	if !c.IsSet("name") || !c.IsSet("category") {
		return usageOf(c, "--name and --category are required")
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
		KeepDays: c.Int("keep-days"), KeepCount: c.Int("keep-count"),
	}
	visibility, err := visibilityFlag(c)
	if err != nil {
		return err
	}
	if visibility != nil {
		in.Visibility = *visibility
	}
	if err := s.uploadFiles(c, address, nothingElse, &in.Icon); err != nil {
		return err
	}
	channel, err := client.Channels.Create(c.Context, address, in, callOptions(c)...)
	if err != nil {
		return err
	}
	s.talk("Created %s", channel.Address())
	return s.writeChannel(channel)
}

// visibilityFlag returns the visibility that is given, or nil.
func visibilityFlag(c *cli.Context) (given *sininho.Visibility, err error) {
	for _, v := range []sininho.Visibility{sininho.Public, sininho.Unlisted, sininho.Private} {
		if !c.Bool(string(v)) {
			continue
		}
		if given != nil {
			return nil, usageOf(c, "--%s or --%s, not both", *given, v)
		}
		given = &v
	}
	return given, nil
}

func channelsUpdateCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "update",
		Usage:       "change the given fields of a channel",
		ArgsUsage:   "CHANNEL",
		Description: example("sininho channels update acme/deploys --name Releases --unlisted"),
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "name", Usage: "`TEXT` of at most 100 characters"},
			&cli.StringFlag{Name: "category", Usage: "`SLUG` of its category"},
			&cli.StringFlag{Name: "description", Usage: "`TEXT` of at most 1,000 characters"},
			pictureFlag("icon", "a square image (empty for none)"),
			&cli.BoolFlag{Name: "unlisted", Usage: "hide it from lists"},
			&cli.BoolFlag{Name: "private", Usage: "show it to those alone who follow it; others join by an invitation"},
			&cli.BoolFlag{Name: "public", Usage: "show it in lists"},
		}, keepFlags("; 0 removes the limit")...),
		Action: func(c *cli.Context) error { return updateChannel(s, c) },
	}
}

func updateChannel(s *session, c *cli.Context) error {
	address, err := channelArgument(c)
	if err != nil {
		return err
	}
	in := sininho.ChannelUpdate{Name: given(c, "name"), Description: given(c, "description"), Icon: given(c, "icon"),
		KeepDays: givenNumber(c, "keep-days"), KeepCount: givenNumber(c, "keep-count")}
	if in.Visibility, err = visibilityFlag(c); err != nil {
		return err
	}
	if err := somethingGiven(c); err != nil {
		return err
	}
	client, err := s.signIn()
	if err != nil {
		return err
	}
	if c.IsSet("category") {
		category, err := findCategory(c.Context, client, c.String("category"))
		if err != nil {
			return err
		}
		in.CategoryID = &category
	}
	if err := s.uploadFiles(c, address, nothingElse, in.Icon); err != nil {
		return err
	}
	channel, err := client.Channels.Update(c.Context, address, in)
	if err != nil {
		return err
	}
	s.talk("Changed %s", channel.Address())
	return s.writeChannel(channel)
}

func channelsDeleteCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "delete",
		Usage:       "delete a channel permanently, with its notifications, webhooks and subscriptions",
		ArgsUsage:   "CHANNEL",
		Description: example("sininho channels delete acme/deploys --yes"),
		Flags:       []cli.Flag{yesFlag()},
		Action: func(c *cli.Context) error {
			address, err := channelArgument(c)
			if err != nil {
				return err
			}
			return s.destroy(c, s.signIn, "Delete "+address+" with all its notifications, permanently?",
				"Deleted "+address,
				func(client *sininho.Client) error { return client.Channels.Delete(c.Context, address) })
		},
	}
}
