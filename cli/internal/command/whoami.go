package command

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func whoamiCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "whoami",
		Usage:       "show your account, or the publisher and scopes of the API key",
		Description: example("sininho whoami --json"),
		Action:      func(c *cli.Context) error { return whoami(s, c) },
	}
}

func whoami(s *session, c *cli.Context) error {
	if err := noArguments(c); err != nil {
		return err
	}
	client, err := s.signIn()
	if err != nil {
		return err
	}
	caller, err := client.Auth.Get(c.Context)
	if err != nil {
		return err
	}
	if s.json {
		return quiet(s, s.writeJSON(caller))
	}
	return quiet(s, s.writeFields(append(callerFields(caller, s.origin()), [2]string{"signed in by", s.signedInBy()})))
}

// signedInBy returns where the credential comes from, and its account if it is named.
func (s *session) signedInBy() string {
	saved, err := s.credentials()
	if s.source != fromLogin || err != nil || saved.Servers[s.accountName(saved)].Server == "" {
		return string(s.source)
	}
	return string(s.source) + " --account " + s.accountName(saved)
}

func callerFields(caller *sininho.Caller, origin string) [][2]string {
	fields := [][2]string{{"caller", string(caller.Kind)}, {"server", origin}}
	if p := caller.Publisher; p != nil {
		fields = append(fields, [2]string{"publisher", fmt.Sprintf("%s (%s)", p.Slug, p.Name)})
	}
	if p := caller.Subscriber; p != nil {
		fields = append(fields, [2]string{"subscriber", cmp.Or(p.Email, p.Name)})
	}
	var scopes []string
	for _, scope := range caller.Scopes {
		scopes = append(scopes, string(scope))
	}
	return append(fields, [2]string{"scopes", strings.Join(scopes, ", ")},
		[2]string{"expires", orNever(moment(caller.ExpiresAt))})
}
