package template

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"strings"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/osteele/liquid/render"
	"go.yaml.in/yaml/v3"

	"github.com/sininho/sininho/pkg/mend"
	"github.com/sininho/sininho/server/internal/chat"
	"github.com/sininho/sininho/server/internal/core"
)

//go:embed senders/*.yaml
var files embed.FS

// file is the content of a sender's file in senders.
type file struct {
	ID     string // renders an event's id, which stays the same when the event is sent again
	Kind   string // renders an event's kind, which selects its template
	Let    string // assigns the variables that the templates share
	Common source // fields for templates that do not set their own
	Kinds  map[string]source
	Other  source // for kinds that are not listed
}

// source is the set of templates for one kind of event.
type source = core.WebhookTemplate

// fields returns the parts of a template by their names in the contract.
func fields(s source) map[string]string {
	return map[string]string{"title": s.Title, "body": s.Body, "link": s.Link, "image": s.Image, "icon": s.Icon,
		"importance": s.Importance, "externalId": s.ExternalID, "skip": s.Skip}
}

// compiled is a parsed template for each field.
type compiled map[string]render.Node

// compile parses templates. If let is not nil, it is rendered before each of them.
func compile(let render.Node, s source) (compiled, []core.FieldError) {
	c, faults := compiled{}, []core.FieldError(nil)
	for name, text := range fields(s) {
		if strings.TrimSpace(text) == "" {
			continue
		}
		node, bad := parse(text)
		if bad != nil {
			faults = append(faults, core.FieldError{
				Pointer: "#/template/" + name, Code: "template", Detail: bad.text(),
			})
			continue
		}
		if c[name] = node; let != nil {
			c[name] = &render.SeqNode{Children: []render.Node{let, node}}
		}
	}
	return c, faults
}

// sender is a parsed file.
type sender struct {
	id, kind render.Node
	kinds    map[string]compiled
	other    compiled
	message  func(payload map[string]any) chat.Message // in place of templates; nil for senders that have some
}

// Senders implements core.Templates with the templates in senders.
type Senders struct {
	known map[core.WebhookSender]*sender
	// own caches the owners' templates of recent events, because parsing one takes up to 20 ms.
	own *lru.Cache[core.WebhookTemplate, compiled]
}

const ownKept = 128 // at most half a MiB each

// New returns the templates that ship with Sininho. They are parsed once and do not change.
func New() (*Senders, error) { return shipped() }

var shipped = sync.OnceValues(readSenders)

func readSenders() (*Senders, error) {
	own, _ := lru.New[core.WebhookTemplate, compiled](ownKept) // fails only for a size that is not positive
	s := &Senders{known: map[core.WebhookSender]*sender{}, own: own}
	for _, name := range core.Senders {
		read, err := readSender(name)
		if err != nil {
			return nil, fmt.Errorf("the templates of %s: %w", name, err)
		}
		s.known[name] = read
	}
	s.known[core.SenderSlack].message = chat.Slack
	s.known[core.SenderDiscord].message = chat.Discord
	return s, nil
}

func readSender(name core.WebhookSender) (*sender, error) {
	text, err := files.ReadFile("senders/" + string(name) + ".yaml")
	if err != nil {
		return nil, err
	}
	var f file
	d := yaml.NewDecoder(strings.NewReader(string(text)))
	d.KnownFields(true)
	if err := d.Decode(&f); err != nil {
		return nil, err
	}
	s := &sender{kinds: map[string]compiled{}}
	var let render.Node
	for i, text := range []string{f.ID, f.Kind, f.Let} {
		node, bad := parse(text)
		if bad != nil {
			return nil, errors.New(bad.text().EN)
		}
		*[]*render.Node{&s.id, &s.kind, &let}[i] = node
	}
	var faults []core.FieldError
	if s.other, faults = compile(let, over(f.Other, f.Common)); len(faults) > 0 {
		return nil, core.Invalid(faults...)
	}
	for kind, own := range f.Kinds {
		if s.kinds[kind], faults = compile(let, over(own, f.Common)); len(faults) > 0 {
			return nil, fmt.Errorf("%s: %w", kind, core.Invalid(faults...))
		}
	}
	return s, nil
}

