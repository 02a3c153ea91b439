package command

import (
	"bytes"
	"context"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func profileCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "profile",
		Usage:       "show, change, export and delete your profile",
		UsageText:   "sininho profile [options]\nsininho profile show|onboard|export|delete",
		Description: example("sininho profile --timezone Europe/Lisbon --quiet 22:00-07:00 --bell important"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "name", Usage: "your public name as `TEXT`"},
			&cli.StringFlag{Name: "locale", Usage: "`TAG` of your language, such as pt"},
			&cli.StringFlag{Name: "timezone", Usage: "`NAME` of your timezone, such as Europe/Lisbon"},
			&cli.StringFlag{Name: "quiet", Usage: "`HOURS` in which nothing is pushed, such as 22:00-07:00, or off"},
			&cli.StringFlag{Name: "bell",
				Usage: "`LEVEL` of what is pushed of newly followed channels: all, important, digest or none"},
			&cli.StringFlag{Name: "digest",
				Usage: "`TIME` of day of the digest of channels whose bell is digest, such as 18:00"},
		},
		Subcommands: []*cli.Command{
			profileShowCommand(s), profileOnboardCommand(s), profileExportCommand(s), profileDeleteCommand(s),
		},
		Action: func(c *cli.Context) error { return changeProfile(s, c) },
	}
}

func changeProfile(s *session, c *cli.Context) error {
	in := sininho.MeUpdate{
		Name: given(c, "name"), Locale: given(c, "locale"), Timezone: given(c, "timezone"),
		BellDefault: (*sininho.Bell)(given(c, "bell")), DigestAt: given(c, "digest"),
	}
	if c.IsSet("digest") && !isHour(*in.DigestAt) {
		return usageOf(c, "--digest takes a time of day such as 18:00, not %q", *in.DigestAt)
	}
	if c.IsSet("quiet") {
		var err error
		if in.QuietHours, err = quietHours(c); err != nil {
			return err
		}
	}
	if in == (sininho.MeUpdate{}) {
		return showProfile(s, c)
	}
	client, err := s.signInAsPerson()
	if err != nil {
		return err
	}
	me, err := client.Me.Update(c.Context, in)
	if err != nil {
		return err
	}
	s.talk("Changed your profile")
	return s.writeProfile(me)
}

// quietHours returns the hours of --quiet; zero hours remove them.
func quietHours(c *cli.Context) (*sininho.QuietHours, error) {
	text := c.String("quiet")
	start, end, found := strings.Cut(text, "-")
	switch {
	case text == "off":
		return &sininho.QuietHours{}, nil
	case !found || !isHour(start) || !isHour(end):
		return nil, usageOf(c, "--quiet takes hours such as 22:00-07:00, or off, not %q", text)
	}
	return &sininho.QuietHours{Start: start, End: end}, nil
}

func isHour(text string) bool {
	_, err := time.Parse("15:04", text)
	return err == nil && len(text) == len("15:04")
}

func profileShowCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "show",
		Usage:       "show your profile",
		Description: example("sininho profile show --json"),
		Action:      func(c *cli.Context) error { return showProfile(s, c) },
	}
}

func showProfile(s *session, c *cli.Context) error {
	if err := noArguments(c); err != nil {
		return err
	}
	client, err := s.signInAsPerson()
	if err != nil {
		return err
	}
	me, err := client.Me.Get(c.Context)
	if err != nil {
		return err
	}
	return s.writeProfile(me)
}

func (s *session) writeProfile(me *sininho.Subscriber) error {
	if s.json {
		return quiet(s, s.writeJSON(me))
	}
	hours := "none"
	if q := me.QuietHours; q != nil {
		hours = q.Start + "-" + q.End
	}
	return quiet(s, s.writeFields([][2]string{
		{"email", me.Email}, {"name", me.Name}, {"locale", me.Locale}, {"timezone", me.Timezone},
		{"quiet hours", hours}, {"digest", me.DigestAt},
		{"bell", string(me.BellDefault)}, {"onboarded", yesNo(me.Onboarded)}, {"member since", moment(me.CreatedAt)},
	}))
}

func profileOnboardCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "onboard",
		Usage:       "complete the onboarding with your interests, instead of in the web app",
		Description: example("sininho profile onboard --interests transportes,tecnologia"),
		Flags: []cli.Flag{&cli.StringFlag{Name: "interests",
			Usage: "`SLUGS` of categories, as listed by 'sininho channels categories'"}},
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, _ []string) error {
			interests, err := findCategories(c.Context, client, c.String("interests"))
			if err != nil {
				return err
			}
			onboarding, err := client.Onboarding.Save(c.Context, sininho.StepDone, interests)
			if err != nil {
				return err
			}
			s.talk("Completed the onboarding")
			if s.json {
				return quiet(s, s.writeJSON(onboarding))
			}
			return nil
		}),
	}
}

func findCategories(ctx context.Context, client *sininho.Client, slugs string) ([]string, error) {
	var ids []string
	if slugs == "" {
		return nil, nil
	}
	for slug := range strings.SplitSeq(slugs, ",") {
		id, err := findCategory(ctx, client, strings.TrimSpace(slug))
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

func profileExportCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "export",
		Usage:       "write all your stored data as JSON",
		Description: example("sininho profile export --output sininho.json"),
		Flags: []cli.Flag{&cli.StringFlag{Name: "output",
			Usage: "write to `FILE`, which only you can read, instead of stdout"}},
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, _ []string) error {
			if !c.IsSet("output") && s.jq == nil {
				return quiet(s, client.Me.Export(c.Context, s.out))
			}
			var export bytes.Buffer
			if err := client.Me.Export(c.Context, &export); err != nil {
				return err
			}
			if s.jq != nil && !c.IsSet("output") {
				return quiet(s, s.queryJSON(export.Bytes()))
			}
			if err := writePrivately(c.String("output"), export.Bytes()); err != nil {
				return err
			}
			s.talk("Wrote %s", c.String("output"))
			return nil
		}),
	}
}

func profileDeleteCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:  "delete",
		Usage: "delete your account and all your data permanently",
		Description: "First transfer or delete the publishers that only you own.\n\n" +
			example("sininho profile delete --yes"),
		Flags: []cli.Flag{yesFlag()},
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			err := s.destroy(c, s.signInAsPerson,
				"Delete your account at "+s.origin()+" and all your data, permanently?",
				"Your account is deleted",
				func(client *sininho.Client) error { return client.Me.Delete(c.Context) })
			if err == nil && s.source == fromLogin {
				return s.forget()
			}
			return err
		},
	}
}
