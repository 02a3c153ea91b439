package command

import (
	"cmp"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func channelInviteCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "invite",
		Usage:     "make a link by which people join a private channel",
		ArgsUsage: "CHANNEL",
		Description: "The link is shown once. Whoever has it can join, until it ends or is revoked. With --email it " +
			"is also sent to an address, and is for one person unless --max-uses says otherwise.\n\n" +
			example("sininho channels invite escola/7b --max-uses 30 --expires-at 336h",
				"sininho channels invite escola/7b --email bia@example.com"),
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "approval", Usage: "let those who open it ask to join, and wait for 'approve-member'"},
			&cli.IntFlag{Name: "max-uses", Usage: "let at most this `NUMBER` of people join"},
			&cli.StringFlag{Name: "email", Usage: "send the link to this `ADDRESS`; it ends after 14 days"},
			&cli.StringFlag{Name: "expires-at",
				Usage: "`TIME` at which it ends: 2026-03-01T12:00:00Z, or 336h from now"},
			idempotencyFlag(),
		},
		Action: s.signedIn(func(c *cli.Context, client *sininho.Client, args []string) (err error) {
			in := sininho.ChannelInvitationInput{Approval: c.Bool("approval"), MaxUses: c.Int("max-uses"),
				Email: c.String("email")}
			if in.ExpiresAt, err = futureTime(c, "expires-at"); err != nil {
				return err
			}
			i, err := client.ChannelInvitations.Create(c.Context, args[0], in, callOptions(c)...)
			if err != nil {
				return err
			}
			return s.writeSecret(i, i.URL, "the invitation "+i.ID,
				"Made an invitation to "+args[0]+"; its link is shown only once")
		}),
	}
}

func channelInvitationsCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "invitations",
		Usage:       "list the invitations to a private channel",
		ArgsUsage:   "CHANNEL",
		Description: example("sininho channels invitations escola/7b"),
		Action: s.signedIn(func(c *cli.Context, client *sininho.Client, args []string) error {
			return writeList(s, client.ChannelInvitations.List(c.Context, args[0]), 0, "There is no invitation.",
				"ID\tUSED\tAPPROVAL\tEMAIL\tCREATED\tEXPIRES", func(i sininho.ChannelInvitation) []string {
					used := strconv.Itoa(i.Uses)
					if i.MaxUses > 0 {
						used += " of " + strconv.Itoa(i.MaxUses)
					}
					return []string{
						i.ID, used, strconv.FormatBool(i.Approval), cmp.Or(i.Email, "-"), moment(i.CreatedAt),
						moment(i.ExpiresAt),
					}
				})
		}),
	}
}

func revokeChannelInvitationCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "revoke-invitation",
		Usage:       "revoke an invitation to a private channel; those who have joined stay",
		ArgsUsage:   "CHANNEL ID",
		Description: example("sininho channels revoke-invitation escola/7b 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f"),
		Action: s.signedIn(func(c *cli.Context, client *sininho.Client, args []string) error {
			if err := client.ChannelInvitations.Revoke(c.Context, args[0], args[1]); err != nil {
				return err
			}
			s.talk("Revoked the invitation to %s", args[0])
			return nil
		}),
	}
}

func joinCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "join",
		Usage:     "join a private channel by the link of an invitation",
		ArgsUsage: "LINK",
		Description: "Its publisher's members see your name.\n\n" +
			example("sininho channels join https://sininho.example.com/join#sni_live_…"),
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, args []string) error {
			i, err := client.ChannelInvitations.Accept(c.Context, args[0])
			if err != nil {
				return err
			}
			if i.State == sininho.MemberRequested {
				s.talk("You have asked to join %s, and wait for approval", i.Channel.Address())
			} else {
				s.talk("You follow %s", i.Channel.Address())
			}
			if s.json {
				return quiet(s, s.writeJSON(i))
			}
			return nil
		}),
	}
}
