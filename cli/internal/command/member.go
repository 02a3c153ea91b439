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
		Usage:       "list who acts for a publisher",
		ArgsUsage:   "PUBLISHER",
		Description: example("sininho publishers members acme"),
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, args []string) error {
			return writeList(s, client.Members.List(c.Context, args[0]), 0, "There is no member.", "EMAIL\tNAME\tROLE\tSINCE", memberRow)
		}),
	}
}

func memberRow(m sininho.Member) []string {
	return []string{m.Email, oneLine(m.Name), string(m.Role), moment(m.CreatedAt)}
}

func addMemberCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "add-member",
		Usage:       "let somebody act for a publisher; they must have signed in to Sininho once",
		ArgsUsage:   "PUBLISHER EMAIL",
		Description: example("sininho publishers add-member acme bia@example.com --role editor"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "role", Usage: "`ROLE`: owner, who may do everything, or editor, who publishes and manages channels and webhooks", Value: string(sininho.Editor)},
			idempotencyFlag(),
		},
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, args []string) error {
			m, err := client.Members.Add(c.Context, args[0], args[1], sininho.Role(c.String("role")), callOptions(c)...)
			if err != nil {
				return err
			}
			if m.Existing {
				s.talk("%s is a member already. To change the role: sininho publishers set-role %s %s owner|editor", m.Email, args[0], m.Email)
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
		Usage:       "end somebody's membership, or your own",
		ArgsUsage:   "PUBLISHER EMAIL",
		Description: example("sininho publishers remove-member acme bia@example.com --yes"),
		Flags:       []cli.Flag{yesFlag()},
		Action: func(c *cli.Context) error {
			args, err := arguments(c)
			if err != nil {
				return err
			}
			return s.destroy(c, s.signInAsPerson, "Remove "+args[1]+" from "+args[0]+"?", args[1]+" acts for "+args[0]+" no more", func(client *sininho.Client) error {
				id, err := findMember(c.Context, client, args[0], args[1])
				if err != nil {
					return err
				}
				return client.Members.Remove(c.Context, args[0], id)
			})
		},
	}
}

// findMember returns the id of the member with an email address, or with that id.
func findMember(ctx context.Context, client *sininho.Client, publisher, who string) (string, error) {
	for m, err := range client.Members.List(ctx, publisher) {
		if err != nil {
			return "", err
		}
		if strings.EqualFold(m.Email, who) || m.ID == who {
			return m.ID, nil
		}
	}
	return "", fmt.Errorf("%s is no member of %s; see 'sininho publishers members %s'", who, publisher, publisher)
}
