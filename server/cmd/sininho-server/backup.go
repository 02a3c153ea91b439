package main

import (
	"context"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/server"
	"github.com/sininho/sininho/server/internal/backup"
	"github.com/sininho/sininho/server/internal/embeddedpg"
)

func writeBackup(c *cli.Context) error {
	settings, err := databaseSettings(c)
	if err != nil {
		return err
	}
	if settings.OwnDatabase() && !embeddedpg.Exists(settings.DatabaseDir()) {
		return fmt.Errorf("%s has no database: is DATA_DIR right?", settings.DatabaseDir())
	}
	return withDatabase(c, settings, backup.Write)
}

func restore(c *cli.Context) error {
	settings, err := databaseSettings(c)
	if err != nil {
		return err
	}
	return withDatabase(c, settings, backup.Restore)
}

func databaseSettings(c *cli.Context) (server.Config, error) {
	if c.NArg() != 1 {
		return server.Config{}, fmt.Errorf("%s takes one argument, the file of the backup", c.Command.Name)
	}
	variables, err := environment(c)
	if err != nil {
		return server.Config{}, err
	}
	return server.ReadDatabaseConfig(variables)
}

// withDatabase calls do with the database, past a pooler, and the file that the command names.
func withDatabase(c *cli.Context, settings server.Config,
	do func(ctx context.Context, databaseURL, file string, progress io.Writer) error) error {
	return useDatabase(c.Context, settings, func(ctx context.Context, settings server.Config) error {
		return do(ctx, settings.DatabaseDirectURL, c.Args().First(), c.App.ErrWriter)
	})
}
