package core_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

var (
	owner, editor, stranger = core.ID{1}, core.ID{2}, core.ID{3}
	metroID                 = core.ID{0xb}
)

// publishers is a store with only the publisher metro. It records the calls it receives.
type publishers struct {
	core.PublisherStore
	core.MemberStore
	core.APIKeyStore
	filter  core.PublisherFilter
	done    []string
	removed core.ID
}

func (s *publishers) PublisherBySlug(_ context.Context, slug string) (core.Publisher, error) {
	if slug != "metro" {
		return core.Publisher{}, core.NotFound()
	}
	return core.Publisher{ID: metroID, Slug: slug}, nil
}

func (s *publishers) Role(_ context.Context, _, subscriberID core.ID) (core.Role, error) {
	return map[core.ID]core.Role{owner: core.RoleOwner, editor: core.RoleEditor}[subscriberID], nil
}

func (s *publishers) Publishers(_ context.Context, f core.PublisherFilter) ([]core.Publisher, int64, error) {
	s.filter = f
	return nil, 0, nil
}

func (s *publishers) CreatePublisher(_ context.Context, p core.Publisher, owner core.ID, _ core.Idempotency) (core.Publisher, core.Creation, error) {
	s.done = append(s.done, "create "+p.Slug)
	return p, core.Created, nil
}

func (s *publishers) UpdatePublisher(context.Context, core.ID, core.PublisherPatch, *time.Time, time.Time) (core.Publisher, error) {
	return core.Publisher{ID: metroID}, nil
}
func (s *publishers) DeletePublisher(context.Context, core.ID, *time.Time) error { return nil }

func (s *publishers) Members(context.Context, core.ID, core.Page) ([]core.Member, int64, error) {
	return nil, 0, nil
}

func (s *publishers) AddMember(context.Context, core.ID, string, core.Role, time.Time, core.Idempotency) (core.Member, core.Creation, error) {
	return core.Member{}, core.Created, nil
}

func (s *publishers) UpdateMember(context.Context, core.ID, core.ID, core.Role) (core.Member, error) {
	return core.Member{}, nil
}

func (s *publishers) RemoveMember(_ context.Context, _, id core.ID) error {
	s.removed = id
	return nil
}

func (s *publishers) APIKeys(context.Context, core.ID, core.Page) ([]core.APIKey, int64, error) {
	return nil, 0, nil
}

func (s *publishers) CreateAPIKey(_ context.Context, k core.APIKey, _ []byte, key core.Idempotency) (core.APIKey, core.Creation, error) {
	if key.Wanted() {
		return k, core.Replayed, nil
	}
	return k, core.Created, nil
}

func (s *publishers) RotateAPIKey(_ context.Context, _, _ core.ID, _ []byte, _ core.Idempotency, rotate func(*core.APIKey) (core.APIKey, error)) (core.APIKey, core.Creation, error) {
	k, err := rotate(&core.APIKey{})
	return k, core.Created, err
}
func (s *publishers) ReplayAPIKey(_ context.Context, key core.Idempotency) (core.APIKey, core.Creation, error) {
	if key.Key != "known" {
		return core.APIKey{}, 0, core.NotFound()
	}
	return core.APIKey{Name: "first"}, core.Replayed, nil
}

func (s *publishers) RevokeAPIKey(context.Context, core.ID, core.ID, time.Time) error { return nil }

func person(id core.ID) core.Caller {
	return core.Caller{Kind: core.CallerSubscriber, SubscriberID: id}
}

// quiet is an Announcer that ignores the end of a key.
type quiet struct{ core.Announcer }

func (quiet) SignedOut(context.Context, core.ID) {}

