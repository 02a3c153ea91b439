package command

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/urfave/cli/v2"
)

const (
	gotifyTimeout = 30 * time.Second
	maxGotify     = 4 << 20 // bytes of its response
)

func importGotifyCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:  "gotify",
		Usage: "create a channel for each application of a Gotify server, and write their new tokens",
		Description: "Give a client token of Gotify's on stdin; it is made under Clients in its web page.\n\n" +
			example("sininho import gotify https://gotify.example.com --publisher acme --category tecnologia < token"),
		ArgsUsage: "ADDRESS",
		Flags:     importFlags(),
		Action:    func(c *cli.Context) error { return importGotify(s, c) },
	}
}

// gotifyApplication is an application of Gotify.
type gotifyApplication struct{ Name, Description string }

func importGotify(s *session, c *cli.Context) error {
	args, err := arguments(c)
	if err != nil {
		return err
	}
	i, err := newImporter(s, c)
	if err != nil {
		return err
	}
	token, err := s.readSecret(c.Context, "a client token of Gotify's")
	if err != nil {
		return err
	}
	applications, err := gotifyApplications(c.Context, args[0], token)
	if err != nil {
		return err
	}
	all := make([]*imported, len(applications))
	for n, a := range applications {
		all[n] = &imported{name: a.Name, description: a.Description}
	}
	key, err := i.create(c.Context, "Gotify", all)
	if err != nil {
		return err
	}
	if s.json {
		return quiet(s, s.writeJSON(resultOf(key, all)))
	}
	s.talk("Replace the address by %s, and each application's token, shown only once:\n", s.origin())
	rows := make([][]string, len(all))
	for n, each := range all {
		rows[n] = []string{oneLine(each.name), each.channel.String(), each.channel.Channel + ":" + key}
	}
	return quiet(s, s.writeTable("APPLICATION\tCHANNEL\tTOKEN", rows))
}

// gotifyApplications lists the applications of a Gotify server.
func gotifyApplications(ctx context.Context, address, token string) (all []gotifyApplication, err error) {
	ctx, cancel := context.WithTimeout(ctx, gotifyTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(address, "/")+"/application", nil)
	if err != nil {
		return nil, usagef("%s is not an address", address)
	}
	req.Header.Set("X-Gotify-Key", token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("cannot reach Gotify: %w", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the response of Gotify is %s: is it the token of a client, not of an application?",
			resp.Status)
	}
	err = json.NewDecoder(io.LimitReader(resp.Body, maxGotify)).Decode(&all)
	return all, err
}
