package command

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/internal/version"
)

func versionCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "version",
		Usage:       "print the version, the commit and the platform",
		Description: example("sininho version --json"),
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			if s.json {
				return quiet(s, s.writeJSON(version.Read()))
			}
			_, err := fmt.Fprintln(s.out, "sininho", version.Read())
			return quiet(s, err)
		},
	}
}
