package command

import (
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

// planOptions are the flags that say when a template repeats.
func planOptions() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "on", Usage: "`DAYS` on which it repeats, with commas: weekdays such as monday,friday, " +
			"days of the month such as 1,15, or daily; never ends it"},
		&cli.StringFlag{Name: "at", Usage: "`TIME` of these days, such as 17:00"},
		&cli.StringFlag{Name: "timezone", Usage: "`NAME` of the timezone, such as Europe/Lisbon"},
		&cli.BoolFlag{Name: "draft", Usage: "make a draft of yours instead of publishing"},
		&cli.StringFlag{Name: "starts-at",
			Usage: "`TIME` before which nothing is made: 2026-03-01T12:00:00Z, or 2h from now"},
		&cli.StringFlag{Name: "ends-at", Usage: "`TIME` after which nothing is made"},
	}
}

var everyDay = []sininho.Weekday{sininho.Monday, sininho.Tuesday, sininho.Wednesday, sininho.Thursday, sininho.Friday,
	sininho.Saturday, sininho.Sunday}

// planGiven returns what the planOptions say: nil without any, and a zero plan to end one.
func planGiven(c *cli.Context) (*sininho.Plan, error) {
	rest := []string{"at", "timezone", "draft", "starts-at", "ends-at"}
	switch on := c.String("on"); {
	case !c.IsSet("on"):
		if i := slices.IndexFunc(rest, c.IsSet); i >= 0 {
			return nil, usageOf(c, "--%s goes with --on, which says on which days", rest[i])
		}
		return nil, nil
	case on == "never":
		if i := slices.IndexFunc(rest, c.IsSet); i >= 0 {
			return nil, usageOf(c, "--%s does not go with --on never", rest[i])
		}
		return &sininho.Plan{}, nil
	case !c.IsSet("at") || !c.IsSet("timezone"):
		return nil, usageOf(c, "--on needs --at and --timezone, such as --at 17:00 --timezone Europe/Lisbon")
	}
	p := &sininho.Plan{Makes: sininho.MakesNotification, Time: c.String("at"), Timezone: c.String("timezone")}
	if c.Bool("draft") {
		p.Makes = sininho.MakesDraft
	}
	var err error
	if p.Weekdays, p.MonthDays, err = daysGiven(c); err != nil {
		return nil, err
	}
	if p.StartsAt, err = parseTime(c, "starts-at"); err != nil {
		return nil, usageOf(c, "%v", err)
	}
	if p.EndsAt, err = parseTime(c, "ends-at"); err != nil {
		return nil, usageOf(c, "%v", err)
	}
	return p, nil
}

// daysGiven returns the days of --on.
func daysGiven(c *cli.Context) (week []sininho.Weekday, month []int, err error) {
	if c.String("on") == "daily" {
		return everyDay, nil, nil
	}
	for given := range strings.SplitSeq(c.String("on"), ",") {
		day := sininho.Weekday(strings.ToLower(strings.TrimSpace(given)))
		number, err := strconv.Atoi(string(day))
		switch {
		case slices.Contains(everyDay, day):
			week = append(week, day)
		case err == nil && number >= 1 && number <= 31:
			month = append(month, number)
		default:
			return nil, nil, usageOf(c, "--on takes weekdays such as monday,friday, days of the month such as 1,15, "+
				"daily or never, not %q", given)
		}
	}
	return week, month, nil
}
