package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/sininho/sininho/pkg/sininho"
)

// hook is a command that runs for each notification. Its text is the user's own; what a notification says reaches it
// only as environment variables and on stdin, and never becomes part of a shell's text.
type hook struct {
	session *session
	command string
}

// run runs the command for the notification of an event, and reports a failure. It returns an error only when ctx has
// ended.
func (h hook) run(ctx context.Context, e sininho.Event) error {
	if e.Type != sininho.EventNotification {
		return nil
	}
	text, err := json.Marshal(e.Notification)
	if err != nil {
		return err
	}
	command := h.build(ctx)
	command.Env = append(os.Environ(), variables(e.Notification)...)
	command.Stdin = bytes.NewReader(append(text, '\n'))
	command.Stdout, command.Stderr = h.session.out, h.session.err
	command.WaitDelay = outputGrace
	if err := command.Run(); err != nil && ctx.Err() == nil && !errors.Is(err, exec.ErrWaitDelay) {
		h.session.talk("sininho: --exec for %s: %v", oneLine(e.Notification.Title), err)
	}
	return ctx.Err()
}

// build returns the command: through a shell, except on Windows, whose shell would read the variables as its own text.
func (h hook) build(ctx context.Context) *exec.Cmd {
	if runtime.GOOS == "windows" {
		words := strings.Fields(h.command)
		return exec.CommandContext(ctx, words[0], words[1:]...) //nolint:gosec // it is what the user asks for
	}
	return exec.CommandContext(ctx, "/bin/sh", "-c", h.command) //nolint:gosec // the same
}

// variables returns the fields of a notification for the environment of a command.
func variables(n *sininho.Notification) []string {
	var list []string
	for _, field := range [][2]string{
		{"ID", n.ID}, {"CHANNEL", n.Channel.PublisherSlug + "/" + n.Channel.Slug}, {"TITLE", n.Title}, {"BODY", n.Body},
		{"LINK", n.Link}, {"IMAGE", n.Image}, {"IMPORTANCE", string(n.Importance)}, {"EXTERNAL_ID", n.ExternalID},
		{"PUBLISHED_AT", n.PublishedAt.UTC().Format(time.RFC3339)},
	} {
		list = append(list, "SININHO_"+field[0]+"="+strings.ReplaceAll(field[1], "\x00", ""))
	}
	return list
}
