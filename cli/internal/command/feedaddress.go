package command

import (
	"errors"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func feedAddressCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:  "feed-address",
		Usage: "make, renew and end the secret address at which feed readers find your feed",
		Subcommands: []*cli.Command{feedAddressShowCommand(s), feedAddressRenewCommand(s),
			feedAddressDeleteCommand(s)},
	}
}

func feedAddressShowCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "show",
		Usage:       "show since when there is an address, without its secret",
		Description: example("sininho feed-address show"),
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, _ []string) error {
			address, err := client.FeedAddress.Get(c.Context)
			if err != nil {
				return err
			}
			if s.json {
				return quiet(s, s.writeJSON(address))
			}
			return quiet(s, s.writeFields([][2]string{{"ends in", "…" + address.Hint},
				{"since", moment(address.CreatedAt)}}))
		}),
	}
}

func feedAddressRenewCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:  "renew",
		Usage: "make an address, or replace the one that you have, and write it; it is shown only once",
		Description: "Whoever knows the address can read your feed, private channels too. The one before leads\n" +
			"nowhere from then on.\n\n" +
			example("sininho feed-address renew", "sininho feed-address renew --format json"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "format", Usage: "of the feed: atom or json", Value: "atom"},
			yesFlag(),
		},
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			format := c.String("format")
			if format != "atom" && format != "json" {
				return usageOf(c, "--format takes atom or json, not %q", format)
			}
			client, err := s.signInAsPerson()
			if err != nil {
				return err
			}
			if err := s.confirmRenewal(c, client); err != nil {
				return err
			}
			made, err := client.FeedAddress.Renew(c.Context)
			if err != nil {
				return err
			}
			url := made.Atom
			if format == "json" {
				url = made.JSON
			}
			return s.writeSecret(made, url, "the address of your feed",
				"Made an address of your feed; it is shown only once")
		},
	}
}

// confirmRenewal prompts for confirmation if there is an address that would be replaced.
func (s *session) confirmRenewal(c *cli.Context, client *sininho.Client) error {
	_, err := client.FeedAddress.Get(c.Context)
	if errors.Is(err, sininho.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	return s.confirm(c, "Replace the address of your feed? What reads the one before stops working.")
}

func feedAddressDeleteCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "delete",
		Usage:       "end the address, which leads nowhere from then on",
		Description: example("sininho feed-address delete --yes"),
		Flags:       []cli.Flag{yesFlag()},
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			return s.destroy(c, s.signInAsPerson, "End the address of your feed? What reads it stops working.",
				"Ended the address of your feed",
				func(client *sininho.Client) error { return client.FeedAddress.Delete(c.Context) })
		},
	}
}
