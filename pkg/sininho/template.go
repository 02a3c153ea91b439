package sininho

import (
	"context"
	"iter"
	"net/http"
	"slices"
	"time"

	"github.com/sininho/sininho/pkg/api"
)

// TemplatesService manages what is often said in a channel
// (API: /channels/{publisherSlug}/{channelSlug}/templates). All who may publish there share it. Each method takes the
// channel as publisher/channel. Templates of webhooks are [WebhookTemplate].
type TemplatesService struct{ api *api.Client }

// Template is what is often said in a channel, with fields to fill in.
type Template struct {
	ID string `json:"id"`
	// Name is that of no other template of the channel.
	Name string `json:"name"`
	// Content has a field wherever a text or an address has a name in two braces, as in {{ street }}.
	Content PublishInput `json:"content"`
	// Fields are the names of the fields, each once.
	Fields []string `json:"fields"`
	// Plan is nil for a template that does not repeat.
	Plan *Plan `json:"plan,omitempty"`
	// NextAt is when the plan makes the next notification or draft; zero without a plan, and when that has ended.
	NextAt time.Time `json:"nextAt,omitzero"`
	// MissedAt is when the plan made nothing, because the storage was full, the channel suspended, or whoever planned a
	// draft could have no more of them or had left. It is zero once it has made something again.
	MissedAt  time.Time `json:"missedAt,omitzero"`
	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt"`
	// Version is set by Get, Create and Update, for [IfVersion].
	Version string `json:"-"`
}

func (t *Template) setVersion(version string) { t.Version = version }

// Fill returns what to publish, with a value for each of the fields. It fails with an [*InputError] that names each
// field without a value, and each value without a field.
func (t *Template) Fill(values map[string]string) (PublishInput, error) {
	var f faults
	for _, field := range t.Fields {
		if _, ok := values[field]; !ok {
			f.add(field, "required", "is missing")
		}
	}
	for name := range values {
		if !slices.Contains(t.Fields, name) {
			f.add(name, "unknown_field", "is not a field of the template")
		}
	}
	filled, in := t.Content.fields().Filled(values), t.Content
	in.Title, in.Body, in.Link, in.Image, in.Icon = filled.Title, filled.Body, filled.Link, filled.Image, filled.Icon
	return in, f.err()
}

// TemplateInput describes a new template.
type TemplateInput struct {
	Name    string
	Content PublishInput
	// Plan is optional.
	Plan *Plan
}

// TemplateUpdate holds the fields to change; nil fields stay unchanged.
type TemplateUpdate struct {
	Name *string
	// Content replaces the whole content.
	Content *PublishInput
	// Plan replaces the plan, and ends it if it points to a zero value.
	Plan *Plan
}

// List iterates over the templates of a channel by name. The iteration ends at the first error.
func (s *TemplatesService) List(ctx context.Context, channel string) iter.Seq2[Template, error] {
	a, err := ParseAddress(channel)
	if err != nil {
		return failed[Template](err)
	}
	return listed(func(t Template) string { return t.ID }, func(limit, offset *int32) (*http.Response, error) {
		return s.api.ListTemplates(ctx, a.Publisher, a.Channel, &api.ListTemplatesParams{Limit: limit, Offset: offset})
	})
}

// Get returns one template.
func (s *TemplatesService) Get(ctx context.Context, channel, id string) (*Template, error) {
	a, parsed, err := parseChannelItem(channel, id)
	if err != nil {
		return nil, err
	}
	return decodeVersion[Template](s.api.GetTemplate(ctx, a.Publisher, a.Channel, parsed))
}

// Create creates a template. It fails with [ErrConflict] and the code [CodeNameTaken] if the channel has one with that
// name.
func (s *TemplatesService) Create(
	ctx context.Context, channel string, in TemplateInput, opts ...CallOption,
) (*Template, error) {
	a, err := ParseAddress(channel)
	if err != nil {
		return nil, err
	}
	c, err := newCall(opts)
	if err != nil {
		return nil, err
	}
	f := in.Content.checkText()
	f.text("name", in.Name)
	if err := f.err(); err != nil {
		return nil, err
	}
	body := api.TemplateInput{Name: in.Name, Content: in.Content.toDraft()}
	if in.Plan != nil {
		body.Plan = pointerTo(in.Plan.toAPI())
	}
	return decodeVersion[Template](s.api.CreateTemplate(ctx, a.Publisher, a.Channel,
		&api.CreateTemplateParams{IdempotencyKey: &c.key}, body))
}

// Update changes a template and returns its new state. It fails as Create does.
func (s *TemplatesService) Update(
	ctx context.Context, channel, id string, in TemplateUpdate, opts ...ChangeOption,
) (*Template, error) {
	a, parsed, err := parseChannelItem(channel, id)
	if err != nil {
		return nil, err
	}
	f := value(in.Content).checkText()
	f.text("name", value(in.Name))
	if err := f.err(); err != nil {
		return nil, err
	}
	patch := api.TemplatePatch{Name: in.Name, Plan: in.planPatch()}
	if in.Content != nil {
		patch.Content = pointerTo(in.Content.toDraft())
	}
	return decodeVersion[Template](s.api.UpdateTemplate(ctx, a.Publisher, a.Channel, parsed,
		&api.UpdateTemplateParams{IfMatch: newChange(opts).version}, patch))
}

// Delete deletes a template. What was published from it stays.
func (s *TemplatesService) Delete(ctx context.Context, channel, id string, opts ...ChangeOption) error {
	a, parsed, err := parseChannelItem(channel, id)
	if err != nil {
		return err
	}
	return check(s.api.DeleteTemplate(ctx, a.Publisher, a.Channel, parsed,
		&api.DeleteTemplateParams{IfMatch: newChange(opts).version}))
}
