package command

import (
	"bufio"
	"errors"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func yesFlag() cli.Flag {
	return &cli.BoolFlag{Name: "yes", Usage: "skip the confirmation; required without a terminal"}
}

// confirm prompts the user before an action that cannot be undone. Without a terminal it requires --yes.
func (s *session) confirm(c *cli.Context, question string) error {
	if c.Bool("yes") {
		return nil
	}
	if !s.isInteractive() {
		return usageOf(c, "this cannot be undone; confirm it with --yes")
	}
	_, _ = io.WriteString(s.err, visible(question)+" [y/N] ")
	reply := make(chan string, 1)
	go func() { // reading from a terminal may never return
		line, _ := bufio.NewReader(s.in).ReadString('\n')
		reply <- strings.ToLower(strings.TrimSpace(line))
	}()
	select {
	case line := <-reply:
		if line == "y" || line == "yes" {
			return nil
		}
		return errors.New("nothing was done")
	case <-c.Context.Done():
		return c.Context.Err()
	}
}

// destroy prompts for confirmation, calls do and writes the message done.
func (s *session) destroy(
	c *cli.Context, connect connector, question, done string, do func(*sininho.Client) error,
) error {
	client, err := connect()
	if err != nil {
		return err
	}
	if err := s.confirm(c, question); err != nil {
		return err
	}
	if err := do(client); err != nil {
		return err
	}
	s.talk("%s", done)
	return nil
}
