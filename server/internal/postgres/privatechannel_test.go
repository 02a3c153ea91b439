package postgres_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// privateChannel makes the channel private, and returns the secrets' hashes of invitations to it.
func (w *world) privateChannel(t *testing.T, invitations ...core.ChannelInvitation) (hashes [][]byte) {
	t.Helper()
	must(w.UpdateChannel(t.Context(), w.channel.ID, core.ChannelPatch{Visibility: new(core.Private)}, nil, w.now, nil))
	for _, inv := range invitations {
		inv.ID, inv.ChannelID, inv.CreatedAt = core.NewID(), w.channel.ID, w.now
		hash := core.HashSecret(inv.ID.String())
		_, _, err := w.CreateChannelInvitation(t.Context(), inv, hash, core.ChannelInviter{}, core.Idempotency{},
			noEmail)
		succeed(t, "invite", err)
		hashes = append(hashes, hash)
	}
	return hashes
}

// TestInvitationOfManyAtOnce lets more people accept an invitation at once than it is for.
func TestInvitationOfManyAtOnce(t *testing.T) {
	t.Parallel()
	for name, approval := range map[string]bool{"join": false, "ask to": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			const people, uses = 12, 5
			hash := w.privateChannel(t, core.ChannelInvitation{Approval: approval, MaxUses: new(int32(uses))})[0]
			var all sync.WaitGroup
			errs := make([]error, people)
			for i := range people {
				person := w.other(t, fmt.Sprint("person ", i))
				all.Go(func() { _, errs[i] = w.AcceptChannelInvitation(t.Context(), hash, person, w.now) })
			}
			all.Wait()
			joined := 0
			for _, err := range errs {
				if err == nil {
					joined++
				} else if !core.IsCode(err, core.CodeNotFound) {
					t.Errorf("accept: got %v, want CodeNotFound", err)
				}
			}
			equal(t, "people", joined, uses)
		})
	}
}

// TestPrivateChannelEndsWhilePeopleJoin deletes a channel, or makes it public, while people accept, are approved, are
// removed and delete their accounts. Nobody waits for somebody who waits for them.
func TestPrivateChannelEndsWhilePeopleJoin(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(w *world) error{
		"deleted": func(w *world) error { return w.DeleteChannel(t.Context(), w.channel.ID, nil, w.now) },
		"public": func(w *world) error {
			public := core.ChannelPatch{Visibility: new(core.Public)}
			_, err := w.UpdateChannel(t.Context(), w.channel.ID, public, nil, w.now, nil)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			vila := must(w.PublisherBySlug(t.Context(), "vila"))
			for round := range 10 {
				in := core.ChannelInput{Slug: fmt.Sprint("c", round), Name: "C", CategoryID: w.category(t, "cidade")}
				made := must3(w.CreateChannel(t.Context(), core.NewID(), vila.ID, in, w.now, core.Idempotency{}))
				w.channel = made.ChannelRef
				hashes := w.privateChannel(t, core.ChannelInvitation{}, core.ChannelInvitation{Approval: true})
				var all sync.WaitGroup
				do := func(what string, do func() error) {
					all.Go(func() {
						err := do()
						if err != nil && !core.IsCode(err, core.CodeNotFound) && !core.IsCode(err, core.CodeConflict) {
							t.Errorf("%s: %v", what, err)
						}
					})
				}
				for i := range 4 {
					person := func(what string) core.ID { return w.other(t, fmt.Sprint(what, round, i)) }
					joins, asks, leaves, goes := person("joins"), person("asks"), person("leaves"), person("goes")
					must(w.AcceptChannelInvitation(t.Context(), hashes[1], goes, w.now))
					must(w.AcceptChannelInvitation(t.Context(), hashes[1], asks, w.now))
					must(w.AcceptChannelInvitation(t.Context(), hashes[0], leaves, w.now))
					do("join", func() error {
						_, err := w.AcceptChannelInvitation(t.Context(), hashes[0], joins, w.now)
						return err
					})
					do("approve", func() error {
						_, err := w.ApproveChannelMember(t.Context(), w.channel.ID, asks, w.now)
						return err
					})
					do("approve who goes", func() error {
						_, err := w.ApproveChannelMember(t.Context(), w.channel.ID, goes, w.now)
						return err
					})
					do("remove who goes", func() error {
						return w.RemoveChannelMember(t.Context(), w.channel.ID, goes, w.now)
					})
					do("go", func() error {
						_, err := w.DeleteSubscriber(t.Context(), goes, nil, w.now)
						return err
					})
					do("remove", func() error { return w.RemoveChannelMember(t.Context(), w.channel.ID, leaves, w.now) })
				}
				do("end", func() error { return end(w) })
				all.Wait()
			}
		})
	}
}

// TestChannelInvitationsAreEmailedOnceADay invites the same mailbox to two channels, by a person and by a key.
func TestChannelInvitationsAreEmailedOnceADay(t *testing.T) {
	t.Parallel()
	w, sent := newWorld(t), 0
	w.privateChannel(t)
	other := w.anotherChannel(t)
	must(w.UpdateChannel(t.Context(), other.ID, core.ChannelPatch{Visibility: new(core.Private)}, nil, w.now, nil))
	email := func(context.Context, postgres.Tx, core.ID) error {
		sent++
		return nil
	}
	for i, step := range []struct {
		channel core.ID
		email   string
		by      core.ID
		after   time.Duration
		sent    int
	}{
		{w.channel.ID, "bia@example.com", w.subscriber, 0, 1},
		{w.channel.ID, "bia@example.com", core.ID{}, time.Hour, 1},
		{other.ID, "bia@example.com", core.ID{}, 0, 2},
		{w.channel.ID, "", w.subscriber, 0, 2},
		{w.channel.ID, "bia+1@example.com", core.ID{}, 0, 3},
		{w.channel.ID, "bia+2@example.com", core.ID{}, 0, 4},
		{w.channel.ID, "bia+3@example.com", core.ID{}, 0, 5},
		{w.channel.ID, "bia+4@example.com", core.ID{}, 0, 5}, // the mailbox has had five
		{w.channel.ID, "bia@example.com", w.subscriber, 25 * time.Hour, 6},
	} {
		inv := core.ChannelInvitation{ID: core.NewID(), ChannelID: step.channel, Email: step.email,
			CreatedAt: w.now.Add(step.after)}
		by := core.ChannelInviter{SubscriberID: step.by, PerDay: 50}
		_, _, err := w.CreateChannelInvitation(t.Context(), inv, core.HashSecret(inv.ID.String()), by,
			core.Idempotency{}, email)
		succeed(t, "invite", err)
		equal(t, fmt.Sprintf("emails after step %d", i), sent, step.sent)
	}
	succeed(t, "prune", w.Prune(t.Context(), w.now.Add(365*24*time.Hour)))
	equal(t, "invitations without an end", w.count(t, "select count(*) from channel_invitations"), 9)
	w.execute(t, "update channel_invitations set expires_at = created_at where email is not null")
	succeed(t, "prune", w.Prune(t.Context(), w.now.Add(365*24*time.Hour)))
	equal(t, "invitations that have not ended", w.count(t, "select count(*) from channel_invitations"), 1)
}
