// Command git-commits publishes the commits of a git repository to Sininho: a channel for each
// branch, a notification for each commit. It is an example of a publisher that uses the Go SDK, and
// can be run repeatedly: by hand, from cron or from a hook.
//
// See README.md.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/sininho/sininho/pkg/sininho"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr, os.Getenv); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "git-commits:", err)
		}
		os.Exit(1)
	}
}

// config says what to publish and where.
type config struct {
	repository string
	publisher  string
	branches   []string
	prefix     string
	category   string
	link       string
	limit      int
	parallel   int
	quiet      bool
}

// run publishes new commits and writes a summary to stdout and progress to stderr.
func run(ctx context.Context, args []string, stdout, stderr io.Writer, env func(string) string) error {
	c, err := parseFlags(args, stderr)
	if err != nil {
		return err
	}
	key := env("SININHO_API_KEY")
	if key == "" {
		return errors.New("SININHO_API_KEY is not set; it is the API key of the publisher")
	}
	opts := []sininho.Option{sininho.WithAPIKey(key), sininho.WithRetries(8)}
	if url := env("SININHO_URL"); url != "" {
		opts = append(opts, sininho.WithBaseURL(url))
	}
	client, err := sininho.New(opts...)
	if err != nil {
		return err
	}
	defer client.CloseIdleConnections()
	p := &publisher{
		config: c, client: client, repository: repository{dir: c.repository}, progress: newProgress(stderr, c.quiet),
	}
	summary, err := p.publishAll(ctx)
	summary.write(stdout)
	return err
}

// branchFlag collects --branch, which may be repeated or contain several branches separated by commas.
type branchFlag struct{ names *[]string }

func (b branchFlag) String() string { return "" }

func (b branchFlag) Set(value string) error {
	*b.names = append(*b.names, strings.Split(value, ",")...)
	return nil
}

func parseFlags(args []string, stderr io.Writer) (config, error) {
	c := config{}
	flags := flag.NewFlagSet("git-commits", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&c.repository, "repo", ".", "the repository's `directory`")
	flags.StringVar(&c.publisher, "publisher", "demo", "`slug` of the publisher that the API key belongs to")
	flags.Var(branchFlag{&c.branches}, "branch",
		"publish only this `branch`, or HEAD; may be repeated (default: all local branches)")
	flags.StringVar(&c.prefix, "prefix", "", "`text` to begin each channel's slug with, to tell repositories apart")
	flags.StringVar(&c.category, "category", "",
		"`slug` of the category of new channels (default: tecnologia, or the first there is)")
	flags.StringVar(&c.link, "link", "",
		"`address` of a commit, with {hash} in it, as https://github.com/o/r/commit/{hash}")
	flags.IntVar(&c.limit, "limit", 0, "publish only the newest `n` commits of each branch (default: all)")
	flags.IntVar(&c.parallel, "parallel", 4, "how many `channels` to publish to at once")
	flags.BoolVar(&c.quiet, "quiet", false, "show no progress")
	if err := flags.Parse(args); err != nil {
		return c, err
	}
	return c, c.check(flags.Args())
}

func (c config) check(rest []string) error {
	var faults []error
	if len(rest) > 0 {
		faults = append(faults, fmt.Errorf("unexpected %q; a branch is named with --branch", rest[0]))
	}
	if !sininho.IsSlug(c.publisher) {
		faults = append(faults, fmt.Errorf("--publisher takes a slug, not %q", c.publisher))
	}
	if c.link != "" && !strings.Contains(c.link, "{hash}") {
		faults = append(faults, errors.New("--link must hold {hash}"))
	}
	if c.limit < 0 || c.parallel < 1 || c.parallel > 32 {
		faults = append(faults, errors.New("--limit takes 0 or more, --parallel 1 to 32"))
	}
	return errors.Join(faults...)
}
