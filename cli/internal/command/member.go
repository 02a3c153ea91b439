package command

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func membersCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "members",
		Usage:       "list the members of a publisher",
		ArgsUsage:   "PUBLISHER",
		Description: example("sininho publishers members acme"),
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, args []string) error {
			return writeList(s, client.Members.List(c.Context, args[0]), 0, "There is no member.",
				"EMAIL\tNAME\tROLE\tSINCE", memberRow)
		}),
	}
}

func memberRow(m sininho.Member) []string {
	return []string{m.Email, oneLine(m.Name), string(m.Role), moment(m.CreatedAt)}
}

func addMemberCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "add-member",
		Usage:       "add a member to a publisher; the person must have signed in to Sininho once",
		ArgsUsage:   "PUBLISHER EMAIL",
		Description: example("sininho publishers add-member acme bia@example.com --role editor"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "role", Value: string(sininho.Editor),
				Usage: "`ROLE`: owner, with all permissions, or editor, to publish and manage channels and webhooks"},
			idempotencyFlag(),
		},
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, args []string) error {
			role := sininho.Role(c.String("role"))
			m, err := client.Members.Add(c.Context, args[0], args[1], role, callOptions(c)...)
			if err != nil {
				return err
			}
			if m.Existing {
				s.talk("%s is already a member. To change the role: sininho publishers set-role %s %s owner|editor",
					m.Email, args[0], m.Email)
			}
			return s.writeMember(args[0], m)
		}),
	}
}

func (s *session) writeMember(publisher string, m *sininho.Member) error {
	s.talk("%s is %s of %s", m.Email, m.Role, publisher)
	if s.json {
		return quiet(s, s.writeJSON(m))
	}
	return nil
}

func setRoleCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "set-role",
		Usage:       "make a member an owner or an editor",
		ArgsUsage:   "PUBLISHER EMAIL ROLE",
		Description: example("sininho publishers set-role acme bia@example.com owner"),
		Action: func(c *cli.Context) error {
			args, err := arguments(c)
			if err != nil {
				return err
			}
			if !slices.Contains(choices("--role"), args[2]) {
				return usageOf(c, "ROLE is owner or editor, not %q", args[2])
			}
			client, err := s.signInAsPerson()
			if err != nil {
				return err
			}
			id, err := findMember(c.Context, client, args[0], args[1])
			if err != nil {
				return err
			}
			m, err := client.Members.Update(c.Context, args[0], id, sininho.Role(args[2]))
			if err != nil {
				return err
			}
			return s.writeMember(args[0], m)
		},
	}
}

func removeMemberCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "remove-member",
		Usage:       "remove a member, or yourself, from a publisher",
		ArgsUsage:   "PUBLISHER EMAIL",
		Description: example("sininho publishers remove-member acme bia@example.com --yes"),
		Flags:       []cli.Flag{yesFlag()},
		Action: func(c *cli.Context) error {
			args, err := arguments(c)
			if err != nil {
				return err
			}
			remove := func(client *sininho.Client) error {
				id, err := findMember(c.Context, client, args[0], args[1])
				if err != nil {
					return err
				}
				return client.Members.Remove(c.Context, args[0], id)
			}
			return s.destroy(c, s.signInAsPerson, "Remove "+args[1]+" from "+args[0]+"?",
				"Removed "+args[1]+" from "+args[0], remove)
		},
	}
}

// findMember returns the id of the member with an email address or an id.
func findMember(ctx context.Context, client *sininho.Client, publisher, member string) (string, error) {
	for m, err := range client.Members.List(ctx, publisher) {
		if err != nil {
			return "", err
		}
		if strings.EqualFold(m.Email, member) || m.ID == member {
			return m.ID, nil
		}
	}
	return "", fmt.Errorf("%s is not a member of %s; see 'sininho publishers members %s'", member, publisher, publisher)
}
