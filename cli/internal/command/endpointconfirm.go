package command

import (
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func endpointsConfirmCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:      "confirm",
		Usage:     "confirm an event endpoint, which gets no events before",
		ArgsUsage: "PUBLISHER ID",
		Description: "Posts a challenge to the endpoint, whose receiver responds with its signature. If it cannot,\n" +
			"run the command again with the challenge from the receiver's log, within an hour.\n\n" +
			example("sininho endpoints confirm acme 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f",
				"sininho endpoints confirm acme 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f "+
					"--challenge 3kTMd8yWqvXb2RzLpN5cHs"),
		Flags: []cli.Flag{
			&cli.StringFlag{
				Name: "challenge", Usage: "`TEXT` that the receiver got as \"challenge\"; none is posted then",
			},
		},
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, args []string) error {
			e, err := s.confirmEndpoint(c, client, args[0], args[1])
			if err != nil {
				return err
			}
			s.talk("Confirmed the event endpoint %s", e.ID)
			return s.writeEndpoint(e)
		}),
	}
}

func (s *session) confirmEndpoint(
	c *cli.Context, client *sininho.Client, publisher, id string,
) (*sininho.EventEndpoint, error) {
	if c.IsSet("challenge") {
		return client.EventEndpoints.Confirm(c.Context, publisher, id, c.String("challenge"))
	}
	got, err := client.EventEndpoints.Challenge(c.Context, publisher, id)
	if err != nil {
		return nil, err
	}
	if got.Confirmed {
		return client.EventEndpoints.Get(c.Context, publisher, id)
	}
	response := ""
	if got.Status != 0 {
		response = " (" + strconv.Itoa(got.Status) + ")"
	}
	s.talk("sininho: the event endpoint is not confirmed: %s%s", oneLine(got.Error), response)
	s.talk("If its receiver got the challenge, copy it from the log and run\n"+
		"'sininho endpoints confirm %s %s --challenge TEXT'.", publisher, id)
	return nil, errReported
}
