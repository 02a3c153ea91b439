package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/mend"
	"github.com/sininho/sininho/pkg/sininho"
)

func runCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "run",
		Usage:     "run a command, and publish that it began, and how it ended",
		ArgsUsage: "TITLE -- COMMAND [ARGUMENT...]",
		UsageText: "sininho run TITLE --channel CHANNEL [options] -- COMMAND [ARGUMENT...]",
		Description: `The command runs in any case, with the input and output of its own, and its exit code is that of
'sininho run': 128 and the number of the signal if a signal ended it, 127 if there is no such
command and 126 if it cannot be run. An interruption is passed on to it.

While it runs, the channel has a notification that it began. When it succeeds, that notification
is corrected, which rings nowhere: it then says how long it took, and has the last lines of the
output. When it fails, an important notification with the same is published, which rings, and
takes the place of the first. With --only-failure nothing else is published.

If the server is away, 'sininho run' tries again, and when the command has ended for --patience
at most. Then it writes one line to stderr.

` + example("sininho run 'Nightly backup' --channel acme/deploys -- ./backup --all"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "channel", Usage: "`CHANNEL` to publish to"},
			&cli.BoolFlag{Name: "only-failure", Usage: "publish nothing unless the command fails"},
			&cli.IntFlag{Name: "lines", Value: 20, Usage: "publish the last `N` lines of the output; 0 for none"},
			&cli.DurationFlag{Name: "patience", Value: time.Minute,
				Usage: "`DURATION` for which to try to reach the server when the command has ended"},
		},
		Action: func(c *cli.Context) error { return runJob(s, c) },
	}
}

// exitError ends the program with the exit code of a command that it ran.
type exitError struct{ code int }

// Error implements error.
func (e *exitError) Error() string { return fmt.Sprintf("the command ended with %d", e.code) }

// job is a command that runs, and what is published of it.
type job struct {
	session     *session
	channel     string
	title       string
	command     []string
	onlyFailure bool
	lines       int
	patience    time.Duration

	output lastBytes
	began  time.Time
	// first has the notification that the job began, and is empty if there is none.
	first chan string
}

func runJob(s *session, c *cli.Context) error {
	args := c.Args().Slice()
	switch {
	case len(args) < 2:
		return usageOf(c, "a title, -- and a command are required")
	case c.String("channel") == "":
		return usageOf(c, "--channel is required")
	case c.Int("lines") < 0:
		return usageOf(c, "--lines takes 0 (none) or more, not %d", c.Int("lines"))
	case c.Duration("patience") < 0:
		return usageOf(c, "--patience takes a duration such as 1m, not %s", c.Duration("patience"))
	}
	if _, err := sininho.ParseAddress(c.String("channel")); err != nil {
		return usageOf(c, "--channel must have the form publisher/channel, not %q", c.String("channel"))
	}
	title := mend.Line(args[0])
	if title == "" {
		return usageOf(c, "the title is blank")
	}
	j := &job{session: s, channel: c.String("channel"), title: title, command: args[1:],
		onlyFailure: c.Bool("only-failure"), lines: c.Int("lines"), patience: c.Duration("patience"),
		began: time.Now(), first: make(chan string, 1)}
	return j.run(c.Context)
}

func (j *job) run(ctx context.Context) error {
	// What is published goes on after an interruption, which ends the command first.
	publishing, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	client, err := j.session.signIn(sininho.WithRetries(jobRetries))
	if err == nil && !j.onlyFailure {
		go j.begin(publishing, client)
	} else {
		j.first <- ""
	}
	ended := j.execute(ctx)
	limit := time.AfterFunc(j.patience, stop)
	defer limit.Stop()
	first := <-j.first
	if err == nil && (ended.failed() || !j.onlyFailure) {
		err = j.end(publishing, client, first, ended)
	}
	if err != nil {
		j.session.talk("sininho: nothing was published of how %q ended: %s", j.title,
			oneLine(strings.TrimPrefix(err.Error(), "sininho: ")))
	}
	return &exitError{ended.code}
}

// jobRetries are more than fit into any patience: the patience ends them.
const jobRetries = 1000

