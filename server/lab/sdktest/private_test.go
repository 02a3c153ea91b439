package sdktest_test

import (
	"errors"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/server/lab/check"
)

// testPrivateChannels invites two people to a private channel: one joins, the other asks to and is approved. Then both
// leave it, in either way.
func testPrivateChannels(t *testing.T, f *fixture) {
	client, ctx, channel := f.owner, t.Context(), f.slug+"/privado"
	_, err := client.Channels.Create(ctx, channel,
		sininho.ChannelInput{Name: "Privado", CategoryID: f.category("transportes").ID, Visibility: sininho.Private})
	if err != nil {
		t.Fatalf("create a private channel: %v", err)
	}
	join := func(name string, in sininho.ChannelInvitationInput) (*sininho.Client, string) {
		t.Helper()
		person := f.asPerson(f.SignIn(t, name+"."+f.email))
		if _, err := person.Channels.Get(ctx, channel); !errors.Is(err, sininho.ErrNotFound) {
			t.Errorf("channel before joining: got error %v, want %v", err, sininho.ErrNotFound)
		}
		i, err := client.ChannelInvitations.Create(ctx, channel, in)
		if err != nil || i.URL == "" {
			t.Fatalf("invite: got %+v, %v, want a link", i, err)
		}
		shown, err := person.ChannelInvitations.Show(ctx, i.URL)
		if err != nil || shown.Channel.Name != "Privado" || shown.Approval != in.Approval || shown.State != "" {
			t.Errorf("invitation of %s: got %+v, %v", name, shown, err)
		}
		if _, err := person.ChannelInvitations.Accept(ctx, i.URL); err != nil {
			t.Fatalf("accept as %s: %v", name, err)
		}
		return person, i.ID
	}
	members := func(state sininho.ChannelMemberState) (ids []string) {
		for _, m := range collect(t, client.ChannelMembers.List(ctx, channel, state)) {
			ids = append(ids, m.ID)
		}
		return ids
	}
	ana, once := join("ana", sininho.ChannelInvitationInput{MaxUses: 1, ExpiresAt: time.Now().Add(time.Hour)})
	rui, _ := join("rui", sininho.ChannelInvitationInput{Approval: true})
	asked := members(sininho.MemberRequested)
	if len(members(sininho.MemberJoined)) != 1 || len(asked) != 1 {
		t.Fatalf("got %d members and %d requests, want 1 of each", len(members(sininho.MemberJoined)), len(asked))
	}
	if m, err := client.ChannelMembers.Approve(ctx, channel, asked[0]); err != nil || m.State != sininho.MemberJoined {
		t.Errorf("approve: got %+v, %v", m, err)
	}
	for _, person := range []*sininho.Client{ana, rui} {
		if _, err := person.Channels.Get(ctx, channel); err != nil {
			t.Errorf("channel of a member: %v", err)
		}
	}
	for _, i := range collect(t, client.ChannelInvitations.List(ctx, channel)) {
		check.Equal(t, "uses", i.Uses, 1)
	}
	if err := client.ChannelInvitations.Revoke(ctx, channel, once); err != nil {
		t.Errorf("revoke: %v", err)
	}
	check.Equal(t, "invitations", len(collect(t, client.ChannelInvitations.List(ctx, channel))), 1)
	if err := client.ChannelMembers.Remove(ctx, channel, asked[0]); err != nil {
		t.Errorf("remove: %v", err)
	}
	if _, err := rui.Channels.Get(ctx, channel); !errors.Is(err, sininho.ErrNotFound) {
		t.Errorf("channel of a removed member: got error %v, want %v", err, sininho.ErrNotFound)
	}
	sent, err := client.ChannelInvitations.Create(ctx, channel, sininho.ChannelInvitationInput{Email: "Bia@example.com"})
	if err != nil || sent.Email != "bia@example.com" || sent.MaxUses != 1 || sent.ExpiresAt.IsZero() {
		t.Errorf("invite an address: got %+v, %v", sent, err)
	}
	_, err = client.ChannelInvitations.Create(ctx, f.channel, sininho.ChannelInvitationInput{})
	wantRefusal(t, "invite to a public channel", err, sininho.CodeNotPrivate)
}
