package command

import (
	"cmp"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func failingEndpointsCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:  "endpoints",
		Usage: "list the failing event endpoints of all publishers",
		Description: "An endpoint that accepts no event is paused, longer after each failure, up to an hour. After\n" +
			"5 days it is switched off until its publisher switches it on.\n\n" + example("sininho admin endpoints"),
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, _ []string) error {
			return writeList(s, client.Installation.FailingEventEndpoints(c.Context), 0, "No event endpoint fails.",
				"PUBLISHER\tNAME\tHOST\tSTATE\tFAILING SINCE\tWAITING\tCAUSE", failingEndpointRow)
		}),
	}
}

func failingEndpointRow(e sininho.FailingEventEndpoint) []string {
	state := "failing"
	switch {
	case !e.Enabled:
		state = "off"
	case !e.PausedUntil.IsZero():
		state = "paused until " + moment(e.PausedUntil)
	}
	return []string{e.PublisherSlug, oneLine(e.Name), oneLine(e.Host), state, moment(e.FailingSince),
		strconv.FormatInt(e.Pending, 10), failureCause(e)}
}

func failureCause(e sininho.FailingEventEndpoint) string {
	if e.LastStatus > 0 {
		return "HTTP " + strconv.Itoa(e.LastStatus)
	}
	return oneLine(cmp.Or(e.LastError, e.DisabledReason, "-"))
}
