package chat

import (
	"cmp"
	"strings"
)

// Discord returns a message for a webhook of Discord: its content, embeds and components.
// https://discord.com/developers/docs/resources/webhook#execute-webhook
func Discord(payload map[string]any) Message {
	m := node(payload)
	if !m.has("content", "embeds", "components") && m.has("text", "blocks", "attachments") {
		return Slack(payload)
	}
	d := &discord{}
	d.add(d.markdown(m.text("content")))
	for _, embed := range m.list("embeds") {
		d.embed(embed)
	}
	d.components(m.list("components"), 0)
	return d.message(m.text("avatar_url"))
}

type discord struct{ writer }

func (d *discord) embed(e node) {
	author := e.node("author")
	title, address := e.text("title"), e.text("url")
	if strings.TrimSpace(title) == "" {
		title, address = author.text("name"), cmp.Or(address, author.text("url"))
	}
	d.headingLink(d.markdown(title), address)
	d.add(d.markdown(e.text("description")))
	d.fields(e.list("fields"), "name", d.markdown)
	d.add(e.node("footer").text("text"))
	d.show(e.node("image").text("url"))
	d.show(e.node("thumbnail").text("url"))
}

// The types of components: https://discord.com/developers/docs/components/reference.
const (
	componentButton       = "2"
	componentText         = "10"
	componentThumbnail    = "11"
	componentMediaGallery = "12"
)

func (d *discord) components(list []node, depth int) {
	if depth > maxDepth {
		return
	}
	for _, c := range list {
		switch c.text("type") {
		case componentButton:
			d.button(c.text("label"), c.text("url"))
		case componentText:
			d.add(d.markdown(c.text("content")))
		case componentThumbnail:
			d.show(c.node("media").text("url"))
		case componentMediaGallery:
			for _, item := range c.list("items") {
				d.show(item.node("media").text("url"))
			}
		default:
			d.components(c.list("components"), depth+1)
			d.components(c.list("accessory"), depth+1)
		}
	}
}
