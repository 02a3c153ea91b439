package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/internal/version"
)

func printVersion(c *cli.Context) error {
	_, err := fmt.Fprintln(c.App.Writer, "sininho-server", version.Read())
	return err
}
