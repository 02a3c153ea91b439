package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/sininho/sininho/pkg/sininho"
)

const maxSlug = 63

// slugOf converts a branch's name to a slug: it removes accents and replaces everything but letters
// and digits with hyphens. A name without any letter or digit gets its hash instead.
func slugOf(prefix, branch string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(strings.ToLower(prefix + branch)) {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			b.WriteRune(r)
		case unicode.Is(unicode.Mn, r): // the accent of the preceding letter
		default:
			b.WriteByte(' ')
		}
	}
	slug := strings.Join(strings.Fields(b.String()), "-")
	if slug == "" {
		return "ramo-" + shortHash(branch)
	}
	return strings.TrimRight(slug[:min(len(slug), maxSlug)], "-")
}

// hashedSlug returns the slug of a branch whose plain slug is taken by another branch.
func hashedSlug(prefix, branch string) string {
	plain, hash := slugOf(prefix, branch), shortHash(branch)
	return strings.TrimRight(plain[:min(len(plain), maxSlug-len(hash)-1)], "-") + "-" + hash
}

func shortHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:4])
}

// mark begins the description of each channel that this program creates, followed by the branch, so
// that later runs recognize the channel even if branches have changed.
const mark = "Commits do ramo "

func description(branch string) string { return mark + clean(branch) }

// isFor reports whether a channel can be used for the branch: it was created for it, or by somebody else.
func isFor(c *sininho.Channel, branch string) bool {
	return !strings.HasPrefix(c.Description, mark) || c.Description == description(branch)
}

// bySlug sorts the branches whose name equals their slug first, so that they get that slug.
func bySlug(prefix string, branches []string) []string {
	sorted := slices.Clone(branches)
	slices.SortStableFunc(sorted, func(a, b string) int {
		return rank(prefix, a) - rank(prefix, b)
	})
	return sorted
}

func rank(prefix, branch string) int {
	if slugOf(prefix, branch) == prefix+branch {
		return 0
	}
	return 1
}

// channels finds or creates the channel of each branch.
type channels struct {
	client   *sininho.Client
	config   config
	taken    map[string]bool
	category string
}

// of returns the address of a branch's channel.
func (c *channels) of(ctx context.Context, branch string) (address string, created bool, err error) {
	for _, slug := range []string{slugOf(c.config.prefix, branch), hashedSlug(c.config.prefix, branch)} {
		address = c.config.publisher + "/" + slug
		if c.taken[address] {
			continue
		}
		channel, err := c.client.Channels.Get(ctx, address)
		if errors.Is(err, sininho.ErrNotFound) {
			created = true
			channel, err = c.create(ctx, address, branch)
		}
		if err != nil {
			return "", false, fmt.Errorf("channel %s: %w", address, err)
		}
		if isFor(channel, branch) {
			c.taken[address] = true
			return address, created, nil
		}
	}
	return "", false, fmt.Errorf("branch %s: %s is another branch's channel", branch, address)
}

func (c *channels) create(ctx context.Context, address, branch string) (*sininho.Channel, error) {
	if c.category == "" {
		category, err := c.chooseCategory(ctx)
		if err != nil {
			return nil, err
		}
		c.category = category
	}
	channel, err := c.client.Channels.Create(ctx, address, sininho.ChannelInput{
		Name: cut(clean(c.config.prefix+branch), 100), Description: description(branch), CategoryID: c.category,
	})
	if errors.Is(err, sininho.ErrConflict) { // another run created it first
		return c.client.Channels.Get(ctx, address)
	}
	return channel, err
}

// fitting are the categories that suit commits, best first.
var fitting = []string{
	"desenvolvimento", "programacao", "software", "tecnologia", "tecnologias", "development", "technology", "tech",
}

// chooseCategory returns the id of the requested category, or of the first that fits.
func (c *channels) chooseCategory(ctx context.Context) (string, error) {
	ids := map[string]string{}
	var slugs []string
	for category, err := range c.client.Categories.List(ctx) {
		if err != nil {
			return "", err
		}
		ids[category.Slug] = category.ID
		slugs = append(slugs, category.Slug)
	}
	if len(slugs) == 0 {
		return "", errors.New("the server has no category")
	}
	if c.config.category != "" {
		if id, known := ids[c.config.category]; known {
			return id, nil
		}
		return "", fmt.Errorf("there is no category %q; there are: %s", c.config.category, strings.Join(slugs, ", "))
	}
	for _, slug := range fitting {
		if id, known := ids[slug]; known {
			return id, nil
		}
	}
	return ids[slugs[0]], nil
}

// validName refuses names that cannot be passed to git as a branch.
func validName(branch string) error {
	if branch == "" || strings.HasPrefix(branch, "-") || strings.ContainsRune(branch, 0) {
		return fmt.Errorf("%q is no branch", branch)
	}
	return nil
}
