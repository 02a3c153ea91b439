package command

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/urfave/cli/v2"
)

// maxRequest is more than the API accepts, in bytes.
const maxRequest = 8 << 20

func apiCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:  "api",
		Usage: "send a request to the API, with your sign-in or key, and write the response",
		Description: "For what no other command does. The path is below /api/v1; see 'sininho docs reference'.\n\n" +
			example("sininho api '/channels?sort=newest' --jq '.data[].name'",
				`sininho api /channels/acme/deploys --method PATCH --data '{"name": "Deploys"}'`),
		ArgsUsage: "PATH",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "method", Aliases: []string{"X"},
				Usage: "`METHOD` of the request (default: GET, or POST with --data)"},
			&cli.StringFlag{Name: "data", Aliases: []string{"d"}, Usage: "the `JSON` to send; - for stdin"},
		},
		Action: func(c *cli.Context) error { return callAPI(s, c) },
	}
}

func callAPI(s *session, c *cli.Context) error {
	args, err := arguments(c)
	if err != nil {
		return err
	}
	method, body := http.MethodGet, any(nil)
	if c.IsSet("data") {
		method = http.MethodPost
		if body, err = s.requestBody(c); err != nil {
			return err
		}
	}
	if c.IsSet("method") {
		method = strings.ToUpper(c.String("method"))
	}
	client, err := s.connect()
	if err != nil {
		return err
	}
	var out json.RawMessage
	if _, err := client.Call(c.Context, method, "/"+strings.TrimPrefix(args[0], "/"), body, &out); err != nil {
		return err
	}
	if len(out) == 0 {
		return nil
	}
	return quiet(s, s.writeJSON(out))
}

// requestBody returns the JSON of --data.
func (s *session) requestBody(c *cli.Context) (text json.RawMessage, err error) {
	if text = json.RawMessage(c.String("data")); string(text) == "-" {
		if text, err = readAll(c.Context, s.in, maxRequest); err != nil {
			return nil, err
		}
	}
	if len(text) > maxRequest || !json.Valid(text) {
		return nil, usageOf(c, "--data takes JSON")
	}
	return text, nil
}
