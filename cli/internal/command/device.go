package command

import (
	"cmp"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

func devicesCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:  "devices",
		Usage: "list, rename, remove and test the browsers and phones that receive pushes",
		Subcommands: []*cli.Command{
			devicesListCommand(s), devicesRenameCommand(s), devicesRemoveCommand(s), devicesTestCommand(s),
		},
	}
}

func devicesListCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "list",
		Usage:       "list your devices, most recently seen first",
		Description: example("sininho devices list"),
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, _ []string) error {
			return writeList(s, client.Devices.List(c.Context), 0,
				"You have no device; allow notifications in the web app.",
				"ID\tNAME\tPLATFORM\tLAST SEEN\tRINGS SINCE\tSHOWN", func(d sininho.Device) []string {
					return []string{d.ID, oneLine(d.Name), d.Platform, moment(d.LastSeenAt), moment(d.RingsSince),
						moment(d.ShownAt)}
				})
		}),
	}
}

func devicesRenameCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "rename",
		Usage:       "rename a device",
		ArgsUsage:   "ID NAME",
		Description: example("sininho devices rename 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f Portátil"),
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, args []string) error {
			d, err := client.Devices.Rename(c.Context, args[0], args[1])
			if err != nil {
				return err
			}
			s.talk("%s is now %q", d.ID, oneLine(d.Name))
			if s.json {
				return quiet(s, s.writeJSON(d))
			}
			return nil
		}),
	}
}

func devicesRemoveCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "remove",
		Usage:       "stop pushing to a device",
		ArgsUsage:   "ID",
		Description: example("sininho devices remove 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f --yes"),
		Flags:       []cli.Flag{yesFlag()},
		Action: func(c *cli.Context) error {
			args, err := arguments(c)
			if err != nil {
				return err
			}
			return s.destroy(c, s.signInAsPerson, "Remove the device "+args[0]+"? It receives no further pushes.",
				"Removed "+args[0],
				func(client *sininho.Client) error { return client.Devices.Remove(c.Context, args[0]) })
		},
	}
}

func devicesTestCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:        "test",
		Usage:       "send one test push and report the push service's response",
		ArgsUsage:   "ID",
		Description: example("sininho devices test 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f"),
		Action: s.asPerson(func(c *cli.Context, client *sininho.Client, args []string) error {
			test, err := client.Devices.Test(c.Context, args[0])
			if err != nil {
				return err
			}
			if s.json {
				err = s.writeJSON(test)
			} else {
				err = s.writeFields([][2]string{{"outcome", string(test.Outcome)}, {"cause", test.Cause}})
			}
			if err == nil && test.Outcome == sininho.DeviceFailed {
				s.talk("The push service did not accept it: %s", cmp.Or(test.Cause, "no cause given"))
				return errReported
			}
			return quiet(s, err)
		}),
	}
}
