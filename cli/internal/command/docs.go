package command

import (
	"io"
	"strings"

	"github.com/urfave/cli/v2"
)

// docsCommand leads to the documentation that the server serves. Its hidden option is for the build, which needs the
// reference of all commands.
func docsCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:  "docs",
		Usage: "open the server's documentation in the browser",
		Description: "Without a screen it only writes the address. With .md added, a page is Markdown.\n\n" +
			example("sininho docs webhooks"),
		ArgsUsage: "[PAGE]",
		Flags:     []cli.Flag{&cli.BoolFlag{Name: "reference", Hidden: true}},
		Action: func(c *cli.Context) error {
			if _, err := arguments(c); err != nil {
				return err
			}
			if c.Bool("reference") {
				b := &strings.Builder{}
				writeReference(b, c.App)
				_, err := io.WriteString(s.out, b.String())
				return quiet(s, err)
			}
			address := s.origin() + "/docs"
			if page := strings.Trim(c.Args().First(), "/"); page != "" {
				address += "/" + page
			}
			s.openBrowser(address)
			_, err := io.WriteString(s.out, visible(address)+"\n")
			return quiet(s, err)
		},
	}
}
