package command

import (
	"iter"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func feedCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "feed",
		Usage:     "show your feed or the notifications of a channel, newest first",
		ArgsUsage: "[CHANNEL]",
		Description: example("sininho feed --unread", "sininho feed metro/linhas --limit 3",
			"sininho feed --search 'linha azul' --archived",
			"sininho feed --snooze 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f --until 12h", "sininho feed --read-all"),
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "limit", Usage: "at most `N`; 0 for all", Value: 10},
			&cli.BoolFlag{Name: "unread", Usage: "only unread notifications of your feed"},
			&cli.BoolFlag{Name: "important", Usage: "only important notifications of your feed"},
			&cli.BoolFlag{Name: "archived", Usage: "the archived notifications of your feed instead"},
			&cli.BoolFlag{Name: "snoozed", Usage: "the postponed notifications of your feed instead"},
			&cli.StringFlag{Name: "search", Usage: "only notifications of your feed with these `WORDS`"},
			&cli.StringFlag{Name: "read", Usage: "mark the notification with this `ID` as read on every device"},
			&cli.StringFlag{Name: "archive", Usage: "remove the notification with this `ID` from your feed"},
			&cli.StringFlag{Name: "restore",
				Usage: "put the archived or postponed notification with this `ID` back into your feed"},
			&cli.StringFlag{Name: "snooze", Usage: "postpone the notification with this `ID`, with --until"},
			&cli.StringFlag{Name: "until",
				Usage: "`TIME` at which it is back, unread, and pushed: 2h from now, or 2026-03-01T12:00:00Z"},
			&cli.BoolFlag{Name: "read-all",
				Usage: "mark all notifications of your feed, or of the channel, as read on every device"},
		},
		Action: func(c *cli.Context) error { return feed(s, c) },
	}
}

func feed(s *session, c *cli.Context) error {
	address, err := optionalChannel(c)
	if err != nil {
		return err
	}
	limit, size, err := limits(c)
	if err != nil {
		return err
	}
	switch {
	case c.IsSet("read"), c.IsSet("archive"), c.IsSet("restore"), c.IsSet("snooze"), c.IsSet("until"):
		return markInFeed(s, c)
	case c.Bool("read-all"):
		return readAllOfFeed(s, c, address)
	case address == "", selectsInFeed(c):
		return showFeed(s, c, address, limit, size)
	}
	client, err := s.connect()
	if err != nil {
		return err
	}
	list := client.Notifications.List(c.Context, address, sininho.ListOptions{PageSize: size})
	return s.writeFeed(list, limit, "Nothing was published to "+address+" yet.",
		func(sininho.Notification) string { return "" })
}

// selectsInFeed reports whether a flag selects notifications in the person's feed.
func selectsInFeed(c *cli.Context) bool {
	return c.Bool("unread") || c.Bool("important") || c.Bool("archived") || c.Bool("snoozed") || c.IsSet("search")
}

func showFeed(s *session, c *cli.Context, channel string, limit, size int) error {
	client, err := s.signInAsPerson()
	if err != nil {
		return err
	}
	list := client.Feed.List(c.Context, sininho.FeedListOptions{Unread: c.Bool("unread"), Archived: c.Bool("archived"),
		Snoozed: c.Bool("snoozed"), Important: c.Bool("important"), Search: c.String("search"),
		Channel: channel, PageSize: size})
	empty := "Your feed is empty; follow a channel with 'sininho follow'."
	switch {
	case c.IsSet("search"):
		empty = "Nothing was found."
	case c.Bool("archived"):
		empty = "You have archived nothing."
	case c.Bool("snoozed"):
		empty = "You have postponed nothing."
	case c.Bool("unread"):
		empty = "You have read everything."
	case c.Bool("important"):
		empty = "There are no important notifications."
	}
	return s.writeFeed(list, limit, empty, func(n sininho.Notification) string {
		remark := n.Channel.Address().String() + ", " + n.ID
		if n.ReadAt.IsZero() {
			remark += ", unread"
		}
		if !n.SnoozedUntil.IsZero() {
			remark += ", until " + moment(n.SnoozedUntil)
		}
		return remark
	})
}

func (s *session) writeFeed(list iter.Seq2[sininho.Notification, error], limit int, empty string,
	remark func(sininho.Notification) string,
) error {
	n := 0
	for notification, err := range list {
		if err != nil {
			return err
		}
		if err := s.writeItem(notification, remark(notification)); err != nil {
			return quiet(s, err)
		}
		if n++; n == limit {
			break
		}
	}
	if n == 0 {
		s.talk("%s", empty)
	}
	return nil
}

func (s *session) writeItem(n sininho.Notification, remark string) error {
	if s.json {
		return s.writeJSON(n)
	}
	return s.writeNotification(&n, remark)
}

func markInFeed(s *session, c *cli.Context) error {
	name, in, done := feedMark(c)
	if c.NArg() > 0 || c.Bool("read-all") || selectsInFeed(c) || name == "" {
		return usageOf(c,
			"--read, --archive, --restore and --snooze take one notification, without another argument or flag")
	}
	if c.IsSet("snooze") != c.IsSet("until") {
		return usageOf(c, "--snooze and --until go together")
	}
	until, err := futureTime(c, "until")
	if err != nil {
		return err
	}
	client, err := s.signInAsPerson()
	if err != nil {
		return err
	}
	var n *sininho.Notification
	if name == "snooze" {
		n, err = client.Feed.Snooze(c.Context, c.String(name), until)
	} else {
		n, err = client.Feed.Update(c.Context, c.String(name), in)
	}
	if err != nil {
		return err
	}
	s.talk("%s: %q", done, oneLine(n.Title))
	if s.json {
		return quiet(s, s.writeJSON(n))
	}
	return nil
}

// feedMark returns the flag that marks a notification, what it changes and the word for it; no flag when several are
// set.
func feedMark(c *cli.Context) (name string, in sininho.FeedUpdate, done string) {
	marks := map[string]struct {
		sininho.FeedUpdate
		done string
	}{
		"read":    {sininho.FeedUpdate{Read: new(true)}, "Read"},
		"archive": {sininho.FeedUpdate{Archived: new(true)}, "Archived"},
		"restore": {sininho.FeedUpdate{Archived: new(false)}, "Restored"},
		"snooze":  {done: "Postponed"},
	}
	for flag, mark := range marks {
		switch {
		case c.IsSet(flag) && name != "":
			return "", in, ""
		case c.IsSet(flag):
			name, in, done = flag, mark.FeedUpdate, mark.done
		}
	}
	return name, in, done
}

func readAllOfFeed(s *session, c *cli.Context, channel string) error {
	client, err := s.signInAsPerson()
	if err != nil {
		return err
	}
	if err := client.Feed.ReadAll(c.Context, channel); err != nil {
		return err
	}
	s.talk("Marked all as read")
	return nil
}
