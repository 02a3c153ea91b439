package command

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func deliveriesCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "deliveries",
		Usage:     "show the delivery summary of a notification, or of a channel over time",
		ArgsUsage: "CHANNEL [ID]",
		UsageText: "sininho deliveries CHANNEL ID [--wait]\n" +
			"sininho deliveries CHANNEL [--from TIME] [--until TIME] [--interval hour|day]",
		Description: "A TIME is 2026-03-01T12:00:00Z, 2026-03-01, or a duration before now: 36h or 7d.\n" +
			"Days and hours are in UTC.\n\n" +
			example("sininho deliveries acme/deploys 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f --wait",
				"sininho deliveries acme/deploys --from 7d"),
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "wait", Usage: "wait until every device has its outcome, including quiet hours"},
			&cli.StringFlag{Name: "from", Usage: "`TIME` to begin at (default: 30 days before the end)"},
			&cli.StringFlag{Name: "until", Usage: "`TIME` to end at (default: now)"},
			&cli.StringFlag{Name: "interval", Usage: "`LENGTH` of the intervals: hour or day (default: day)"},
		},
		Action: func(c *cli.Context) error { return showDeliveries(s, c) },
	}
}

func showDeliveries(s *session, c *cli.Context) error {
	args, err := arguments(c)
	if err != nil {
		return err
	}
	isOverTime := c.IsSet("from") || c.IsSet("until") || c.IsSet("interval")
	switch {
	case len(args) == 2 && isOverTime:
		return usageOf(c, "--from, --until and --interval apply to a channel; leave the id out")
	case len(args) == 1 && c.Bool("wait"):
		return usageOf(c, "--wait is for one notification; give its id")
	case len(args) == 1:
		return deliveriesOverTime(s, c, args[0])
	}
	client, err := s.signIn()
	if err != nil {
		return err
	}
	deliveries, err := s.deliveries(c, client, args[0], args[1])
	if err != nil {
		return err
	}
	return s.writeDeliveries(deliveries)
}

func deliveriesOverTime(s *session, c *cli.Context, channel string) error {
	opts := sininho.DeliveriesOptions{Interval: sininho.Interval(c.String("interval"))}
	var err error
	if opts.From, err = pastTime(c, "from"); err != nil {
		return err
	}
	if opts.Until, err = pastTime(c, "until"); err != nil {
		return err
	}
	client, err := s.signIn()
	if err != nil {
		return err
	}
	numbers, err := client.Channels.Deliveries(c.Context, channel, opts)
	if err != nil {
		return err
	}
	return s.writeNumbers(numbers)
}

// pastTime returns a flag's time, which may be a duration before now; zero if it is not given.
func pastTime(c *cli.Context, flag string) (time.Time, error) {
	if !c.IsSet(flag) {
		return time.Time{}, nil
	}
	text := c.String(flag)
	if ago, ok := duration(text); ok {
		return time.Now().Add(-ago), nil
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if at, err := time.Parse(layout, text); err == nil {
			return at, nil
		}
	}
	return time.Time{}, usageOf(c, "%s takes a time such as 2026-03-01T12:00:00Z or 2026-03-01, "+
		"or a duration before now such as 36h or 7d, not %q", flagText(flag), text)
}

// writeNumbers writes a line for each interval with a dispatch and their total, then the audience.
func (s *session) writeNumbers(d *sininho.ChannelDeliveries) error {
	if s.json {
		return quiet(s, s.writeJSON(d))
	}
	audience := [][2]string{{"audience", audienceText(d.Audience)}}
	if len(d.Data) == 0 {
		s.talk("Nothing was dispatched from %s to %s.", moment(d.From), moment(d.Until))
		return quiet(s, s.writeFields(audience))
	}
	layout := time.DateOnly
	if d.Interval == sininho.Hourly {
		layout = "2006-01-02 15:04Z"
	}
	var rows [][]string
	for _, part := range d.Data {
		rows = append(rows, numbersRow(part.At.UTC().Format(layout), part.Counts))
	}
	rows = append(rows, numbersRow("total", d.Total))
	err := s.writeTable(
		"TIME\tNOTIFICATIONS\tDEVICES\tPENDING\tACCEPTED\tDISPLAYED\tOPENED\tFAILED\tSUPPRESSED\tEXPIRED", rows)
	if err != nil {
		return quiet(s, err)
	}
	return quiet(s, s.writeFields(audience))
}

// audienceText formats whom a notification would reach now, such as "412 people, 318 ring".
func audienceText(a sininho.ChannelAudience) string {
	ring := fmt.Sprintf("%d ring", a.Ringing)
	if a.Ringing == 1 {
		ring = "1 rings"
	}
	if a.Estimated {
		ring = "about " + ring
	}
	if a.RingingImportant != a.Ringing {
		ring += fmt.Sprintf(" (%d if it is important)", a.RingingImportant)
	}
	return people(a.Followers) + ", " + ring
}

func numbersRow(name string, n sininho.DeliveryCounts) []string {
	row := []string{name}
	for _, count := range []int64{n.Notifications, n.Targeted, n.Pending, n.Accepted, n.Displayed, n.Opened} {
		row = append(row, strconv.FormatInt(count, 10))
	}
	return append(row, causes(n.Failed), causes(n.Suppressed), causes(n.Expired))
}

// deliveries fetches the summary once or, with --wait, until all deliveries are finished. Targeted grows while
// devices are still being found, so the progress line says "found so far".
func (s *session) deliveries(c *cli.Context, client *sininho.Client, channel, id string) (*sininho.Deliveries, error) {
	wait := 250 * time.Millisecond
	for shown := ""; ; wait = min(2*wait, 5*time.Second) {
		d, err := client.Notifications.Deliveries(c.Context, channel, id)
		if err != nil || d.Finished || !c.Bool("wait") {
			return d, err
		}
		if line := fmt.Sprintf("%d devices found so far, %d of them pending", d.Targeted, d.Pending); line != shown {
			shown = line
			s.talk("%s", line)
		}
		if err := pause(c.Context, wait); err != nil {
			return nil, err
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *session) writeDeliveries(d *sininho.Deliveries) error {
	if s.json {
		return quiet(s, s.writeJSON(d))
	}
	var by string
	if d.PublishedBy != nil {
		by = actor(*d.PublishedBy)
	}
	return quiet(s, s.writeFields([][2]string{
		{"published by", by},
		{"targeted", strconv.FormatInt(d.Targeted, 10)}, {"pending", strconv.FormatInt(d.Pending, 10)},
		{"suppressed", causes(d.Suppressed)}, {"accepted", strconv.FormatInt(d.Accepted, 10)},
		{"failed", causes(d.Failed)}, {"expired", causes(d.Expired)},
		{"displayed", people(d.Displayed)}, {"opened", people(d.Opened)}, {"finished", yesNo(d.Finished)},
	}))
}

func people(n int64) string {
	if n == 1 {
		return "1 person"
	}
	return fmt.Sprintf("%d people", n)
}

// causes formats counts as their sum followed by the count of each cause.
func causes(counts map[string]int64) string {
	var sum int64
	var parts []string
	for _, cause := range slices.Sorted(maps.Keys(counts)) {
		sum += counts[cause]
		parts = append(parts, fmt.Sprintf("%s %d", cause, counts[cause]))
	}
	if len(parts) == 0 {
		return "0"
	}
	return fmt.Sprintf("%d (%s)", sum, strings.Join(parts, ", "))
}
