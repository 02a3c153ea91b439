package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/server"
	"github.com/sininho/sininho/server/internal/settings"
)

// envFileFlag returns the flag of every command that reads settings.
func envFileFlag() cli.Flag {
	return &cli.StringFlag{Name: "env-file",
		Usage: "`FILE` with settings, a NAME=value on each line; variables of the environment take precedence"}
}

// environment returns the variables of this process, and those of --env-file that it does not have: as with Docker
// Compose and Node.js, the environment wins. A file of secrets must not be readable by everyone.
func environment(c *cli.Context) (map[string]string, error) {
	own := server.Environment()
	path := c.String("env-file")
	if path == "" {
		return own, nil
	}
	variables, err := settings.Read(path)
	if err != nil {
		return nil, fmt.Errorf("--env-file: %w", err)
	}
	if slices.ContainsFunc(slices.Collect(maps.Keys(variables)), server.IsSecret) {
		if err := settings.CheckPrivate(path); err != nil {
			return nil, fmt.Errorf("--env-file: %w", err)
		}
	}
	for name := range own { // a setting may be set by its value or by a file with it
		setting := strings.TrimSuffix(name, "_FILE")
		delete(variables, setting)
		delete(variables, setting+"_FILE")
	}
	maps.Copy(variables, own)
	return variables, nil
}
