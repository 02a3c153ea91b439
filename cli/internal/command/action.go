package command

import (
	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

// action runs a command with the arguments that its ArgsUsage names.
type action func(c *cli.Context, client *sininho.Client, args []string) error

// connector creates the client that a command needs: [session.connect], [session.signIn] or [session.signInAsPerson].
type connector func(...sininho.Option) (*sininho.Client, error)

// asPerson wraps a command that only a person can run, not an API key.
func (s *session) asPerson(do action) cli.ActionFunc { return withClient(s.signInAsPerson, do) }

// signedIn wraps a command that needs a credential and checks no flags before.
func (s *session) signedIn(do action) cli.ActionFunc { return withClient(s.signIn, do) }

// connected wraps a command that visitors can run too.
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
