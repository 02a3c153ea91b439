package command

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func notificationsCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:  "notifications",
		Usage: "list, show, correct and withdraw notifications",
		Subcommands: []*cli.Command{
			notificationsListCommand(s), notificationsShowCommand(s), correctCommand(s), withdrawCommand(s),
		},
	}
}

func notificationsListCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "list",
		Usage:     "list the notifications of a channel, with their ids",
		ArgsUsage: "CHANNEL",
		Description: example("sininho notifications list acme/deploys --limit 3",
			"sininho notifications list acme/deploys --scheduled"),
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "limit", Usage: "at most `N`; 0 for all", Value: 30},
			&cli.BoolFlag{Name: "scheduled", Usage: "scheduled notifications, soonest first"},
		},
		Action: func(c *cli.Context) error { return listNotifications(s, c) },
	}
}

func listNotifications(s *session, c *cli.Context) error {
	args, err := arguments(c)
	if err != nil {
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
	if c.Bool("scheduled") {
		return writeList(s, client.Notifications.Scheduled(c.Context, args[0]), limit,
			"Nothing is scheduled in "+args[0]+".",
			"ID\tSCHEDULED\tIMPORTANCE\tTITLE", func(n sininho.Notification) []string {
				return []string{n.ID, moment(n.ScheduledAt), string(n.Importance), oneLine(n.Title)}
			})
	}
	list := client.Notifications.List(c.Context, args[0], sininho.ListOptions{PageSize: size})
	return writeList(s, list, limit, "Nothing was published to "+args[0]+" yet.", "ID\tPUBLISHED\tIMPORTANCE\tTITLE",
		func(n sininho.Notification) []string {
			return []string{n.ID, moment(n.PublishedAt), string(n.Importance), oneLine(n.Title)}
		})
}

func notificationsShowCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "show",
		Usage:       "show a notification; only its publisher can see one that is still scheduled",
		ArgsUsage:   "CHANNEL ID",
		Description: example("sininho notifications show acme/deploys 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f"),
		Action: s.connected(func(c *cli.Context, client *sininho.Client, args []string) error {
			n, err := client.Notifications.Get(c.Context, args[0], args[1])
			if err != nil {
				return err
			}
			return s.writeWhole(n)
		}),
	}
}

// writeWhole writes all fields of a notification.
func (s *session) writeWhole(n *sininho.Notification) error {
	if s.json {
		return quiet(s, s.writeJSON(n))
	}
	err := s.writeFields([][2]string{
		{"id", n.ID}, {"channel", n.Channel.Address().String()}, {"importance", string(n.Importance)},
		{"external id", n.ExternalID},
		{"image", n.Image}, {"icon", n.Icon}, {"link", s.linkOf(n)}, {"data", pairs(n.Data)},
		{"published", moment(n.PublishedAt)}, {"scheduled", moment(n.ScheduledAt)},
		{"expires", moment(n.ExpiresAt)}, {"corrected", moment(n.EditedAt)}, {"read", moment(n.ReadAt)},
	})
	if err == nil {
		shown := *n
		shown.Link = "" // already written above
		if shown.PublishedAt.IsZero() {
			shown.PublishedAt = shown.ScheduledAt
		}
		err = s.writeNotification(&shown, "")
	}
	return quiet(s, err)
}

// pairs formats data as --data takes it.
func pairs(data map[string]string) string {
	var all []string
	for _, key := range slices.Sorted(maps.Keys(data)) {
		all = append(all, key+"="+data[key])
	}
	return strings.Join(all, ", ")
}

func correctCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "correct",
		Usage:     "change the given fields of a notification for all readers",
		ArgsUsage: "CHANNEL ID",
		Description: "An empty address clears the field; '--expires-at never' clears the expiry.\n\n" +
			example("sininho notifications correct acme/deploys 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f "+
				"--title 'Version 2.4 is live in Europe'"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "title", Usage: "`TEXT` of at most 200 characters"},
			&cli.StringFlag{Name: "body", Usage: "`TEXT` of at most 20,000 characters; - reads it from stdin"},
			&cli.StringFlag{Name: "link", Usage: "https `ADDRESS` that it leads to"},
			pictureFlag("image", "an image"),
			pictureFlag("icon", "an icon, in place of the channel's"),
			&cli.StringFlag{Name: "importance", Usage: "`LEVEL`: normal or important"},
			&cli.GenericFlag{Name: "data", Value: &dataValue{},
				Usage: "`KEY=VALUE` for programs, replacing all data; may be repeated"},
			&cli.StringFlag{Name: "schedule-at",
				Usage: "`TIME` of publication, at most a year ahead; only before it is published"},
			&cli.StringFlag{Name: "expires-at",
				Usage: "`TIME` at which it is removed from all feeds, lists and devices, and is no longer pushed; " +
					"or never"},
		},
		Action: func(c *cli.Context) error { return correct(s, c) },
	}
}

func correct(s *session, c *cli.Context) error {
	args, err := arguments(c)
	if err != nil {
		return err
	}
	if err := somethingGiven(c); err != nil {
		return err
	}
	in, err := correction(s, c)
	if err != nil {
		return err
	}
	if err := s.uploadFiles(c, args[0], in.Validate, in.Image, in.Icon); err != nil {
		return err
	}
	client, err := s.signIn()
	if err != nil {
		return err
	}
	n, err := client.Notifications.Correct(c.Context, args[0], args[1], in)
	if err != nil {
		return err
	}
	s.talk("Corrected %q", oneLine(n.Title))
	return s.writeWhole(n)
}

func correction(s *session, c *cli.Context) (sininho.Correction, error) {
	in := sininho.Correction{
		Title: given(c, "title"), Body: given(c, "body"), Link: given(c, "link"), Image: given(c, "image"),
		Icon: given(c, "icon"), Importance: (*sininho.Importance)(given(c, "importance")),
		Data: c.Generic("data").(*dataValue).pairs,
	}
	scheduledAt, scheduleErr := parseTime(c, "schedule-at")
	if c.IsSet("schedule-at") {
		in.ScheduledAt = &scheduledAt
	}
	var expireErr error
	if c.IsSet("expires-at") {
		in.ExpiresAt, expireErr = timeOr(c, "expires-at", "never")
	}
	if err := errors.Join(scheduleErr, expireErr); err != nil {
		return in, usageOf(c, "%v", err)
	}
	if c.String("body") == "-" {
		body, err := s.readStdin(c.Context)
		in.Body = &body
		return in, err
	}
	return in, nil
}

func withdrawCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "withdraw",
		Usage:       "remove a notification from all feeds; a scheduled one is never published",
		ArgsUsage:   "CHANNEL ID",
		Description: example("sininho notifications withdraw acme/deploys 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f --yes"),
		Flags:       []cli.Flag{yesFlag()},
		Action: func(c *cli.Context) error {
			args, err := arguments(c)
			if err != nil {
				return err
			}
			return s.destroy(c, s.signIn, "Withdraw "+args[1]+" from all feeds?", "Withdrew "+args[1],
				func(client *sininho.Client) error {
					return client.Notifications.Withdraw(c.Context, args[0], args[1])
				})
		},
	}
}
