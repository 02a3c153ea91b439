package command

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func inviteCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "invite",
		Usage:     "invite someone to be a member of a publisher; to hand it over, invite an owner",
		ArgsUsage: "PUBLISHER EMAIL",
		Description: "The person becomes a member by accepting, signed in with this address. Inviting an address\n" +
			"again renews its invitation.\n\n" +
			example("sininho publishers invite acme bia@example.com --role editor"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "role", Value: string(sininho.Editor),
				Usage: "`ROLE`: owner, with all permissions, or editor, to publish and manage channels and webhooks"},
			idempotencyFlag(),
		},
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, args []string) error {
			role := sininho.Role(c.String("role"))
			i, err := client.MembershipInvitations.Create(c.Context, args[0], args[1], role, callOptions(c)...)
			if err != nil {
				return err
			}
			s.talk("Invited %s as %s of %s. The invitation can be accepted at %s until %s.", i.Email, i.Role, args[0],
				i.URL, moment(i.ExpiresAt))
			if s.json {
				return quiet(s, s.writeJSON(i))
			}
			return nil
		}),
	}
}

func publisherInvitationsCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "invitations",
		Usage:       "list the invitations to be a member of a publisher",
		ArgsUsage:   "PUBLISHER",
		Description: example("sininho publishers invitations acme"),
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, args []string) error {
			return writeList(s, client.MembershipInvitations.List(c.Context, args[0]), 0, "There is no invitation.",
				"EMAIL\tROLE\tSTATE\tINVITED BY\tINVITED\tEXPIRES", func(i sininho.MembershipInvitation) []string {
					return []string{i.Email, string(i.Role), string(i.State), inviter(i.InvitedBy), moment(i.InvitedAt),
						moment(i.ExpiresAt)}
				})
		}),
	}
}

// inviter returns the address or the name of an inviter, whose account may have been deleted.
func inviter(i *sininho.Inviter) string {
	if i == nil {
		return "-"
	}
	return oneLine(cmp.Or(i.Email, i.Name))
}

func withdrawInvitationCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "withdraw-invitation",
		Usage:       "withdraw an invitation to be a member of a publisher",
		ArgsUsage:   "PUBLISHER EMAIL",
		Description: example("sininho publishers withdraw-invitation acme bia@example.com"),
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, args []string) error {
			for i, err := range client.MembershipInvitations.List(c.Context, args[0]) {
				if err != nil {
					return err
				}
				if !strings.EqualFold(i.Email, args[1]) && i.ID != args[1] {
					continue
				}
				if err := client.MembershipInvitations.Withdraw(c.Context, args[0], i.ID); err != nil {
					return err
				}
				s.talk("Withdrew the invitation of %s", i.Email)
				return nil
			}
			return fmt.Errorf("%s has no invitation of %s; see 'sininho publishers invitations %s'",
				args[1], args[0], args[0])
		}),
	}
}

func invitationsCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:  "invitations",
		Usage: "list, accept and decline the invitations to you to be a member of a publisher",
		Subcommands: []*cli.Command{
			invitationsListCommand(s), invitationsAcceptCommand(s), invitationsDeclineCommand(s),
		},
	}
}

func invitationsListCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "list",
		Usage:       "list the invitations that wait for your answer",
		Description: example("sininho invitations list"),
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, _ []string) error {
			return writeList(s, client.MembershipInvitations.Received(c.Context), 0,
				"There is no invitation to the address of your account.",
				"PUBLISHER\tNAME\tROLE\tINVITED BY\tEXPIRES", func(i sininho.ReceivedInvitation) []string {
					return []string{i.Publisher.Slug, oneLine(i.Publisher.Name), string(i.Role), inviter(i.InvitedBy),
						moment(i.ExpiresAt)}
				})
		}),
	}
}

func invitationsAcceptCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "accept",
		Usage:       "become a member of a publisher that invites you",
		ArgsUsage:   "PUBLISHER",
		Description: example("sininho invitations accept acme"),
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, args []string) error {
			i, err := findInvitation(c.Context, client, args[0])
			if err != nil {
				return err
			}
			publisher, err := client.MembershipInvitations.Accept(c.Context, i.ID)
			if err != nil {
				return err
			}
			s.talk("You are %s of %s", publisher.Role, publisher.Slug)
			return s.writePublisher(publisher)
		}),
	}
}

func invitationsDeclineCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "decline",
		Usage:       "decline the invitation of a publisher",
		ArgsUsage:   "PUBLISHER",
		Description: example("sininho invitations decline acme"),
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, args []string) error {
			i, err := findInvitation(c.Context, client, args[0])
			if err != nil {
				return err
			}
			if err := client.MembershipInvitations.Decline(c.Context, i.ID); err != nil {
				return err
			}
			s.talk("Declined the invitation of %s", i.Publisher.Slug)
			return nil
		}),
	}
}

// findInvitation returns the person's invitation of a publisher, of which there is at most one, or the one with an id.
func findInvitation(ctx context.Context, client *sininho.Client, publisher string) (sininho.ReceivedInvitation, error) {
	for i, err := range client.MembershipInvitations.Received(ctx) {
		if err != nil || i.Publisher.Slug == publisher || i.ID == publisher {
			return i, err
		}
	}
	return sininho.ReceivedInvitation{}, fmt.Errorf(
		"there is no invitation of %s to the address of your account; see 'sininho invitations list'", publisher)
}

// inviting returns the publishers that invite the person.
func inviting(ctx context.Context, client *sininho.Client) (slugs []string) {
	for i, err := range client.MembershipInvitations.Received(ctx) {
		if err != nil || len(slugs) == completionNames {
			break
		}
		slugs = append(slugs, i.Publisher.Slug)
	}
	return slugs
}