// TestWhoMayManageAPublisher calls each operation as owner, editor and stranger.
func TestWhoMayManageAPublisher(t *testing.T) {
	s := &publishers{}
	service := core.NewPublishers(s, production, clock)
	members := core.NewMembers(s, clock)
	keys := core.NewAPIKeys(s, quiet{}, clock)
	const ok, no, none = core.Code(""), core.CodeForbidden, core.CodeNotFound
	for name, test := range map[string]struct {
		want [3]core.Code // for owner, editor and stranger
		do   func(c core.Caller) error
	}{
		"update": {[3]core.Code{ok, no, none}, func(c core.Caller) error {
			_, err := service.Update(t.Context(), c, "metro", core.PublisherPatch{}, nil)
			return err
		}},
		"delete":       {[3]core.Code{ok, no, none}, func(c core.Caller) error { return service.Delete(t.Context(), c, "metro", nil) }},
		"delete other": {[3]core.Code{none, none, none}, func(c core.Caller) error { return service.Delete(t.Context(), c, "carris", nil) }},
		"members": {[3]core.Code{ok, ok, none}, func(c core.Caller) error {
			_, _, err := members.List(t.Context(), c, "metro", core.Page{})
			return err
		}},
		"add member": {[3]core.Code{ok, no, none}, func(c core.Caller) error {
			_, _, err := members.Add(t.Context(), c, "metro", "a@example.com", core.RoleEditor, core.Idempotency{})
			return err
		}},
		"update member": {[3]core.Code{ok, no, none}, func(c core.Caller) error {
			_, err := members.Update(t.Context(), c, "metro", c.SubscriberID, core.RoleOwner)
			return err
		}},
		"remove member": {[3]core.Code{ok, no, none}, func(c core.Caller) error { return members.Remove(t.Context(), c, "metro", core.ID{9}) }},
		"leave":         {[3]core.Code{ok, ok, none}, func(c core.Caller) error { return members.Remove(t.Context(), c, "metro", c.SubscriberID) }},
		"keys": {[3]core.Code{ok, ok, none}, func(c core.Caller) error {
			_, _, err := keys.List(t.Context(), c, "metro", core.Page{})
			return err
		}},
		"create key": {[3]core.Code{ok, no, none}, func(c core.Caller) error {
			_, _, _, err := keys.Create(t.Context(), c, "metro", core.APIKeyInput{Name: "CI"}, core.Idempotency{})
			return err
		}},
		"rotate key": {[3]core.Code{ok, no, none}, func(c core.Caller) error {
			_, _, _, err := keys.Rotate(t.Context(), c, "metro", core.ID{9}, core.APIKeyRotation{}, core.Idempotency{})
			return err
		}},
		"revoke key": {[3]core.Code{ok, no, none}, func(c core.Caller) error { return keys.Revoke(t.Context(), c, "metro", core.ID{9}) }},
	} {
		for i, id := range []core.ID{owner, editor, stranger} {
			if err := test.do(person(id)); test.want[i] == ok && err != nil || test.want[i] != ok && !core.IsCode(err, test.want[i]) {
				t.Errorf("%s as %v: %v, want %q", name, id[0], err, test.want[i])
			}
		}
	}
}

func TestMyPublishers(t *testing.T) {
	s := &publishers{}
	service := core.NewPublishers(s, production, clock)
	list := func(c core.Caller, mine bool) error {
		_, _, err := service.List(t.Context(), c, core.Search{}, mine, core.Page{})
		return err
	}
	if err := list(core.Caller{}, true); !core.IsCode(err, core.CodeUnauthenticated) {
		t.Errorf("a visitor's: %v", err)
	}
	if err := list(core.Caller{}, false); err != nil || s.filter.Member != nil || s.filter.ID != nil || s.filter.Reader != nil {
		t.Errorf("all: %+v %v", s.filter, err)
	}
	if err := list(person(editor), true); err != nil || *s.filter.Member != editor || *s.filter.Reader != editor {
		t.Errorf("a member's: %+v %v", s.filter, err)
	}
	if err := list(person(editor), false); err != nil || s.filter.Member != nil || *s.filter.Reader != editor {
		t.Errorf("all, to a member: %+v %v", s.filter, err)
	}
	if err := list(core.Caller{Kind: core.CallerPublisher, PublisherID: metroID}, true); err != nil || *s.filter.ID != metroID || s.filter.Reader != nil {
		t.Errorf("a key's: %+v %v", s.filter, err)
	}
}

func TestCreatePublisher(t *testing.T) {
	s := &publishers{}
	service := core.NewPublishers(s, production, clock)
	for name, test := range map[string]struct {
		in   core.PublisherInput
		want []string
	}{
		"good":  {core.PublisherInput{Slug: "p", Name: "P", Website: "https://example.com", Avatar: "https://example.com/a.png"}, nil},
		"blank": {core.PublisherInput{Slug: "p", Name: "\u200b"}, []string{"#/name"}},
		"all":   {core.PublisherInput{Slug: "p", Description: "\x00", Website: "http://example.com", Avatar: "data:,"}, []string{"#/avatar", "#/description", "#/name", "#/website"}},
	} {
		if _, _, err := service.Create(t.Context(), person(owner), test.in, core.Idempotency{}); !slices.Equal(pointers(fieldsOf(err)), test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, slug := range []string{"api", "www", "admin", "sininho"} {
		if _, _, err := service.Create(t.Context(), person(owner), core.PublisherInput{Slug: slug, Name: "P"}, core.Idempotency{}); !core.IsCode(err, core.CodeConflict) {
			t.Errorf("%s: %v", slug, err)
		}
	}
	if !slices.Equal(s.done, []string{"create p"}) {
		t.Errorf("%v", s.done)
	}
	blank, web := " ", "http://example.com"
	patch := core.PublisherPatch{Name: &blank, Description: new("\x00"), Website: core.Patch[string]{Set: true, Value: &web}, Avatar: core.Patch[string]{Set: true, Value: &web}}
	if _, err := service.Update(t.Context(), person(owner), "metro", patch, nil); len(fieldsOf(err)) != 4 {
		t.Error(err)
	}
	if p, err := service.Update(t.Context(), person(owner), "metro", core.PublisherPatch{Website: core.Patch[string]{Set: true}}, nil); err != nil || p.Role != core.RoleOwner {
		t.Errorf("%+v %v", p, err)
	}
}
