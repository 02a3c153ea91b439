package command

import (
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func channelMembersCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "members",
		Usage:       "list the members of a private channel, or those who have asked to join it",
		ArgsUsage:   "CHANNEL",
		Description: example("sininho channels members escola/7b --requested"),
		Flags:       []cli.Flag{&cli.BoolFlag{Name: "requested", Usage: "list those who wait for approval"}},
		Action: s.signedIn(func(c *cli.Context, client *sininho.Client, args []string) error {
			state, none := sininho.MemberJoined, "There is no member."
			if c.Bool("requested") {
				state, none = sininho.MemberRequested, "Nobody has asked to join."
			}
			return writeList(s, client.ChannelMembers.List(c.Context, args[0], state), 0, none, "NAME\tSINCE\tID",
				func(m sininho.ChannelMember) []string { return []string{oneLine(m.Name), moment(m.Since), m.ID} })
		}),
	}
}

func approveChannelMemberCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "approve-member",
		Usage:       "approve a request to join a private channel",
		ArgsUsage:   "CHANNEL MEMBER",
		Description: "MEMBER is a name or an id.\n\n" + example("sininho channels approve-member escola/7b Bia"),
		Action: s.signedIn(func(c *cli.Context, client *sininho.Client, args []string) error {
			m, err := findChannelMember(c.Context, client, args[0], args[1], sininho.MemberRequested)
			if err != nil {
				return err
			}
			if m, err = client.ChannelMembers.Approve(c.Context, args[0], m.ID); err != nil {
				return err
			}
			s.talk("%s is a member of %s", oneLine(m.Name), args[0])
			if s.json {
				return quiet(s, s.writeJSON(m))
			}
			return nil
		}),
	}
}

func removeChannelMemberCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "remove-member",
		Usage:     "remove a member of a private channel, or refuse a request to join it",
		ArgsUsage: "CHANNEL MEMBER",
		Description: "MEMBER is a name or an id. The channel no longer exists for the person, who needs a\n" +
			"later invitation to come back.\n\n" + example("sininho channels remove-member escola/7b Bia --yes"),
		Flags: []cli.Flag{yesFlag()},
		Action: func(c *cli.Context) error {
			args, err := arguments(c)
			if err != nil {
				return err
			}
			return s.destroy(c, s.signIn, "Remove "+args[1]+" from "+args[0]+"?", "Removed "+args[1]+" from "+args[0],
				func(client *sininho.Client) error {
					m, err := findChannelMember(c.Context, client, args[0], args[1],
						sininho.MemberJoined, sininho.MemberRequested)
					if err != nil {
						return err
					}
					return client.ChannelMembers.Remove(c.Context, args[0], m.ID)
				})
		},
	}
}

// findChannelMember returns the person in one of the states with a name or an id. Several may have the same name.
func findChannelMember(
	ctx context.Context, client *sininho.Client, channel, who string, states ...sininho.ChannelMemberState,
) (found *sininho.ChannelMember, err error) {
	for _, state := range states {
		for m, err := range client.ChannelMembers.List(ctx, channel, state) {
			if err != nil {
				return nil, err
			}
			if m.ID == who {
				return &m, nil
			}
			if !strings.EqualFold(m.Name, who) {
				continue
			}
			if found != nil {
				return nil, fmt.Errorf("several people are called %s; give an id of 'sininho channels members %s'",
					who, channel)
			}
			found = &m
		}
	}
	if found == nil {
		return nil, fmt.Errorf("there is no %s; see 'sininho channels members %s', also with --requested", who, channel)
	}
	return found, nil
}
