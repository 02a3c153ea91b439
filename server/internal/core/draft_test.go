package core_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sininho/sininho/server/internal/core"
)

func (w *world) draft(c core.Caller, title string) core.Draft {
	w.t.Helper()
	in := core.DraftInput{Content: core.PublishInput{Title: title}}
	return made(first(w.drafts.Create(w.t.Context(), c, "metro", "avisos", in, noKey)))
}

// TestDraftsBelongToTheirAuthor tries to find, change and delete the draft of another member.
func TestDraftsBelongToTheirAuthor(t *testing.T) {
	t.Parallel()
	w, ctx := newWorld(t), t.Context()
	d := w.draft(w.editor, "Só meu")
	for name, err := range map[string]error{
		"get":               second(w.drafts.Get(ctx, w.owner, "metro", "avisos", d.ID)),
		"update":            second(w.drafts.Update(ctx, w.owner, "metro", "avisos", d.ID, core.DraftInput{}, nil)),
		"delete":            w.drafts.Delete(ctx, w.owner, "metro", "avisos", d.ID, nil),
		"get as a template": second(w.templates.Get(ctx, w.editor, "metro", "avisos", d.ID)),
		"stranger":          second(w.drafts.Get(ctx, w.stranger, "metro", "avisos", d.ID)),
	} {
		core.CheckCode(t, name, err, core.CodeNotFound)
	}
	_, total, err := w.drafts.List(ctx, w.owner, "metro", "avisos", core.Page{Limit: 10})
	if err != nil || total != 0 {
		t.Errorf("drafts of the owner: got %d, %v, want none", total, err)
	}
}

// TestDraftsNeedTheRightToPublish saves drafts and templates with credentials that may not publish.
func TestDraftsNeedTheRightToPublish(t *testing.T) {
	t.Parallel()
	w, ctx := newWorld(t), t.Context()
	for name, c := range map[string]core.Caller{
		"key for channels": w.key(core.ScopeChannels), "stranger": w.stranger, "visitor": w.visitor,
	} {
		want := map[string]core.Code{"key for channels": core.CodeForbidden, "stranger": core.CodeNotFound,
			"visitor": core.CodeUnauthenticated}[name]
		_, _, err := w.drafts.Create(ctx, c, "metro", "avisos", core.DraftInput{}, noKey)
		core.CheckCode(t, name+" saves a draft", err, want)
		_, _, err = w.templates.Create(ctx, c, "metro", "avisos", core.TemplateInput{Name: "A"}, noKey)
		core.CheckCode(t, name+" creates a template", err, want)
		_, _, err = w.templates.List(ctx, c, "metro", "avisos", core.Page{Limit: 10})
		core.CheckCode(t, name+" lists templates", err, want)
	}
}

// TestDraftsOfTwoDevices changes a draft that another device has changed since.
func TestDraftsOfTwoDevices(t *testing.T) {
	t.Parallel()
	w, ctx := newWorld(t), t.Context()
	d := w.draft(w.owner, "Um")
	seen := d.Version()
	w.now = w.now.Add(time.Second)
	in := core.DraftInput{Content: core.PublishInput{Body: "Dois"}}
	d = made(w.drafts.Update(ctx, w.owner, "metro", "avisos", d.ID, in, &seen))
	if d.Content.Title != "" || d.Content.Body != "Dois" {
		t.Errorf("content: got %+v, want it replaced", d.Content)
	}
	_, err := w.drafts.Update(ctx, w.owner, "metro", "avisos", d.ID, core.DraftInput{}, &seen)
	core.CheckCode(t, "change what has changed since", err, core.CodeChanged)
	core.CheckCode(t, "delete it", w.drafts.Delete(ctx, w.owner, "metro", "avisos", d.ID, &seen), core.CodeChanged)
}

