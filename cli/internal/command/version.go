package command

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"
)

func versionCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "version",
		Usage:       "print the version",
		Description: example("sininho version --json"),
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			if s.json {
				return quiet(s, s.writeJSON(map[string]string{"version": version(), "go": runtime.Version()}))
			}
			_, err := fmt.Fprintf(s.out, "sininho %s (%s %s/%s)\n", version(), runtime.Version(),
				runtime.GOOS, runtime.GOARCH)
			return quiet(s, err)
		},
	}
}

// version returns the module's version, as stamped by the Go tool, or dev.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "dev"
	}
	return info.Main.Version
}
