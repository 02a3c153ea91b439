package command

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func endpointsTestCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "test",
		Usage:       "send a test event and show the result of the first attempt",
		ArgsUsage:   "PUBLISHER ID",
		Description: example("sininho endpoints test acme 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f"),
		Flags:       []cli.Flag{noWaitFlag()},
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, args []string) error {
			d, err := client.EventEndpoints.Test(c.Context, args[0], args[1])
			if err != nil {
				return err
			}
			return s.await(c, client, args[0], args[1], d)
		}),
	}
}

func noWaitFlag() cli.Flag {
	return &cli.BoolFlag{Name: "no-wait", Usage: "do not wait for the attempt"}
}

// longestAttempt bounds the wait for an attempt that should happen at once.
const longestAttempt = time.Minute

// await waits for one more attempt of a delivery and reports its result.
func (s *session) await(c *cli.Context, client *sininho.Client, publisher, id string, d *sininho.EventDelivery) error {
	detail := &sininho.EventDeliveryDetail{
		ID: d.ID, Type: d.Type, Status: d.Status, CreatedAt: d.CreatedAt, NextAttemptAt: d.NextAttemptAt,
	}
	wait := 100 * time.Millisecond
	for deadline := time.Now().Add(longestAttempt); !c.Bool("no-wait"); wait = min(2*wait, 2*time.Second) {
		var err error
		if detail, err = client.EventEndpoints.Delivery(c.Context, publisher, id, d.ID); err != nil {
			return err
		}
		// A delivery that was resent twice in a row is due again after the first attempt.
		due := detail.Status == sininho.DeliveryPending && !detail.NextAttemptAt.After(time.Now())
		tried := len(detail.Attempts) > d.Attempts && !due
		if tried || detail.Status == sininho.DeliveryFailed || time.Now().After(deadline) {
			break
		}
		if err := pause(c.Context, wait); err != nil {
			return err
		}
	}
	if err := s.writeDelivery(detail); err != nil {
		return err
	}
	if detail.Status == sininho.DeliveryDelivered || c.Bool("no-wait") {
		return nil
	}
	s.talk("It has not arrived yet; see 'sininho endpoints delivery %s %s %s'.", publisher, id, d.ID)
	return errReported
}

func endpointsDeliveriesCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "deliveries",
		Usage:     "list the deliveries to an event endpoint, newest first",
		ArgsUsage: "PUBLISHER ID",
		Description: "Deliveries are kept for 30 days.\n\n" +
			example("sininho endpoints deliveries acme 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f --status failed"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "status", Usage: "only deliveries with this `STATUS`: pending, delivered or failed"},
			&cli.IntFlag{Name: "limit", Usage: "at most `N`; 0 for all", Value: 30},
		},
		Action: func(c *cli.Context) error {
			args, err := arguments(c)
			if err != nil {
				return err
			}
			limit, _, err := limits(c)
			if err != nil {
				return err
			}
			client, err := s.signInAsPerson()
			if err != nil {
				return err
			}
			list := client.EventEndpoints.Deliveries(c.Context, args[0], args[1],
				sininho.EventDeliveryStatus(c.String("status")))
			return writeList(s, list, limit, "There is no delivery.",
				"CREATED\tDELIVERY\tTYPE\tSTATUS\tATTEMPTS\tLATEST RESPONSE", deliveryRow)
		},
	}
}

func deliveryRow(d sininho.EventDelivery) []string {
	return []string{
		moment(d.CreatedAt), d.ID, oneLine(string(d.Type)), string(d.Status), strconv.Itoa(d.Attempts),
		responseText(d.LastStatus, d.LastError),
	}
}

// responseText returns the status of a response, or the failure that prevented one.
func responseText(status int, fault string) string {
	if status != 0 {
		return strconv.Itoa(status)
	}
	return oneLine(cmp.Or(fault, "-"))
}

func endpointsDeliveryCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "delivery",
		Usage:     "show a delivery with its payload and attempts",
		ArgsUsage: "PUBLISHER ID DELIVERY",
		Description: example("sininho endpoints delivery acme " +
			"0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f 0199c2f5-7a10-7c3e-9f3d-0a1b2c3d4e5f"),
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, args []string) error {
			d, err := client.EventEndpoints.Delivery(c.Context, args[0], args[1], args[2])
			if err != nil {
				return err
			}
			return s.writeDelivery(d)
		}),
	}
}

func (s *session) writeDelivery(d *sininho.EventDeliveryDetail) error {
	if s.json {
		return quiet(s, s.writeJSON(d))
	}
	payload := ""
	if d.Payload.Type != "" {
		text, err := json.Marshal(d.Payload)
		if err != nil {
			return err
		}
		payload = string(text)
	}
	err := s.writeFields([][2]string{
		{"delivery", d.ID}, {"type", string(d.Type)}, {"status", string(d.Status)}, {"created", moment(d.CreatedAt)},
		{"delivered", moment(d.DeliveredAt)}, {"next attempt", moment(d.NextAttemptAt)}, {"payload", payload},
	})
	if err != nil || len(d.Attempts) == 0 {
		return quiet(s, err)
	}
	var rows [][]string
	for _, a := range d.Attempts {
		rows = append(rows, []string{
			moment(a.At), responseText(a.Status, a.Error), strconv.Itoa(a.DurationMs) + " ms", oneLine(a.Answer),
		})
	}
	fmt.Fprintln(s.out)
	return quiet(s, s.writeTable("ATTEMPT\tRESPONSE\tDURATION\tBODY", rows))
}

func endpointsResendCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "resend",
		Usage:     "send a delivery again at once, even if it had failed for good",
		ArgsUsage: "PUBLISHER ID DELIVERY",
		Description: "It keeps its id and payload.\n\n" + example("sininho endpoints resend acme "+
			"0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f 0199c2f5-7a10-7c3e-9f3d-0a1b2c3d4e5f"),
		Flags: []cli.Flag{noWaitFlag()},
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, args []string) error {
			d, err := client.EventEndpoints.Resend(c.Context, args[0], args[1], args[2])
			if err != nil {
				return err
			}
			return s.await(c, client, args[0], args[1], d)
		}),
	}
}
