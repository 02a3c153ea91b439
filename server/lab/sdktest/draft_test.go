package sdktest_test

import (
	"errors"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/server/lab/check"
)

func testDrafts(t *testing.T, f *fixture) {
	ctx, drafts := t.Context(), f.owner.Drafts
	content := sininho.PublishInput{Title: "Reunião", Link: "www.esc", Data: map[string]string{"turma": "7B"}}
	key := sininho.WithIdempotencyKey("draft")
	d, err := drafts.Create(ctx, f.channel, content, key)
	if err != nil {
		t.Fatalf("save a draft: %v", err)
	}
	check.Equal(t, "content", d.Content, content)
	again, err := drafts.Create(ctx, f.channel, content, key)
	if err != nil || again.ID != d.ID {
		t.Errorf("save it again under one key: got %+v, %v, want the first", again, err)
	}
	in := sininho.PublishInput{Body: "Às 18 h"}
	changed, err := drafts.Update(ctx, f.channel, d.ID, in, sininho.IfVersion(d.Version))
	if err != nil || changed.Content.Title != "" {
		t.Errorf("replace: got %+v, %v, want another content", changed, err)
	}
	_, err = drafts.Update(ctx, f.channel, d.ID, content, sininho.IfVersion(d.Version))
	if !errors.Is(err, sininho.ErrChanged) {
		t.Errorf("replace what has changed since: got error %v, want %v", err, sininho.ErrChanged)
	}
	got, err := drafts.Get(ctx, f.channel, d.ID)
	if err != nil || got.Version != changed.Version {
		t.Errorf("get: got %+v, %v, want the version %s", got, err, changed.Version)
	}
	for _, err := range f.key.Drafts.List(ctx, f.channel) {
		if !errors.Is(err, sininho.ErrForbidden) {
			t.Errorf("list by an API key: got error %v, want %v", err, sininho.ErrForbidden)
		}
	}
	if err := drafts.Delete(ctx, f.channel, d.ID, sininho.IfVersion(changed.Version)); err != nil {
		t.Errorf("delete: %v", err)
	}
	for d, err := range drafts.List(ctx, f.channel) {
		t.Errorf("after deleting: got %+v, %v, want nothing", d, err)
	}
}

func testTemplates(t *testing.T, f *fixture) {
	ctx, templates := t.Context(), f.key.Templates
	content := sininho.PublishInput{Title: "Falta a água na {{ rua }}", Body: "{{rua}}, às {{hora}}"}
	made, err := templates.Create(ctx, f.channel, sininho.TemplateInput{Name: "Água", Content: content})
	if err != nil {
		t.Fatalf("create a template: %v", err)
	}
	check.Equal(t, "fields", made.Fields, []string{"rua", "hora"})
	_, err = f.owner.Templates.Create(ctx, f.channel, sininho.TemplateInput{Name: "Água", Content: content})
	if e := (&sininho.Error{}); !errors.As(err, &e) || e.Code != sininho.CodeNameTaken {
		t.Errorf("create another of the name: got error %v, want the code %s", err, sininho.CodeNameTaken)
	}
	renamed, err := f.owner.Templates.Update(ctx, f.channel, made.ID, sininho.TemplateUpdate{Name: new("Falta a água")})
	if err != nil || renamed.Content.Title != content.Title {
		t.Errorf("rename: got %+v, %v, want the content unchanged", renamed, err)
	}
	_, err = renamed.Fill(map[string]string{"rua": "Rua Direita", "dia": "1"})
	if e := (&sininho.InputError{}); !errors.As(err, &e) || len(e.Fields) != 2 {
		t.Errorf("fill in with a field missing and one unknown: got error %v, want both faults", err)
	}
	in, err := renamed.Fill(map[string]string{"rua": "Rua Direita", "hora": "{{rua}}"})
	if err != nil || in.Title != "Falta a água na Rua Direita" || in.Body != "Rua Direita, às {{rua}}" {
		t.Errorf("fill in: got %+v, %v, want the values, as they are", in, err)
	}
	if _, err := f.key.Notifications.Publish(ctx, f.channel, in); err != nil {
		t.Errorf("publish: %v", err)
	}
	testPlan(t, f, made.ID)
	if err := templates.Delete(ctx, f.channel, made.ID); err != nil {
		t.Errorf("delete: %v", err)
	}
	for found, err := range templates.List(ctx, f.channel) {
		t.Errorf("after deleting: got %+v, %v, want nothing", found, err)
	}
}

// testPlan has a template with fields repeat, leaves its next time out, and ends that.
func testPlan(t *testing.T, f *fixture, id string) {
	t.Helper()
	ctx, templates := t.Context(), f.owner.Templates
	plan := &sininho.Plan{Makes: sininho.MakesNotification, Weekdays: []sininho.Weekday{sininho.Friday}, Time: "17:00",
		Timezone: "Europe/Lisbon"}
	_, err := templates.Update(ctx, f.channel, id, sininho.TemplateUpdate{Plan: plan})
	if e := (&sininho.Error{}); !errors.As(err, &e) || len(e.Fields) != 1 || e.Fields[0].Code != "fields" {
		t.Errorf("publish a template with fields: got error %v, want its fault", err)
	}
	plan.Makes = sininho.MakesDraft
	planned, err := templates.Update(ctx, f.channel, id, sininho.TemplateUpdate{Plan: plan})
	if err != nil || planned.NextAt.IsZero() {
		t.Fatalf("plan: got %+v, %v, want when it is next", planned, err)
	}
	check.Equal(t, "plan", planned.Plan, plan)
	plan.StartsAt = planned.NextAt.Add(time.Second)
	later, err := templates.Update(ctx, f.channel, id, sininho.TemplateUpdate{Plan: plan})
	if err != nil || !later.NextAt.After(planned.NextAt) {
		t.Errorf("leave the next time out: got %+v, %v, want a later one", later, err)
	}
	ended, err := templates.Update(ctx, f.channel, id, sininho.TemplateUpdate{Plan: &sininho.Plan{}})
	if err != nil || ended.Plan != nil || !ended.NextAt.IsZero() {
		t.Errorf("end it: got %+v, %v, want no plan", ended, err)
	}
	in := sininho.TemplateInput{Name: "Semanal", Content: sininho.PublishInput{Title: "Ementa"}, Plan: plan}
	in.Plan.Makes, in.Plan.Weekdays, in.Plan.MonthDays = sininho.MakesNotification, nil, []int{1, 15}
	monthly, err := f.key.Templates.Create(ctx, f.channel, in)
	if err != nil || monthly.Plan == nil {
		t.Fatalf("create a template that repeats: got %+v, %v, want its plan", monthly, err)
	}
	if err := templates.Delete(ctx, f.channel, monthly.ID); err != nil {
		t.Errorf("delete it: %v", err)
	}
}
