package main

import (
	"context"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/server"
	"github.com/sininho/sininho/server/internal/backup"
)

func writeBackup(c *cli.Context) error { return withDatabase(c, backup.Write) }

func restore(c *cli.Context) error { return withDatabase(c, backup.Restore) }

// withDatabase calls do with the database, past a pooler, and the file that the command names.
func withDatabase(
	c *cli.Context, do func(ctx context.Context, databaseURL, file string, progress io.Writer) error,
) error {
	if c.NArg() != 1 {
		return fmt.Errorf("%s takes one argument, the file of the backup", c.Command.Name)
	}
	settings, err := server.ReadDatabaseConfig(server.Environment())
	if err != nil {
		return err
	}
	return do(c.Context, settings.DatabaseDirectURL, c.Args().First(), c.App.ErrWriter)
}
