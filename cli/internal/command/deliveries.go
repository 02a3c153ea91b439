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
		Name:        "deliveries",
		Usage:       "tell what became of a notification on the devices it was for",
		ArgsUsage:   "CHANNEL ID",
		Description: example("sininho deliveries acme/deploys 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f --wait"),
		Flags:       []cli.Flag{&cli.BoolFlag{Name: "wait", Usage: "wait until every device has its outcome, quiet hours included"}},
		Action: func(c *cli.Context) error {
			args, err := arguments(c)
			if err != nil {
				return err
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
		},
	}
}

// deliveries asks once or, with --wait, until all is finished.
func (s *session) deliveries(c *cli.Context, client *sininho.Client, channel, id string) (*sininho.Deliveries, error) {
	wait := 250 * time.Millisecond
	for told := int64(-1); ; wait = min(2*wait, 5*time.Second) {
		d, err := client.Notifications.Deliveries(c.Context, channel, id)
		if err != nil || d.Finished || !c.Bool("wait") {
			return d, err
		}
		if d.Pending != told {
			told = d.Pending
			s.talk("%d of %d devices pending", d.Pending, d.Targeted)
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
	return quiet(s, s.writeFields([][2]string{
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

// causes writes a sum and what it is made of.
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