// over returns s with its empty fields taken from common.
func over(s, common source) source {
	return source{
		Title: cmp.Or(s.Title, common.Title), Body: cmp.Or(s.Body, common.Body), Link: cmp.Or(s.Link, common.Link),
		Image: cmp.Or(s.Image, common.Image), Icon: cmp.Or(s.Icon, common.Icon),
		Importance: cmp.Or(s.Importance, common.Importance), ExternalID: cmp.Or(s.ExternalID, common.ExternalID),
		Skip: cmp.Or(s.Skip, common.Skip),
	}
}

// Check implements core.Templates.
func (s *Senders) Check(t core.WebhookTemplate) []core.FieldError {
	_, faults := compile(nil, t)
	return faults
}

// Render implements core.Templates.
func (s *Senders) Render(
	ctx context.Context, from core.WebhookSender, own *core.WebhookTemplate, payload []byte, headers map[string]string,
) (out core.Rendered, err error) {
	ctx, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	by := s.known[from]
	if by == nil {
		return out, core.NotFound()
	}
	values, unread := readPayload(payload)
	r := newRendering(newMeter(ctx), values, headers)
	if out.Kind, err = r.text(by.kind); err != nil {
		return out, failed("#", err)
	}
	out.Kind = mend.CutLine(mend.Line(out.Kind), core.MaxTitle)
	if out.ID, err = r.text(by.id); err != nil {
		return out, failed("#", err)
	}
	out.ID = eventID(out.ID)
	if unread != nil {
		return out, unread
	}
	if by.message != nil && own == nil {
		m := by.message(values)
		out.Notification = core.PublishInput{Title: m.Title, Body: m.Body, Link: m.Link, Image: m.Image, Icon: m.Icon}
		return out, nil
	}
	return out, s.notification(r, by, own, &out)
}

// notification renders the fields of the custom template own, or of the sender's template for the kind of event.
func (s *Senders) notification(r *rendering, by *sender, own *core.WebhookTemplate, out *core.Rendered) error {
	c, ok := by.kinds[out.Kind]
	if !ok {
		c = by.other
	}
	if own != nil {
		var err error
		if c, err = s.compiled(*own); err != nil {
			return err
		}
	}
	return r.fields(c, out)
}

// compiled returns an owner's parsed template, from the cache if possible.
func (s *Senders) compiled(own core.WebhookTemplate) (compiled, error) {
	if c, ok := s.own.Get(own); ok {
		return c, nil
	}
	c, faults := compile(nil, own)
	if len(faults) > 0 {
		return nil, core.Invalid(faults...)
	}
	s.own.Add(own, c)
	return c, nil
}

func (r *rendering) fields(c compiled, out *core.Rendered) error {
	n := &out.Notification
	for _, field := range []struct {
		name string
		set  func(string)
	}{
		{"skip", func(s string) { out.Skip = mend.Line(s) }},
		{"title", func(s string) { n.Title = strings.Join(strings.Fields(s), " ") }},
		{"body", func(s string) { n.Body = body(s) }},
		{"link", func(s string) { n.Link = strings.TrimSpace(s) }},
		{"image", func(s string) { n.Image = strings.TrimSpace(s) }},
		{"icon", func(s string) { n.Icon = strings.TrimSpace(s) }},
		{"importance", func(s string) { n.Importance = core.Importance(strings.TrimSpace(s)) }},
		{"externalId", func(s string) { n.ExternalID = mend.Line(s) }},
	} {
		text, err := r.text(c[field.name])
		if err != nil {
			return failed("#/template/"+field.name, err)
		}
		if field.set(text); out.Skip != "" {
			return nil
		}
	}
	return nil
}
