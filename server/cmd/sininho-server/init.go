package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"github.com/sininho/sininho/server/internal/settings"
)

func initCommand() *cli.Command {
	flags := []cli.Flag{&cli.StringFlag{Name: "env-file", Value: "sininho.env", Usage: "new `FILE` for the settings"}}
	for _, e := range settings.Entries() {
		flags = append(flags, &cli.StringFlag{Name: e.Flag, Usage: e.Help()})
	}
	return &cli.Command{Name: "init", Usage: "write a file with the settings of a new installation, and fresh secrets",
		Action: initialize, Flags: flags}
}

// initialize writes the file of settings. What is missing it asks for on a terminal.
func initialize(c *cli.Context) error {
	if c.Args().Present() {
		return fmt.Errorf("init takes no arguments, but got %q", c.Args().First())
	}
	path := c.String("env-file")
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s exists already, and is not replaced: choose another file by --env-file, or move it away",
			path)
	}
	given := map[string]string{}
	for _, e := range settings.Entries() {
		if c.IsSet(e.Flag) {
			given[e.Setting] = c.String(e.Flag)
		}
	}
	content, err := settings.New(given, asking(c.App.ErrWriter))
	if err != nil {
		return err
	}
	if err := settings.Create(path, content); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.App.Writer, "%s has the settings, for you alone. Keep a copy of its SECRET_KEY apart from "+
		"backups.\nNext:\n\n  %s serve --env-file %s\n\n", path, settings.Quote(os.Args[0]), settings.Quote(path))
	return err
}

// asking returns how to ask on the terminal, or nil without one.
func asking(out io.Writer) settings.Ask {
	terminal := int(os.Stdin.Fd())
	if !term.IsTerminal(terminal) {
		return nil
	}
	lines := bufio.NewReader(os.Stdin)
	return func(question string, secret bool) (string, error) {
		fmt.Fprintf(out, "%s: ", question)
		if secret {
			answer, err := term.ReadPassword(terminal)
			fmt.Fprintln(out)
			return string(answer), err
		}
		answer, err := lines.ReadString('\n')
		return strings.TrimSpace(answer), err
	}
}