// begin publishes that the job began. Without a response, the end is published on its own.
func (j *job) begin(ctx context.Context, client *sininho.Client) {
	in := sininho.PublishInput{Body: "Began at " + j.began.Format("15:04") + onHost() + "."}
	in.Title, in.Body, _ = mend.Texts(j.title, in.Body, mend.Keep{})
	result, err := client.Notifications.Publish(ctx, j.channel, in)
	if err != nil {
		j.first <- ""
		return
	}
	j.first <- result.Notification.ID
}

// end publishes how the job ended.
func (j *job) end(ctx context.Context, client *sininho.Client, first string, e ending) error {
	took := time.Since(j.began).Round(time.Second)
	title, body := j.title+": done", "Took "+took.String()+onHost()+"."
	if e.failed() {
		title = j.title + ": " + e.reason
	}
	if lines := j.output.lines(j.lines); lines != "" {
		body += "\n\n" + lines
	}
	title, body, _ = mend.Texts(title, body, mend.Keep{End: true})
	if !e.failed() && first != "" {
		_, err := client.Notifications.Correct(ctx, j.channel, first, sininho.Correction{Title: &title, Body: &body})
		return err
	}
	in := sininho.PublishInput{Title: title, Body: body}
	if e.failed() {
		in.Importance = sininho.Important
	}
	_, err := client.Notifications.Publish(ctx, j.channel, in)
	if err == nil && first != "" {
		err = client.Notifications.Withdraw(ctx, j.channel, first)
	}
	return err
}

func onHost() string {
	if host, err := os.Hostname(); err == nil {
		return " on " + host
	}
	return ""
}

// ending is how a command ended.
type ending struct {
	code   int
	reason string // for people; empty if it succeeded
}

func (e ending) failed() bool { return e.reason != "" }

// outputGrace is how long to read what the processes write that a command has left behind.
const outputGrace = 5 * time.Second

// execute runs the command with the input and output of the program. When ctx ends, the command is asked to end.
func (j *job) execute(ctx context.Context) ending {
	//nolint:gosec,noctx // it is what the user asks for; the end of ctx does not kill it
	command := exec.Command(j.command[0], j.command[1:]...)
	command.Stdin = j.session.in
	command.Stdout, command.Stderr = io.MultiWriter(&j.output, j.session.out), io.MultiWriter(&j.output, j.session.err)
	command.WaitDelay = outputGrace
	if err := command.Start(); err != nil {
		j.session.talk("sininho: %v", err)
		code := 126
		if errors.Is(err, exec.ErrNotFound) || errors.Is(err, os.ErrNotExist) {
			code = 127
		}
		return ending{code, "could not be started"}
	}
	stop := context.AfterFunc(ctx, func() { _ = command.Process.Signal(syscall.SIGTERM) }) // it may have ended
	defer stop()
	_ = command.Wait() // the state says how it ended
	return endingOf(command.ProcessState)
}

func endingOf(state *os.ProcessState) ending {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return ending{128 + int(status.Signal()), "ended by the signal " + status.Signal().String()}
	}
	if code := state.ExitCode(); code != 0 {
		return ending{code, fmt.Sprintf("failed with exit code %d", code)}
	}
	return ending{}
}

// lastBytes is a writer that keeps the end of what is written to it, from several goroutines.
type lastBytes struct {
	mu   sync.Mutex
	text []byte
}

// Write implements io.Writer.
func (l *lastBytes) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = append(l.text, p[max(0, len(p)-maxTail):]...)
	if cut := len(l.text) - maxTail; cut > maxTail { // rarely, so that each byte is moved once
		l.text = append(l.text[:0], l.text[cut:]...)
	}
	return len(p), nil
}

// lines returns the last n lines, without those at the end that are empty.
func (l *lastBytes) lines(n int) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	text, _ := mend.UTF8(l.text)
	text, _ = mend.Prose(text)
	all := strings.Split(strings.TrimRight(text, " \t\n"), "\n")
	return strings.TrimSpace(strings.Join(all[max(0, len(all)-n):], "\n"))
}
