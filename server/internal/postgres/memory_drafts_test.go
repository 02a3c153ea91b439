package postgres_test

import (
	"context"
	"errors"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

func scriptDrafts(ctx context.Context, s *script) {
	mine := core.DraftOwner{ChannelID: s.channel.ID, AuthorID: s.ana}
	shared := core.DraftOwner{ChannelID: s.channel.ID}
	create := func(of core.DraftOwner, name, title string, key core.Idempotency) core.ID {
		s.now = s.now.Add(time.Second)
		d := core.Draft{DraftOwner: of, ID: core.NewID(), Name: name, CreatedAt: s.now, UpdatedAt: s.now,
			Content: core.PublishInput{Title: title, Data: map[string]string{"a": "b"}, ExpiresAt: new(s.now)}}
		made, creation, err := s.CreateDraft(ctx, d, key)
		s.note("create "+name+title, made, creation, err)
		return made.ID
	}
	list := func(of core.DraftOwner, page core.Page) {
		data, total, err := s.Drafts(ctx, of, page)
		s.note("list", data, total, err)
	}
	rename := func(name string) func(*core.Draft) error {
		return func(d *core.Draft) error {
			d.Name = name
			return nil
		}
	}
	one := create(mine, "", "Um", idempotency("k", "1"))
	create(mine, "", "Um", idempotency("k", "1"))
	create(mine, "", "Dois", core.Idempotency{})
	create(mine, "", "Três", core.Idempotency{})
	b := create(shared, "b", "Falta", core.Idempotency{})
	create(shared, "b", "Outra", core.Idempotency{})
	create(shared, "a", "Escola", core.Idempotency{})
	create(shared, "c", "Mais", core.Idempotency{})
	list(mine, core.Page{Limit: 10})
	list(shared, core.Page{Limit: 10})
	list(shared, core.Page{Limit: 1, Offset: 1})
	for _, of := range []core.DraftOwner{mine, shared, {ChannelID: s.channel.ID, AuthorID: s.rui}, {ChannelID: s.ana}} {
		d, err := s.Draft(ctx, of, one)
		s.note("get", d, err)
	}
	s.now = s.now.Add(time.Second)
	d, err := s.UpdateDraft(ctx, mine, one, s.now, func(d *core.Draft) error {
		d.Content = core.PublishInput{Body: "Depois"}
		return nil
	})
	s.note("update", d, err)
	d, err = s.UpdateDraft(ctx, shared, b, s.now, rename("a"))
	s.note("take a name", d.ID, err)
	d, err = s.UpdateDraft(ctx, shared, b, s.now, rename("d"))
	s.note("rename", d, err)
	_, err = s.UpdateDraft(ctx, shared, one, s.now, rename("e"))
	s.note("update as another", err)
	_, err = s.UpdateDraft(ctx, mine, one, s.now, func(*core.Draft) error { return core.NotFound() })
	s.note("fail to update", err)
	s.note("delete another version", s.DeleteDraft(ctx, mine, one, new(s.now.Add(-1))))
	s.note("delete as another", s.DeleteDraft(ctx, shared, one, nil))
	s.note("delete", s.DeleteDraft(ctx, mine, one, &s.now))
	s.note("delete again", s.DeleteDraft(ctx, mine, one, nil))
	e, err := s.Export(ctx, s.ana, s.now)
	s.note("export", e.Drafts, err)
	s.note("delete a template", s.DeleteDraft(ctx, shared, b, nil))
	s.leave(ctx, mine, list)
	s.note("delete the channel", s.DeleteChannel(ctx, s.channel.ID, nil, s.now))
	list(shared, core.Page{Limit: 10})
}

// leave adds a member, who writes a draft and leaves.
func (s *script) leave(ctx context.Context, mine core.DraftOwner, list func(core.DraftOwner, core.Page)) {
	inv := core.MembershipInvitation{ID: core.NewID(), PublisherID: s.publisher, Email: "rui@example.com",
		Role: core.RoleEditor, State: core.InvitationPending, InvitedBy: &core.Inviter{ID: s.ana}, InvitedAt: s.now,
		ExpiresAt: s.now.Add(time.Hour)}
	_, _, err := s.Invite(ctx, inv, 3, core.Idempotency{})
	_, accepting := s.AcceptInvitation(ctx, s.rui, inv.ID, s.now)
	s.succeed("join", errors.Join(err, accepting))
	theirs := core.DraftOwner{ChannelID: s.channel.ID, AuthorID: s.rui}
	d := core.Draft{DraftOwner: theirs, ID: core.NewID(), CreatedAt: s.now, UpdatedAt: s.now}
	_, _, err = s.CreateDraft(ctx, d, core.Idempotency{})
	s.succeed("write", err)
	weekly := core.Draft{DraftOwner: core.DraftOwner{ChannelID: s.channel.ID}, ID: core.NewID(), Name: "Ementa",
		CreatedAt: s.now, UpdatedAt: s.now, NextAt: new(s.now.Add(time.Hour)), MissedAt: new(s.now), PlannerID: s.rui,
		Plan: &core.Plan{Makes: core.MakesDraft, Weekdays: []core.Weekday{"friday"}, Time: 60, Timezone: "UTC",
			EndsAt: new(s.now.AddDate(1, 0, 0))}}
	_, _, err = s.CreateDraft(ctx, weekly, core.Idempotency{})
	s.succeed("plan", err)
	list(weekly.DraftOwner, core.Page{Limit: 10})
	list(theirs, core.Page{Limit: 10})
	_, err = s.RemoveMember(ctx, s.publisher, s.rui, func(*core.SealedWebhook) {}, false, s.now)
	s.succeed("leave", err)
	list(theirs, core.Page{Limit: 10})
	list(mine, core.Page{Limit: 10})
	list(weekly.DraftOwner, core.Page{Limit: 10})
}
