package chat

import (
	"strings"

	"github.com/sininho/sininho/pkg/mend"
)

// Message is a message as the fields of a notification. Its texts are neither cleaned nor cut.
type Message struct {
	Title, Body, Link, Image, Icon string
}

// maxDepth is how deep the parts of a message are nested within each other; Slack and Discord allow less.
const maxDepth = 8

// writer collects the parts of a message.
type writer struct {
	title, link, image string
	paragraphs         []string
}

// message returns what was collected. Most messages have no title, which is then their first line.
func (w *writer) message(icon string) Message {
	title, body := w.title, strings.Join(w.paragraphs, "\n\n")
	if title == "" {
		title, body = mend.SplitTitle(body)
	}
	return Message{Title: title, Body: body, Link: w.link, Image: w.image, Icon: icon}
}

func (w *writer) empty() bool { return w.title == "" && len(w.paragraphs) == 0 }

// add adds a paragraph, unless it is blank or was said before.
func (w *writer) add(paragraph string) {
	if paragraph = strings.TrimSpace(paragraph); paragraph != "" && !w.says(paragraph) {
		w.paragraphs = append(w.paragraphs, paragraph)
	}
}

// says reports whether the message begins with a text. Programs repeat a short one in the parts of a message; others
// are not looked for, so that the time stays proportional to the size.
func (w *writer) says(text string) bool {
	const longest, paragraphs, compared = 200, 3, 2000
	if len(text) > longest {
		return false
	}
	if text == w.title {
		return true
	}
	for _, paragraph := range w.paragraphs[:min(paragraphs, len(w.paragraphs))] {
		if strings.Contains(paragraph[:min(compared, len(paragraph))], text) {
			return true
		}
	}
	return false
}

// heading makes text the title of the message if nothing comes before it, and a paragraph otherwise.
func (w *writer) heading(text string) {
	if text = strings.TrimSpace(text); w.empty() {
		w.title = text
		return
	}
	w.add(text)
}

// headingLink is heading for a text that leads to an address.
func (w *writer) headingLink(text, address string) {
	if strings.TrimSpace(text) == "" {
		w.linkTo(strings.TrimSpace(address))
		return
	}
	w.heading(w.linked(text, address))
}

// linked returns the text of a link. The first link of a message is that of the notification; the addresses of others
// stay visible.
func (w *writer) linked(label, address string) string {
	label, address = strings.TrimSpace(label), strings.TrimSpace(address)
	first := w.linkTo(address)
	switch {
	case label == "" || label == address:
		return address
	case first || address == "" || address == w.link || !isWeb(address):
		return label
	default:
		return label + " (" + address + ")"
	}
}

// linkTo makes an address the link of the notification if it is the first.
func (w *writer) linkTo(address string) bool {
	if w.link != "" || !isWeb(address) {
		return false
	}
	w.link = address
	return true
}

// button adds what a button says and where it leads, unless that is the link of the notification.
func (w *writer) button(label, address string) {
	if isWeb(address) && !w.linkTo(address) && address != w.link {
		w.add(strings.TrimSpace(label + ": " + address))
	}
}

// show makes an address the picture of the notification if it is the first.
func (w *writer) show(address string) {
	if address = strings.TrimSpace(address); w.image == "" && isWeb(address) {
		w.image = address
	}
}

// fields adds values, one a line, each after its name, which is the member called that. text reads the markup of both.
func (w *writer) fields(list []node, called string, text func(string) string) {
	var lines []string
	for _, field := range list {
		name, value := strings.TrimSpace(text(field.text(called))), strings.TrimSpace(text(field.text("value")))
		switch {
		case name == "" || value == "":
			lines = append(lines, name+value)
		default:
			lines = append(lines, strings.TrimSuffix(name, ":")+": "+value)
		}
	}
	w.add(strings.Join(lines, "\n"))
}

func isWeb(address string) bool {
	return strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://")
}
