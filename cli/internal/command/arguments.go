package command

import (
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

// arguments returns the arguments that the command's ArgsUsage names. All are required but those in brackets.
func arguments(c *cli.Context) ([]string, error) {
	names := strings.Fields(c.Command.ArgsUsage)
	given := c.Args().Slice()
	if len(given) < len(names) && !strings.HasPrefix(names[len(given)], "[") {
		return nil, usageOf(c, "%s is missing; give %s", names[len(given)], c.Command.ArgsUsage)
	}
	if len(names) == 0 && len(given) > 0 {
		return nil, usageOf(c, "unexpected %q", given[0])
	}
	if len(given) > len(names) {
		return nil, usageOf(c, "unexpected %q after %s", given[len(names)], names[len(names)-1])
	}
	return given, nil
}

// channelArgument returns the only argument of a command, a channel.
func channelArgument(c *cli.Context) (string, error) {
	if c.NArg() > 1 {
		return "", usageOf(c, "unexpected %q after the channel", c.Args().Get(1))
	}
	return firstChannel(c)
}

// firstChannel returns the first argument of a command, a channel.
func firstChannel(c *cli.Context) (string, error) {
	if c.NArg() == 0 {
		return "", usageOf(c, "a channel is required, as publisher/channel")
	}
	_, err := sininho.ParseAddress(c.Args().First())
	return c.Args().First(), err
}

func noArguments(c *cli.Context) error {
	_, err := arguments(c)
	return err
}

// limits returns --limit, where 0 means no limit, and the page size to fetch with.
func limits(c *cli.Context) (limit, size int, err error) {
	limit = c.Int("limit")
	if limit < 0 {
		return 0, 0, usageOf(c, "--limit takes 0 (all) or more, not %d", limit)
	}
	if limit == 0 {
		return 0, 100, nil
	}
	return limit, min(limit, 100), nil
}

// optionalChannel returns the channel, or "" if none is given.
func optionalChannel(c *cli.Context) (string, error) {
	if c.NArg() == 0 {
		return "", nil
	}
	return channelArgument(c)
}

// given returns a flag's text, or nil if it is not on the command line.
func given(c *cli.Context, flag string) *string {
	if !c.IsSet(flag) {
		return nil
	}
	return new(c.String(flag))
}

func givenNumber(c *cli.Context, flag string) *int {
	if !c.IsSet(flag) {
		return nil
	}
	return new(c.Int(flag))
}

// somethingGiven refuses a command that would change nothing.
func somethingGiven(c *cli.Context) error {
	var names []string
	for _, f := range c.Command.Flags {
		name := f.Names()[0]
		if c.IsSet(name) {
			return nil
		}
		if name != cli.HelpFlag.Names()[0] {
			names = append(names, flagText(name))
		}
	}
	return usageOf(c, "nothing to change; use one of %s", strings.Join(names, ", "))
}

func idempotencyFlag() cli.Flag {
	return &cli.StringFlag{Name: "idempotency-key", Usage: "`KEY` with which repeating the command within 24 hours " +
		"creates nothing again; times must then be absolute, such as 2026-03-01T12:00:00Z"}
}

// callOptions returns the options of a call that creates something.
func callOptions(c *cli.Context) []sininho.CallOption {
	if !c.IsSet("idempotency-key") {
		return nil
	}
	return []sininho.CallOption{sininho.WithIdempotencyKey(c.String("idempotency-key"))}
}

// duration parses a Go duration such as 36h or 90m, or days such as 7d.
func duration(text string) (time.Duration, bool) {
	if days, found := strings.CutSuffix(text, "d"); found {
		n, err := strconv.ParseUint(days, 10, 16)
		return time.Duration(n) * 24 * time.Hour, err == nil && n > 0
	}
	d, err := time.ParseDuration(text)
	return d, err == nil && d > 0
}

// timeFlag returns a flag's time, or zero if it is not given.
func timeFlag(c *cli.Context, flag string) (time.Time, error) {
	at, err := parseTime(c, flag)
	if err != nil {
		return at, usageOf(c, "%v", err)
	}
	return at, nil
}

// futureTime is timeFlag for a time that must be in the future. With an idempotency key the server
// decides, because the time may have been in the future when the key was first used.
func futureTime(c *cli.Context, flag string) (time.Time, error) {
	at, err := timeFlag(c, flag)
	if err == nil && !at.IsZero() && at.Before(time.Now()) && !c.IsSet("idempotency-key") {
		err = usageOf(c, "%s takes a future time; %s has passed", flagText(flag), c.String(flag))
	}
	return at, err
}
