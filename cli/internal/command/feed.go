package command

import (
	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func feedCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "feed",
		Usage:     "show what a channel published, newest first",
		ArgsUsage: "CHANNEL",
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "limit", Usage: "at most `N`; 0 for all", Value: 10},
		},
		Action: func(c *cli.Context) error { return feed(s, c) },
	}
}

func feed(s *session, c *cli.Context) error {
	address, err := channelArgument(c)
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
	n := 0
	for notification, err := range client.Notifications.List(c.Context, address, sininho.ListOptions{PageSize: size}) {
		if err != nil {
			return err
		}
		if err := s.writeItem(notification); err != nil {
			return quiet(s, err)
		}
		if n++; n == limit {
			break
		}
	}
	if n == 0 {
		s.talk("Nothing was published to %s yet.", address)
	}
	return nil
}

func (s *session) writeItem(n sininho.Notification) error {
	if s.json {
		return s.writeJSON(n)
	}
	return s.writeNotification(&n, "")
}
