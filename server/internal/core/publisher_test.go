package core_test

import (
	"context"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

var (
	owner    = core.ID{1}
	editor   = core.ID{2}
	stranger = core.ID{3}
	metroID  = core.ID{0xb}
)

// publishers is a store with only the publisher metro. It records the calls it receives.
type publishers struct {
	core.PublisherStore
	core.MemberStore
	core.APIKeyStore
	core.MembershipInvitationStore
	core.SubscriberStore
	filter  core.PublisherFilter
	done    []string
	removed core.ID
	name    string
}

func (s *publishers) PublisherBySlug(_ context.Context, slug string) (core.Publisher, error) {
	if slug != "metro" {
		return core.Publisher{}, core.NotFound()
	}
	return core.Publisher{ID: metroID, Slug: slug, Name: s.name}, nil
}

func (s *publishers) Role(_ context.Context, _, subscriberID core.ID) (core.Role, error) {
	return map[core.ID]core.Role{owner: core.RoleOwner, editor: core.RoleEditor}[subscriberID], nil
}

func (s *publishers) Publishers(_ context.Context, f core.PublisherFilter) ([]core.Publisher, int64, error) {
	s.filter = f
	return nil, 0, nil
}

func (s *publishers) CreatePublisher(
	_ context.Context, p core.Publisher, _ core.ID, _ core.Idempotency,
) (core.Publisher, core.Creation, error) {
	s.done = append(s.done, "create "+p.Slug)
	return p, core.Created, nil
}

func (s *publishers) UpdatePublisher(
	context.Context, core.ID, core.PublisherPatch, *time.Time, time.Time,
) (core.Publisher, error) {
	return core.Publisher{ID: metroID}, nil
}

func (s *publishers) DeletePublisher(context.Context, core.ID, *time.Time) error { return nil }

func (s *publishers) Members(context.Context, core.ID, core.Page) ([]core.Member, int64, error) {
	return nil, 0, nil
}

func (s *publishers) MemberByEmail(_ context.Context, _ core.ID, email string) (core.Member, error) {
	if email != "a@example.com" {
		return core.Member{}, core.NotFound()
	}
	return core.Member{}, nil
}

func (s *publishers) UpdateMember(context.Context, core.ID, core.ID, core.Role) (core.Member, error) {
	return core.Member{}, nil
}

func (s *publishers) RemoveMember(
	_ context.Context, _, id core.ID, _ core.Renewal, _ bool, _ time.Time,
) ([]core.ID, error) {
	s.removed = id
	return nil, nil
}

func (s *publishers) MembershipInvitations(
	context.Context, core.ID, core.Page, time.Time,
) ([]core.MembershipInvitation, int64, error) {
	return nil, 0, nil
}

func (s *publishers) Invite(
	_ context.Context, inv core.MembershipInvitation, _ int, _ core.Idempotency,
) (core.MembershipInvitation, core.Creation, error) {
	return inv, core.Created, nil
}

func (s *publishers) WithdrawInvitation(context.Context, core.ID, core.ID) error { return nil }

func (s *publishers) APIKeys(context.Context, core.ID, core.Page) ([]core.APIKey, int64, error) {
	return nil, 0, nil
}

func (s *publishers) CreateAPIKey(
	_ context.Context, k core.APIKey, _ []byte, key core.Idempotency,
) (core.APIKey, core.Creation, error) {
	if key.Wanted() {
		return k, core.Replayed, nil
	}
	return k, core.Created, nil
}

func (s *publishers) RotateAPIKey(
	_ context.Context, _, _ core.ID, _ []byte, _ core.Idempotency, rotate func(*core.APIKey) (core.APIKey, error),
) (core.APIKey, core.Creation, error) {
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

// TestPublisherPermissions calls each operation as owner, editor and stranger.
func TestPublisherPermissions(t *testing.T) {
	s := &publishers{}
	service := core.NewPublishers(s, nil, production, clock)
	webhooks := core.NewWebhooks(nil, nil, production, nil, nil, clock)
	members := core.NewMembers(s, webhooks, quiet{}, clock)
	invitations := core.NewMembershipInvitations(s, 50, clock)
	keys := core.NewAPIKeys(s, quiet{}, clock)
	const (
		ok   = core.Code("")
		no   = core.CodeForbidden
		none = core.CodeNotFound
	)
	for name, test := range map[string]struct {
		want [3]core.Code // for owner, editor and stranger
		do   func(c core.Caller) error
	}{
		"update": {[3]core.Code{ok, no, none}, func(c core.Caller) error {
			_, err := service.Update(t.Context(), c, "metro", core.PublisherPatch{}, nil)
			return err
		}},
		"delete": {[3]core.Code{ok, no, none}, func(c core.Caller) error {
			return service.Delete(t.Context(), c, "metro", nil)
		}},
		"delete an unknown publisher": {[3]core.Code{none, none, none}, func(c core.Caller) error {
			return service.Delete(t.Context(), c, "carris", nil)
		}},
		"members": {[3]core.Code{ok, ok, none}, func(c core.Caller) error {
			_, _, err := members.List(t.Context(), c, "metro", core.Page{})
			return err
		}},
		"add member": {[3]core.Code{ok, no, none}, func(c core.Caller) error {
			_, err := members.Add(t.Context(), c, "metro", "a@example.com")
			return err
		}},
		"invitations": {[3]core.Code{ok, no, none}, func(c core.Caller) error {
			_, _, err := invitations.List(t.Context(), c, "metro", core.Page{})
			return err
		}},
		"invite": {[3]core.Code{ok, no, none}, func(c core.Caller) error {
			in := core.MembershipInvitationInput{Email: "a@example.com", Role: core.RoleOwner}
			_, _, err := invitations.Create(t.Context(), c, "metro", in, core.Idempotency{})
			return err
		}},
		"withdraw an invitation": {[3]core.Code{ok, no, none}, func(c core.Caller) error {
			return invitations.Withdraw(t.Context(), c, "metro", core.ID{9})
		}},
		"update member": {[3]core.Code{ok, no, none}, func(c core.Caller) error {
			_, err := members.Update(t.Context(), c, "metro", c.SubscriberID, core.RoleOwner)
			return err
		}},
		"remove member": {[3]core.Code{ok, no, none}, func(c core.Caller) error {
			return members.Remove(t.Context(), c, "metro", core.ID{9}, true)
		}},
		"leave": {[3]core.Code{ok, ok, none}, func(c core.Caller) error {
			return members.Remove(t.Context(), c, "metro", c.SubscriberID, true)
		}},
		"leave and keep one's keys": {[3]core.Code{ok, no, none}, func(c core.Caller) error {
			return members.Remove(t.Context(), c, "metro", c.SubscriberID, false)
		}},
		"keys": {[3]core.Code{ok, ok, none}, func(c core.Caller) error {
			_, _, err := keys.List(t.Context(), c, "metro", core.Page{})
			return err
		}},
		"create key": {[3]core.Code{ok, no, none}, func(c core.Caller) error {
			in := core.APIKeyInput{Name: "CI"}
			_, _, _, err := keys.Create(t.Context(), c, "metro", in, core.Idempotency{})
			return err
		}},
		"rotate key": {[3]core.Code{ok, no, none}, func(c core.Caller) error {
			id, in := core.ID{9}, core.APIKeyRotation{}
			_, _, _, err := keys.Rotate(t.Context(), c, "metro", id, in, core.Idempotency{})
			return err
		}},
		"revoke key": {[3]core.Code{ok, no, none}, func(c core.Caller) error {
			return keys.Revoke(t.Context(), c, "metro", core.ID{9})
		}},
	} {
		core.CheckCode(t, name+" as owner", test.do(person(owner)), test.want[0])
		core.CheckCode(t, name+" as editor", test.do(person(editor)), test.want[1])
		core.CheckCode(t, name+" as stranger", test.do(person(stranger)), test.want[2])
	}
}

func TestPublisherFilter(t *testing.T) {
	s := &publishers{}
	service := core.NewPublishers(s, nil, production, clock)
	visitor, key := core.Caller{}, core.Caller{Kind: core.CallerPublisher, PublisherID: metroID}
	_, _, err := service.List(t.Context(), visitor, core.Search{}, true, core.Page{})
	core.CheckCode(t, "own publishers of a visitor", err, core.CodeUnauthenticated)
	for name, test := range map[string]struct {
		caller core.Caller
		mine   bool
		want   core.PublisherFilter
	}{
		"all for a visitor": {visitor, false, core.PublisherFilter{}},
		"own of a member":   {person(editor), true, core.PublisherFilter{Member: &editor, Reader: &editor, All: true}},
		"all for a member":  {person(editor), false, core.PublisherFilter{Reader: &editor}},
		"own of an API key": {key, true, core.PublisherFilter{ID: &metroID, All: true}},
	} {
		_, _, err := service.List(t.Context(), test.caller, core.Search{}, test.mine, core.Page{})
		core.Succeed(t, "list "+name, err)
		check.Equal(t, "filter: "+name, s.filter, test.want)
	}
}

func TestCreatePublisher(t *testing.T) {
	s := &publishers{}
	service := core.NewPublishers(s, nil, production, clock)
	create := func(in core.PublisherInput) error {
		_, _, err := service.Create(t.Context(), person(owner), in, core.Idempotency{})
		return err
	}
	for name, test := range map[string]struct {
		in   core.PublisherInput
		want []string
	}{
		"valid": {core.PublisherInput{
			Slug: "p", Name: "P", Website: "https://example.com", Avatar: "https://example.com/a.png",
		}, nil},
		"blank": {core.PublisherInput{Slug: "p", Name: "\u200b"}, []string{"#/name"}},
		"all faults": {core.PublisherInput{
			Slug: "p", Description: "\x00", Website: "http://example.com", Avatar: "data:,",
		}, []string{"#/avatar", "#/description", "#/name", "#/website"}},
	} {
		check.Equal(t, "faults of a publisher: "+name, pointers(fieldsOf(create(test.in))), test.want)
	}
	check.Equal(t, "calls of the store", s.done, []string{"create p"})
}

func TestUpdatePublisher(t *testing.T) {
	service := core.NewPublishers(&publishers{}, nil, production, clock)
	link := core.Patch[string]{Set: true, Value: new("http://example.com")}
	patch := core.PublisherPatch{Name: new(" "), Description: new("\x00"), Website: link, Avatar: link}
	_, err := service.Update(t.Context(), person(owner), "metro", patch, nil)
	want := []string{"#/avatar", "#/description", "#/name", "#/website"}
	check.Equal(t, "faults of a change", pointers(fieldsOf(err)), want)
	patch = core.PublisherPatch{Website: core.Patch[string]{Set: true}}
	p, err := service.Update(t.Context(), person(owner), "metro", patch, nil)
	core.Succeed(t, "remove the website", err)
	check.Equal(t, "role of the owner", p.Role, core.RoleOwner)
}

// Storage implements core.publishersStore.
func (*publishers) Storage(context.Context, core.ID) (core.Storage, error) {
	return core.Storage{Used: 1, Quota: 2}, nil
}
