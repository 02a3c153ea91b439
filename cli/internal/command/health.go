package command

import (
	"fmt"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

const (
	defaultHours = 24
	hourly       = time.Hour
)

func healthCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:  "health",
		Usage: "show what waits, the servers, and what happened in the last hours",
		Description: "Failed pushes are counted by cause. A paused push service refuses pushes, which are attempted\n" +
			"again later. From 10,000 on, people, channels and devices are estimates.\n\n" +
			"QUEUE is how many steps of sending wait, each of up to 500 devices, and OLDEST how long the\n" +
			"oldest has waited. These, EVENTS and STREAMS are the highest values of an hour. RETRIED\n" +
			"pushes are attempted again; ERRORS are responses with a status of 500 or more.\n\n" +
			example("sininho admin health", "sininho admin health --hours 2 --node sininho-1:8080"),
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "hours", Usage: "the last `N` hours, 1 to 48", Value: defaultHours},
			&cli.StringFlag{Name: "node", Usage: "only what the server `NAME` did"},
		},
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			client, err := s.signInAsPerson()
			if err != nil {
				return err
			}
			h, err := client.Installation.Health(c.Context,
				sininho.HealthOptions{Hours: c.Int("hours"), Node: c.String("node")})
			if err != nil {
				return err
			}
			return quiet(s, s.writeHealth(h))
		},
	}
}

func (s *session) writeHealth(h *sininho.Health) error {
	if s.json {
		return s.writeJSON(h)
	}
	err := s.writeFields(append(totalsFields(h.Totals), [][2]string{
		{"queue", strconv.FormatInt(h.Queue.Jobs, 10)}, {"oldest", seconds(h.Queue.OldestSeconds)},
		{"events", strconv.FormatInt(h.Queue.Events, 10)},
	}...))
	if err != nil {
		return err
	}
	var nodes, hours [][]string
	for _, n := range h.Nodes {
		nodes = append(nodes, []string{oneLine(n.Name), moment(n.SeenAt), strconv.FormatInt(n.Streams, 10),
			strconv.FormatInt(n.Requests, 10), strconv.FormatInt(n.Errors, 10)})
	}
	for _, p := range inHours(h.Parts) {
		hours = append(hours, healthRow(p))
	}
	fmt.Fprintln(s.out)
	if err := s.writeTable("NODE\tSEEN\tSTREAMS\tREQUESTS\tERRORS", nodes); err != nil {
		return err
	}
	fmt.Fprintln(s.out)
	return s.writeTable("HOUR\tQUEUE\tOLDEST\tEVENTS\tPUBLISHED\tACCEPTED\tFAILED\tEXPIRED\tRETRIED\tSTREAMS"+
		"\tREQUESTS\tERRORS", hours)
}

// totalsFields says whom the installation reaches, and what kept it from that in the last hour and day.
func totalsFields(t sininho.HealthTotals) [][2]string {
	lastPush := "none in two days"
	if !t.LastPushAt.IsZero() {
		lastPush = moment(t.LastPushAt)
	}
	fields := [][2]string{
		{"people", fmt.Sprintf("%d, %d of them without an account", t.People, t.WithoutAccount)},
		{"channels", fmt.Sprintf("%d, %d of them private", t.Channels, t.PrivateChannels)},
		{"devices", fmt.Sprintf("%d that ring", t.Devices)},
		{"last push", lastPush},
		{"failed in an hour", causes(t.FailedLastHour)},
		{"failed in a day", causes(t.FailedLastDay)},
	}
	for _, p := range t.Paused {
		fields = append(fields, [2]string{"paused", oneLine(p.Service + ": " + p.Cause)})
	}
	return fields
}

func healthRow(p sininho.HealthPart) []string {
	n := func(of int64) string { return strconv.FormatInt(of, 10) }
	return []string{
		moment(p.At), n(p.Jobs), seconds(p.OldestSeconds), n(p.Events), n(p.Published), n(p.Accepted),
		causes(p.Failed), causes(p.Expired), causes(p.Retried), n(p.Streams), n(p.Requests), n(p.Errors),
	}
}

func seconds(of float64) string {
	return time.Duration(of * float64(time.Second)).Round(100 * time.Millisecond).String()
}

// inHours adds up the parts of each hour.
func inHours(parts []sininho.HealthPart) (hours []sininho.HealthPart) {
	for _, p := range parts {
		at := p.At.Truncate(hourly)
		if n := len(hours); n == 0 || !hours[n-1].At.Equal(at) {
			hours = append(hours, sininho.HealthPart{At: at, Failed: map[string]int64{}, Expired: map[string]int64{},
				Retried: map[string]int64{}})
		}
		addPart(&hours[len(hours)-1], p)
	}
	return hours
}

func addPart(to *sininho.HealthPart, p sininho.HealthPart) {
	to.Jobs, to.Events = max(to.Jobs, p.Jobs), max(to.Events, p.Events)
	to.OldestSeconds, to.Streams = max(to.OldestSeconds, p.OldestSeconds), max(to.Streams, p.Streams)
	to.Published += p.Published
	to.Accepted += p.Accepted
	to.Requests += p.Requests
	to.Errors += p.Errors
	addCauses(to.Failed, p.Failed)
	addCauses(to.Expired, p.Expired)
	addCauses(to.Retried, p.Retried)
}

func addCauses(to, more map[string]int64) {
	for cause, n := range more {
		to[cause] += n
	}
}
