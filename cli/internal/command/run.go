// Package command is the sininho command line: one file per noun, with injected streams, so that
// tests can run it in process. It talks to a server only through pkg/sininho, stores only the
// credentials of 'sininho login', and reads secrets from the environment or stdin, never from a flag.
//
// Data goes to stdout and messages go to stderr. Exit codes: 0 done, 1 failed, 2 wrong usage, 4 not
// signed in, 130 interrupted.
package command

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/urfave/cli/v2"
)

// The exit codes.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitNotSignedIn = 4
	exitInterrupted = 130
)

// Run runs one command line, without the program's name, and returns the exit code. It returns soon after ctx ends.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, env func(string) string) int {
	s := newSession(stdin, stdout, stderr, env)
	defer s.close()
	app := newApp(s)
	if len(args) > 0 && args[0] == completeCommand {
		complete(ctx, s, app, args[1:])
		return exitDone
	}
	arranged, err := arrange(app, args)
	if err == nil {
		err = app.RunContext(ctx, append([]string{app.Name}, arranged...))
	}
	switch {
	case ctx.Err() != nil && (err == nil || errors.Is(err, ctx.Err())):
		s.talk("interrupted")
		return exitInterrupted
	case s.out.broken() && err == nil:
		return exitDone
	case err != nil:
		return s.explain(err)
	}
	return exitDone
}

func newApp(s *session) *cli.App {
	app := &cli.App{
		Name:            "sininho",
		Usage:           "publish to Sininho channels, follow and read them",
		Description:     description,
		HideHelpCommand: true,
		HideVersion:     true,
		Writer:          s.out,
		ErrWriter:       s.err,
		Reader:          s.in,
		ExitErrHandler:  func(*cli.Context, error) {},
		OnUsageError:    usageFault,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "url", Destination: &s.url, Usage: "the server's `ADDRESS` " +
				"(default: SININHO_URL, else that of your latest sign-in, else http://localhost:8080)"},
			&cli.StringFlag{Name: "account", Aliases: []string{"profile"}, Destination: &s.account,
				Usage: "`NAME` of the sign-in to use, as listed by 'sininho accounts list' " +
					"(default: SININHO_ACCOUNT, else the one in use)"},
			&cli.BoolFlag{Name: "json", Usage: "write JSON, one line per item", Destination: &s.json},
			&cli.StringFlag{Name: "jq", Destination: &s.query,
				Usage: "write the results of the jq `EXPRESSION` for each line of JSON, strings without quotes"},
		},
		Commands: []*cli.Command{
			loginCommand(s), logoutCommand(s), whoamiCommand(s),
			publishCommand(s), runCommand(s),
			notificationsCommand(s), deliveriesCommand(s), draftsCommand(s), templatesCommand(s),
			publishersCommand(s), channelsCommand(s), keysCommand(s), webhooksCommand(s), endpointsCommand(s),
			feedCommand(s), feedAddressCommand(s), tailCommand(s), listenCommand(s),
			followCommand(s), unfollowCommand(s), subscriptionsCommand(s),
			invitationsCommand(s), devicesCommand(s), profileCommand(s), tokensCommand(s), sessionsCommand(s),
			accountsCommand(s), reportCommand(s), adminCommand(s),
			waitlistCommand(s), importCommand(s), completionCommand(s), apiCommand(s), docsCommand(s),
			versionCommand(s),
		},
	}
	eachCommand(app.Commands, func(c *cli.Command) {
		c.OnUsageError = usageFault
		c.HideHelpCommand = true
		c.Before = func(c *cli.Context) error {
			s.running = c
			if err := s.compileQuery(); err != nil {
				return usageOf(c, "%v", err)
			}
			return nil
		}
	})
	return app
}

const description = `Sign in with 'sininho login'; programs set SININHO_API_KEY to an API key of a publisher
(snh_live_…) or a person's access token (sna_live_…), or SININHO_API_KEY_FILE to the path of a
file with it, which take precedence over the sign-in.
Commands that only a person can run ignore an API key. SININHO_URL is the server's address.
Several sign-ins can be saved; --account or SININHO_ACCOUNT selects one.

Data goes to stdout, messages to stderr. Exit codes: 0 done, 1 failed, 2 wrong usage,
4 not signed in, 130 interrupted. NO_COLOR disables styling and prompts; commands that
delete something then require --yes.

In the examples acme and acme/deploys stand for your publisher and channel. If the names
are free, create them with:
sininho publishers create acme --name Acme
sininho channels create acme/deploys --name Deploys --category tecnologia
The examples also read and follow metro/linhas, which 'make run' serves.`

// example returns the last part of a command's description.
func example(lines ...string) string {
	text := "Example: " + strings.Join(lines, "\n         ")
	if keepsSecret(text) {
		text += "\n\nRun 'umask 077' first, so that nobody else may read the file."
	}
	if strings.Contains(text, "acme") {
		text += "\n\nacme is only an example: replace it with your publisher and channel."
	}
	return text
}

// keepsSecret reports whether an example writes a secret into a file.
func keepsSecret(example string) bool {
	return strings.Contains(example, " > key") || strings.Contains(example, " > secret")
}

func eachCommand(commands []*cli.Command, visit func(*cli.Command)) {
	for _, c := range commands {
		visit(c)
		eachCommand(c.Subcommands, visit)
	}
}

func usageFault(c *cli.Context, err error, _ bool) error { return usageOf(c, "%v", err) }
