package command

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/urfave/cli/v2"
	"golang.org/x/text/unicode/norm"

	"github.com/sininho/sininho/pkg/mend"
	"github.com/sininho/sininho/pkg/rules"
	"github.com/sininho/sininho/pkg/sininho"
)

func importCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:  "import",
		Usage: "move here from another notification server",
		Description: "Creates a channel for each topic or application, unless there is one, and an API key that may\n" +
			"publish to them. The server must speak the other's protocol: see 'sininho docs compatibility'.",
		Subcommands: []*cli.Command{importNtfyCommand(s), importGotifyCommand(s)},
	}
}

func importFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "publisher", Usage: "`SLUG` of the publisher that gets the channels"},
		&cli.StringFlag{Name: "category", Usage: "`SLUG` of their category"},
		&cli.BoolFlag{Name: "public", Usage: "list them publicly (default: unlisted, for whoever has the address)"},
	}
}

// imported is a topic or application of another server, and the channel that stands for it.
type imported struct {
	name, description string
	channel           sininho.Address
}

// importResult is what --json writes.
type importResult struct {
	Key      string           `json:"key"` // shown only once
	Channels []importedResult `json:"channels"`
}

type importedResult struct {
	Name    string `json:"name"`
	Channel string `json:"channel"`
}

func resultOf(key string, all []*imported) importResult {
	result := importResult{Key: key}
	for _, each := range all {
		result.Channels = append(result.Channels, importedResult{each.name, each.channel.String()})
	}
	return result
}

// importer creates channels and a key.
type importer struct {
	*session
	client     *sininho.Client
	publisher  string
	categoryID string
	visibility sininho.Visibility
}

func newImporter(s *session, c *cli.Context) (*importer, error) {
	if !c.IsSet("publisher") || !c.IsSet("category") {
		return nil, usageOf(c, "--publisher and --category are required")
	}
	client, err := s.signInAsPerson()
	if err != nil {
		return nil, err
	}
	category, err := findCategory(c.Context, client, c.String("category"))
	if err != nil {
		return nil, err
	}
	i := &importer{session: s, client: client, publisher: c.String("publisher"), categoryID: category,
		visibility: sininho.Unlisted}
	if c.Bool("public") {
		i.visibility = sininho.Public
	}
	return i, nil
}

// create creates the channels that there are not, and then a key, whose secret it returns.
func (i *importer) create(ctx context.Context, from string, all []*imported) (key string, err error) {
	if len(all) == 0 {
		return "", errors.New("there is nothing to import")
	}
	taken := map[string]bool{}
	for _, each := range all {
		slug := slugOf(each.name)
		for n := 2; taken[slug]; n++ {
			slug = fmt.Sprintf("%s-%d", slugOf(each.name), n)
		}
		taken[slug] = true
		each.channel = sininho.Address{Publisher: i.publisher, Channel: slug}
		if err := i.ensure(ctx, each); err != nil {
			return "", err
		}
	}
	made, err := i.client.APIKeys.Create(ctx, i.publisher, sininho.APIKeyInput{Name: "Imported from " + from,
		Scopes: []sininho.Scope{sininho.ScopePublish, sininho.ScopeRead}})
	if err != nil {
		return "", err
	}
	return made.Secret, nil
}

// ensure creates a channel, unless there is one.
func (i *importer) ensure(ctx context.Context, each *imported) error {
	address := each.channel.String()
	_, err := i.client.Channels.Get(ctx, address)
	if err == nil {
		i.talk("%s is there already", address)
		return nil
	}
	if !errors.Is(err, sininho.ErrNotFound) {
		return err
	}
	_, err = i.client.Channels.Create(ctx, address, sininho.ChannelInput{
		Name: mend.CutLine(each.name, rules.MaxName), Description: mend.CutLine(each.description, rules.MaxDescription),
		CategoryID: i.categoryID, Visibility: i.visibility,
	})
	if err == nil {
		i.talk("%s was created", address)
	}
	return err
}

// slugOf returns a slug for a name: its letters and digits without accents, with hyphens between.
func slugOf(name string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(strings.ToLower(name)) {
		switch {
		case unicode.Is(unicode.Mn, r): // an accent
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	slug := strings.Trim(b.String()[:min(b.Len(), 60)], "-")
	if slug == "" {
		return "channel"
	}
	return slug
}
