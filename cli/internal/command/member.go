package command

import (
	"cmp"
	"context"
	"errors"
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
	return []string{cmp.Or(m.Email, "-"), oneLine(m.Name), string(m.Role), moment(m.CreatedAt)}
}

func (s *session) writeMember(publisher string, m *sininho.Member) error {
	s.talk("%s is %s of %s", cmp.Or(m.Email, m.Name), m.Role, publisher)
	if s.json {
		return quiet(s, s.writeJSON(m))
	}
	return nil
}

func setRoleCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "set-role",
		Usage:       "make an owner an editor; an editor becomes an owner by accepting an invitation",
		ArgsUsage:   "PUBLISHER EMAIL ROLE",
		Description: example("sininho publishers set-role acme bia@example.com editor"),
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
			if refused, ok := errors.AsType[*sininho.Error](err); ok && refused.Code == sininho.CodeInvitationRequired {
				return fmt.Errorf("%s must agree to be an owner: run 'sininho publishers invite %s %s --role owner'",
					args[1], args[0], args[1])
			}
			if err != nil {
				return err
			}
			return s.writeMember(args[0], m)
		},
	}
}

func removeMemberCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "remove-member",
		Usage:     "remove a member from a publisher",
		ArgsUsage: "PUBLISHER EMAIL",
		Description: "Members can read the addresses of webhooks, so each webhook gets a new address, and a new\n" +
			"secret if the member set it: give the addresses to the senders, and rotate those secrets.\n" +
			"'sininho webhooks list' shows which. The API keys that the member created are revoked:\n" +
			"'sininho keys list' shows them before. --keep-keys keeps them; rotate them then.\n\n" +
			example("sininho publishers remove-member acme bia@example.com --yes"),
		Flags: []cli.Flag{
			yesFlag(), &cli.BoolFlag{Name: "keep-keys", Usage: "keep the API keys that the member created and knows"},
		},
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
				if c.Bool("keep-keys") {
					return client.Members.RemoveKeepingKeys(c.Context, args[0], id)
				}
				return client.Members.Remove(c.Context, args[0], id)
			}
			return s.destroy(c, s.signInAsPerson,
				"Remove "+args[1]+" from "+args[0]+"? Its webhooks get new addresses, which their senders then need.",
				"Removed "+args[1]+" from "+args[0]+
					". Its webhooks have new addresses: see 'sininho webhooks list CHANNEL'.", remove)
		},
	}
}

func leaveCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "leave",
		Usage:     "end your membership of a publisher",
		ArgsUsage: "PUBLISHER",
		Description: "The last owner first deletes the publisher, or invites another owner, who has to accept.\n\n" +
			example("sininho publishers leave acme --yes"),
		Flags: []cli.Flag{yesFlag()},
		Action: func(c *cli.Context) error {
			args, err := arguments(c)
			if err != nil {
				return err
			}
			return s.destroy(c, s.signInAsPerson, "Leave "+args[0]+"?", "You have left "+args[0],
				func(client *sininho.Client) error { return client.Members.Leave(c.Context, args[0]) })
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
