// Command sininho-server is Sininho's server. Its commands are init, serve, waitlist, dev, migrate,
// operator-link, backup, restore, config check, config show, health and version.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"
	"text/tabwriter"
	_ "time/tzdata" // time zones of subscribers, in case the machine has none installed

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/server"
	"github.com/sininho/sininho/server/internal/dev"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	go func() { <-ctx.Done(); stop() }() // a second signal ends the process at once
	if err := app().RunContext(ctx, os.Args); err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "sininho-server:", err)
		os.Exit(1)
	}
}

func app() *cli.App {
	return &cli.App{
		Name: "sininho-server", Usage: "notification channels: the server", HideVersion: true,
		Suggest: true, ExitErrHandler: func(*cli.Context, error) {},
		Commands: []*cli.Command{
			initCommand(),
			{Name: "serve", Usage: "run the server with the settings in the environment or in a file", Action: serve,
				Flags: []cli.Flag{envFileFlag()}},
			{Name: "waitlist", Usage: "run only the waiting list, for a main server elsewhere", Action: serveWaitlist,
				Flags: []cli.Flag{envFileFlag()}},
			{Name: "dev", Usage: "run everything on this machine, without accounts or settings", Action: develop,
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "addr", Value: "localhost:8080", Usage: "`HOST:PORT` to listen on"},
					&cli.StringFlag{Name: "data", Value: ".sininho", Usage: "`DIRECTORY` for all data"},
					&cli.StringFlag{Name: "limits", Value: "on", Usage: "rate limits: on or off"},
					&cli.StringFlag{Name: "push", DefaultText: "both",
						Usage: "what takes pushes: fcm, webpush or both"},
					&cli.StringFlag{Name: "sign-in", DefaultText: "google,oidc,email",
						Usage: "how people sign in: google, oidc, email, passkey, or several with commas between"},
				}},
			{Name: "migrate", Usage: "migrate the database and print the address of the demo webhook", Action: migrate,
				Flags: []cli.Flag{envFileFlag()}},
			{Name: "operator-link", Usage: "print a link by which one person signs up and becomes an operator",
				Action: operatorLink, Flags: []cli.Flag{envFileFlag(), &cli.BoolFlag{Name: "only",
					Usage: "those who came in by earlier links are operators no longer once it is used"}}},
			{Name: "backup", Usage: "write a backup of the database into a new file", ArgsUsage: "FILE",
				Action: writeBackup, Flags: []cli.Flag{envFileFlag()}},
			{Name: "restore", Usage: "restore a backup into an empty database", ArgsUsage: "FILE", Action: restore,
				Flags: []cli.Flag{envFileFlag()}},
			{Name: "config", Usage: "inspect the settings", Subcommands: []*cli.Command{
				{Name: "check", Usage: "list missing and invalid settings", Action: check,
					Flags: []cli.Flag{envFileFlag()}},
				{Name: "show", Usage: "list all settings in force, without secrets", Action: show,
					Flags: []cli.Flag{envFileFlag()}},
			}},
			{Name: "health", Usage: "check that the server on this machine is ready, as a container's health check",
				Action: checkHealth, Flags: []cli.Flag{envFileFlag()}},
			{Name: "version", Usage: "print the version, the commit and the platform", Action: printVersion},
		},
	}
}

func serve(c *cli.Context) error { return run(c, server.ReadConfig, server.New) }

func serveWaitlist(c *cli.Context) error {
	return run(c, server.ReadWaitlistConfig, server.NewWaitlist)
}

// service serves until its context is done.
type service interface {
	Serve(ctx context.Context, l net.Listener) error
	Close() error
}

// run reads the settings, starts the server's own database if it has one, migrates the database and serves.
func run[S service](c *cli.Context, read func(environment map[string]string) (server.Config, error),
	open func(context.Context, server.Config, *slog.Logger) (S, error)) error {
	variables, err := environment(c)
	if err != nil {
		return err
	}
	settings, err := read(variables)
	if err != nil {
		return err
	}
	log, own := settings.Logger(), settings.OwnDatabase()
	l, err := server.Listen(c.Context, settings.ListenAddr)
	if err != nil {
		return err
	}
	if l, err = settings.Secure(c.Context, l, log); err != nil {
		return err
	}
	return serveDatabase(c.Context, settings, log, func(ctx context.Context, settings server.Config) error {
		if err := prepare(ctx, &settings, own, log); err != nil {
			return err
		}
		s, err := open(ctx, settings, log)
		if err != nil {
			return err
		}
		server.TuneMemory()
		log.InfoContext(ctx, "serving", "what", c.Command.Name, "addr", l.Addr().String(), "url", settings.PublicURL)
		return errors.Join(s.Serve(ctx, l), s.Close())
	})
}