// TestTemplatesAreShared creates a template as a person, and changes and lists it as others who may publish.
func TestTemplatesAreShared(t *testing.T) {
	t.Parallel()
	w, ctx := newWorld(t), t.Context()
	in := core.TemplateInput{Name: "Água", Content: core.PublishInput{Title: "Falta a água na {{ rua }}",
		Body: "{{rua}}: das {{das}} às {{ hora do fim }}.", Link: "www.{{ site }}.pt"}}
	d := made(first(w.templates.Create(ctx, w.owner, "metro", "avisos", in, noKey)))
	want := []string{"rua", "das", "hora do fim", "site"}
	if diff := cmp.Diff(want, d.Fields()); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
	_, _, err := w.templates.Create(ctx, w.editor, "metro", "avisos", in, noKey)
	core.CheckCode(t, "the same name", err, core.CodeConflict)
	d = made(w.templates.Update(ctx, w.key(core.ScopePublish), "metro", "avisos", d.ID,
		core.TemplatePatch{Name: new("Falta a água")}, nil))
	if d.Name != "Falta a água" || d.Content.Title != in.Content.Title {
		t.Errorf("renamed: got %+v, want only another name", d)
	}
	list, _, err := w.templates.List(ctx, w.editor, "metro", "avisos", core.Page{Limit: 10})
	if diff := cmp.Diff([]core.Draft{d}, list); err != nil || diff != "" {
		t.Errorf("list: %v (-want +got):\n%s", err, diff)
	}
}

// TestDraftsAreLimited saves one more than there may be.
func TestDraftsAreLimited(t *testing.T) {
	t.Parallel()
	w, ctx := newWorld(t), t.Context()
	w.Caps[core.CapDrafts], w.Caps[core.CapTemplates] = 1, 1
	w.draft(w.owner, "Um")
	w.draft(w.editor, "De outra pessoa")
	_, _, err := w.drafts.Create(ctx, w.owner, "metro", "avisos", core.DraftInput{}, noKey)
	core.CheckCode(t, "a second draft", err, core.CodeInvalid)
	_, _, err = w.templates.Create(ctx, w.owner, "metro", "avisos", core.TemplateInput{Name: "A"}, noKey)
	core.Succeed(t, "create a template", err)
	_, _, err = w.templates.Create(ctx, w.editor, "metro", "avisos", core.TemplateInput{Name: "B"}, noKey)
	core.CheckCode(t, "a second template", err, core.CodeInvalid)
}

// TestDraftFaults validates contents that cannot be stored, and some that cannot be published yet.
func TestDraftFaults(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 20_001)
	far := time.Date(9999, 12, 31, 23, 0, 0, 0, time.FixedZone("", -2*60*60))
	fields := ""
	for c := 'a'; c < 'a'+21; c++ {
		fields += "{{" + string(c) + "}}"
	}
	for name, c := range map[string]struct {
		in   core.Input
		want []string
	}{
		"unfinished": {core.DraftInput{Content: core.PublishInput{Link: "www", Image: "x", ExpiresAt: &now}}, nil},
		"empty":      {core.DraftInput{}, nil},
		"too long": {core.DraftInput{Content: core.PublishInput{Title: long, Body: long, Link: long, ExternalID: long}},
			[]string{"#/content/title too_long", "#/content/body too_long", "#/content/link too_long",
				"#/content/externalId too_long"}},
		"cannot be stored": {core.DraftInput{Content: core.PublishInput{Body: "\x00", Importance: "x", ExpiresAt: &far,
			Data: map[string]string{"a b": "c"}}},
			[]string{"#/content/body text", "#/content/importance enum", "#/content/data key",
				"#/content/expiresAt too_far"}},
		"name": {core.TemplateInput{Name: " "}, []string{"#/name blank"}},
		"fields": {core.TemplateInput{Name: "A", Content: core.PublishInput{Body: fields}},
			[]string{"#/content too_many"}},
		"patch":       {core.TemplatePatch{Name: new("\n")}, []string{"#/name blank"}},
		"empty patch": {core.TemplatePatch{}, nil},
	} {
		var got []string
		for _, f := range c.in.Validate(testRules, now) {
			got = append(got, f.Pointer+" "+f.Code)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
