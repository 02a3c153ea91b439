package chat

import (
	"fmt"
	"strconv"
	"strings"
)

// Slack returns a message for an incoming webhook of Slack or of what takes the same, such as Mattermost: its text or
// blocks, and its attachments. https://docs.slack.dev/reference/block-kit/blocks
func Slack(payload map[string]any) Message {
	m := node(payload)
	if !m.has("text", "blocks", "attachments") && m.has("content", "embeds") {
		return Discord(payload)
	}
	s := &slack{}
	blocks := m.list("blocks")
	s.blocks(blocks)
	s.said(m, len(blocks) > 0)
	for _, attachment := range m.list("attachments") {
		s.attachment(attachment)
	}
	return s.message(m.text("icon_url"))
}

type slack struct{ writer }

// said adds the text. Where there are blocks, Slack shows it only in its own notifications, so it is dropped if they
// have a heading or say the same.
func (s *slack) said(m node, blocks bool) {
	text := m.text("text")
	if marked, said := m["mrkdwn"].(bool); said && !marked {
		text = entities.Replace(text)
	} else {
		text = s.mrkdwn(text)
	}
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	if !blocks {
		s.add(text)
		return
	}
	if s.title == "" && !s.says(text) {
		s.paragraphs = append([]string{text}, s.paragraphs...)
	}
}

// attachment adds a part as described at https://docs.slack.dev/reference/messaging/attachments.
func (s *slack) attachment(a node) {
	title, before := s.title, len(s.paragraphs)
	s.add(s.mrkdwn(a.text("pretext")))
	s.headingLink(s.mrkdwn(a.text("title")), a.text("title_link"))
	s.add(s.mrkdwn(a.text("text")))
	s.fields(a.list("fields"), "title", s.mrkdwn)
	s.blocks(a.list("blocks"))
	for _, action := range a.list("actions") {
		s.button(action.text("text"), action.text("url"))
	}
	s.show(a.text("image_url"))
	s.show(a.text("thumb_url"))
	if s.title == title && len(s.paragraphs) == before {
		s.add(s.mrkdwn(a.text("fallback")))
	}
	s.add(s.mrkdwn(a.text("footer")))
}

func (s *slack) blocks(list []node) {
	for _, block := range list {
		s.block(block)
	}
}

func (s *slack) block(b node) {
	switch b.text("type") {
	case "header":
		s.heading(s.object(b.node("text")))
	case "section":
		s.section(b)
	case "context":
		var texts []string
		for _, element := range b.list("elements") {
			texts = append(texts, s.object(element))
		}
		s.add(strings.Join(strings.Fields(strings.Join(texts, " ")), " "))
	case "image":
		s.show(b.text("image_url"))
		s.add(s.object(b.node("title")))
	case "actions":
		for _, element := range b.list("elements") {
			s.element(element)
		}
	case "rich_text":
		s.add(s.rich(b.list("elements"), 0))
	case "markdown":
		s.add(s.markdown(b.text("text")))
	case "video":
		s.add(s.linked(s.object(b.node("title")), b.text("title_url")))
	}
}

func (s *slack) section(b node) {
	s.add(s.object(b.node("text")))
	var lines []string
	for _, field := range b.list("fields") {
		name, value, _ := strings.Cut(strings.TrimSpace(s.object(field)), "\n")
		if lines = append(lines, name); value != "" {
			lines[len(lines)-1] = strings.TrimSuffix(name, ":") + ": " + strings.ReplaceAll(value, "\n", " ")
		}
	}
	s.add(strings.Join(lines, "\n"))
	s.element(b.node("accessory"))
}

// element reads a button or a picture; others need an answer, which a notification cannot give.
func (s *slack) element(e node) {
	switch e.text("type") {
	case "button":
		s.button(s.object(e.node("text")), e.text("url"))
	case "image":
		s.show(e.text("image_url"))
	}
}

// object returns the text of a text object.
func (s *slack) object(o node) string {
	switch o.text("type") {
	case "mrkdwn":
		return s.mrkdwn(o.text("text"))
	case "plain_text":
		return entities.Replace(o.text("text"))
	default:
		return ""
	}
}

// rich returns the text of a rich text's elements.
func (s *slack) rich(elements []node, depth int) string {
	if depth > maxDepth {
		return ""
	}
	var b strings.Builder
	for _, e := range elements {
		inner := func() string { return s.rich(e.list("elements"), depth+1) }
		switch e.text("type") {
		case "rich_text_section", "rich_text_preformatted":
			b.WriteString(strings.TrimRight(inner(), "\n") + "\n")
		case "rich_text_quote":
			b.WriteString("> " + strings.ReplaceAll(strings.TrimSpace(inner()), "\n", "\n> ") + "\n")
		case "rich_text_list":
			b.WriteString(s.richList(e, depth+1))
		default:
			b.WriteString(s.inline(e))
		}
	}
	return b.String()
}

func (s *slack) richList(list node, depth int) string {
	var b strings.Builder
	for i, item := range list.list("elements") {
		bullet := "• "
		if list.text("style") == "ordered" {
			bullet = fmt.Sprintf("%d. ", i+1)
		}
		b.WriteString(bullet + strings.TrimSpace(s.rich([]node{item}, depth)) + "\n")
	}
	return b.String()
}

// inline returns the text of an element within a line.
func (s *slack) inline(e node) string {
	switch e.text("type") {
	case "link":
		return s.linked(e.text("text"), e.text("url"))
	case "emoji":
		return emoji(e)
	case "date":
		return e.text("fallback")
	default:
		return e.text("text")
	}
}

// emoji returns the characters of an emoji, such as 1f44d-1f3fb, or its name if it is one of the workspace's own.
func emoji(e node) string {
	const hexadecimal, bits = 16, 32
	var characters []rune
	for code := range strings.SplitSeq(e.text("unicode"), "-") {
		r, err := strconv.ParseInt(code, hexadecimal, bits)
		if err != nil {
			return ":" + e.text("name") + ":"
		}
		characters = append(characters, rune(r))
	}
	return string(characters)
}
