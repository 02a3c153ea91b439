// Package docs holds the guides for publishers and operators of Sininho. The server renders them at /docs, next to
// the reference generated from the contract. The tests run every snippet in them (see README.md).
package docs

import (
	"embed"
	"errors"
	"io/fs"
)

//go:embed *.md
var guides embed.FS

// Section is a part of the guides, with their names in reading order.
type Section struct {
	Title  string
	Guides []string
}

// Sections are all guides.
var Sections = []Section{
	{"Begin", []string{"publish", "authentication", "members", "private-channels",
		"following-without-account", "feeds"}},
	{"Connect other systems", []string{"webhooks", "templates", "event-endpoints", "devices", "compatibility",
		"works-with"}},
	{"How the API behaves", []string{"errors", "paging", "idempotency", "limits", "streams", "delivery", "guarantees"}},
	{"Tools", []string{"cli", "commands", "sdks"}},
	{"Run your own", []string{"production", "settings", "upgrading", "operating",
		"scaling", "performance", "metrics", "runbook", "moderation", "waiting-list", "threat-model"}},
	{"Work on it", []string{"development"}},
}

// Read reads a guide in Markdown: name.md or, if it is generated, name.gen.md.
func Read(name string) ([]byte, error) {
	source, err := guides.ReadFile(name + ".md")
	if errors.Is(err, fs.ErrNotExist) {
		return guides.ReadFile(name + ".gen.md")
	}
	return source, err
}
