package command

import (
	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func settingsCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "settings",
		Usage:       "list the settings in force on the server that responds, without secrets",
		Description: example("sininho admin settings"),
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, _ []string) error {
			return writeList(s, client.Installation.Settings(c.Context), 0, "There is no setting.",
				"SETTING\tVALUE\tFROM", settingRow)
		}),
	}
}

func settingRow(setting sininho.Setting) []string {
	value := setting.Value
	switch {
	case !setting.Set:
		value = "not set"
	case setting.Secret:
		value = "set"
	}
	return []string{setting.Name, oneLine(value), oneLine(setting.Source)}
}