const welcome = `
  Sininho    %s
  API        %s/api/v1/openapi.json
  Mailbox    %s
  Settings   %s/dev.env

  Ctrl-C stops it. The data is kept.

`

func develop(c *cli.Context) error {
	if l := c.String("limits"); l != "on" && l != "off" {
		return fmt.Errorf("--limits must be on or off, not %q", l)
	}
	if c.Args().Present() {
		return fmt.Errorf("dev takes no arguments, but got %q", c.Args().First())
	}
	environment := server.Environment()
	switch by := c.String("push"); by {
	case "": // what the environment says
	case "both":
		environment["PUSH"] = "fcm,webpush"
	case "fcm", "webpush":
		environment["PUSH"] = by
	default:
		return fmt.Errorf("--push must be fcm, webpush or both, not %q", by)
	}
	if ways := c.String("sign-in"); ways != "" {
		environment["SIGN_IN"] = ways // the settings are checked when they are read
	}
	level := slog.LevelWarn
	if os.Getenv("LOG_LEVEL") == "debug" {
		level = slog.LevelDebug
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: level}))
	d, err := dev.Start(c.Context, dev.Config{Addr: c.String("addr"), Dir: c.String("data"),
		LimitsOff: c.String("limits") == "off", Environment: environment, Seed: true, Followers: true,
		Log: log})
	if err != nil {
		return err
	}
	server.TuneMemory()
	fmt.Printf(welcome, d.URL, d.URL, d.StandIns.Mail.URL(), c.String("data"))
	return d.Serve(c.Context)
}

func migrate(c *cli.Context) error {
	variables, err := environment(c)
	if err != nil {
		return err
	}
	settings, err := server.ReadMigrateConfig(variables)
	if err != nil {
		return err
	}
	return useDatabase(c.Context, settings, func(ctx context.Context, settings server.Config) error {
		if err := server.Migrate(ctx, settings, settings.Logger()); err != nil {
			return err
		}
		address, err := server.Demo(ctx, settings)
		if err != nil {
			return err
		}
		fmt.Println("DEMO_WEBHOOK_URL=" + address)
		return nil
	})
}

func operatorLink(c *cli.Context) error {
	variables, err := environment(c)
	if err != nil {
		return err
	}
	settings, err := server.ReadConfig(variables)
	if err != nil {
		return err
	}
	return useDatabase(c.Context, settings, func(ctx context.Context, settings server.Config) error {
		link, err := server.OperatorLink(ctx, settings, c.Bool("only"))
		if err == nil {
			fmt.Fprintln(c.App.Writer, link)
		}
		return err
	})
}

func check(c *cli.Context) error {
	variables, err := environment(c)
	if err != nil {
		return err
	}
	settings, err := server.ReadConfig(variables)
	if err == nil {
		err = settings.CheckPush(c.Context)
	}
	if err != nil {
		return err
	}
	fmt.Println("The settings are complete.")
	// The mail server may be down while the settings are right, and a check before each start must not depend on it.
	if err := settings.CheckMail(c.Context); err != nil {
		fmt.Println("Warning: the mail server takes no emails:", err)
	}
	return nil
}

// show lists the settings even if some are missing or invalid, and then fails with those.
func show(c *cli.Context) error {
	variables, err := environment(c)
	if err != nil {
		return err
	}
	settings, err := server.ReadConfig(variables)
	table := tabwriter.NewWriter(c.App.Writer, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "SETTING\tVALUE\tFROM")
	for _, s := range settings.Settings() {
		fmt.Fprintf(table, "%s\t%s\t%s\n", s.Name, s.Value, s.Source)
	}
	return errors.Join(table.Flush(), err)
}
