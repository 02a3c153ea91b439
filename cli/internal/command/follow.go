package command

import (
	"fmt"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func followCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "follow",
		Usage:     "follow a channel and choose which notifications are pushed",
		ArgsUsage: "CHANNEL",
		Description: "If you already follow the channel, only the given options change.\n\n" +
			example("sininho follow metro/linhas --bell important --mute 2h"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "bell", Usage: "`LEVEL` of what is pushed: all, important, digest or none"},
			&cli.StringFlag{Name: "mute",
				Usage: "push nothing until `TIME`: 2h from now, 2026-03-01T12:00:00Z, or off"},
		},
		Action: func(c *cli.Context) error { return follow(s, c) },
	}
}

func follow(s *session, c *cli.Context) error {
	address, err := channelArgument(c)
	if err != nil {
		return err
	}
	in := sininho.SubscriptionUpdate{Bell: (*sininho.Bell)(given(c, "bell"))}
	if c.IsSet("mute") {
		if in.MutedUntil, err = timeOr(c, "mute", "off"); err != nil {
			return usageOf(c, "%v", err)
		}
		if !in.MutedUntil.IsZero() && in.MutedUntil.Before(time.Now()) {
			return usageOf(c, "--mute takes a future time, or off; %s has passed", c.String("mute"))
		}
	}
	client, err := s.signInAsPerson()
	if err != nil {
		return err
	}
	subscription, err := client.Subscriptions.Follow(c.Context, address)
	if err == nil && (in.Bell != nil || in.MutedUntil != nil) {
		subscription, err = client.Subscriptions.Update(c.Context, subscription.Channel.ID, in)
	}
	if err != nil {
		return err
	}
	s.talk("Following %s: %s", address, pushedText(subscription))
	if s.json {
		return quiet(s, s.writeJSON(subscription))
	}
	return nil
}

// timeOr returns a flag's time, or the zero time if the flag is the word that removes it.
func timeOr(c *cli.Context, flag, word string) (*time.Time, error) {
	if c.String(flag) == word {
		return &time.Time{}, nil
	}
	at, err := parseTime(c, flag)
	if err != nil {
		err = fmt.Errorf("%w, or %s", err, word)
	}
	return &at, err
}

func pushedText(sub *sininho.Subscription) string {
	text := map[sininho.Bell]string{
		sininho.BellAll: "all notifications are pushed", sininho.BellImportant: "important notifications are pushed",
		sininho.BellDigest: "important notifications are pushed, and a digest of the others once a day",
		sininho.BellNone:   "nothing is pushed",
	}[sub.Bell]
	if text == "" {
		text = "bell " + string(sub.Bell)
	}
	if !sub.MutedUntil.IsZero() {
		text += ", muted until " + moment(sub.MutedUntil)
	}
	return text
}

func unfollowCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "unfollow",
		Usage:       "unfollow a channel and remove it from your feed",
		ArgsUsage:   "CHANNEL",
		Description: example("sininho unfollow metro/linhas"),
		Action: func(c *cli.Context) error {
			address, err := channelArgument(c)
			if err != nil {
				return err
			}
			client, err := s.signInAsPerson()
			if err != nil {
				return err
			}
			if err := client.Subscriptions.Unfollow(c.Context, address); err != nil {
				return err
			}
			s.talk("Unfollowed %s", address)
			return nil
		},
	}
}

func subscriptionsCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "subscriptions",
		Usage:       "list the channels that you follow",
		Description: example("sininho subscriptions --json"),
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, _ []string) error {
			return writeList(s, client.Subscriptions.List(c.Context), 0,
				"You do not follow any channel; see 'sininho channels list'.",
				"CHANNEL\tNAME\tBELL\tMUTED UNTIL\tUNREAD", func(sub sininho.Subscription) []string {
					return []string{
						sub.Channel.Address().String(), oneLine(sub.Channel.Name), string(sub.Bell),
						moment(sub.MutedUntil), unreadText(sub),
					}
				})
		}),
	}
}

// unreadText returns the number of unread notifications; nothing of a suspended channel can be read.
func unreadText(sub sininho.Subscription) string {
	if sub.Suspended {
		return "suspended"
	}
	return strconv.FormatInt(sub.UnreadCount, 10)
}
