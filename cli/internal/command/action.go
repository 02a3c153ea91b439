package command

import (
	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

// action is what a command does with the arguments that its ArgsUsage names.
type action func(c *cli.Context, client *sininho.Client, args []string) error

// connector makes the client that a command needs: [session.connect], [session.signIn] or
// [session.signInAsPerson].
type connector func(...sininho.Option) (*sininho.Client, error)

// asPerson is the action of a command that an API key cannot do.
func (s *session) asPerson(do action) cli.ActionFunc { return withClient(s.signInAsPerson, do) }

// signedIn is the action of a command that needs a credential, and no flag before that.
func (s *session) signedIn(do action) cli.ActionFunc { return withClient(s.signIn, do) }

// connected is the action of a command that a visitor can use too.
func (s *session) connected(do action) cli.ActionFunc { return withClient(s.connect, do) }

func withClient(connect connector, do action) cli.ActionFunc {
	return func(c *cli.Context) error {
		args, err := arguments(c)
		if err != nil {
			return err
		}
		client, err := connect()
		if err != nil {
			return err
		}
		return do(c, client, args)
	}
}
