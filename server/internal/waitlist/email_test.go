package waitlist

import (
	"context"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/emails"
)

// TestEmailPlace expects the kind of email, and the links in it, that the status of an entry calls for.
func TestEmailPlace(t *testing.T) {
	t.Parallel()
	const site = "https://sininho.example"
	tokens := mustTokens(t, make([]byte, 32))
	e := Entry{ID: core.ID{1}, Email: "ana@example.com", Name: "Ana <b>", Locale: "en", Position: 12,
		ReferralCode: "k7p2m9xq"}
	entry := site + "/waitlist/" + tokens.entry(e.ID)
	places := &Places{tokens: tokens, links: links{site},
		entry: func(context.Context, core.ID) (Entry, int64, error) { return e, 340, nil }}
	for status, want := range map[Status]emails.Place{
		Unconfirmed: {Kind: emails.Confirmation, URL: entry},
		Waiting:     {Kind: emails.Position, URL: entry},
		Invited:     {Kind: emails.Invitation, URL: site + "/login?invitation=" + tokens.invitation(e.ID)},
		Joined:      {Kind: emails.Joined, URL: entry},
	} {
		e.Status = status
		got, err := places.EmailPlace(t.Context(), e.ID)
		if err != nil {
			t.Errorf("place of an entry that is %s: got error %v, want none", status, err)
		}
		want.To, want.Locale, want.Position, want.Waiting = e.Email, e.Locale, 12, 340
		want.ReferralURL, want.LeaveURL = site+"/?ref=k7p2m9xq", entry+"?leave=true"
		if got != want {
			t.Errorf("place of an entry that is %s: got %+v, want %+v", status, got, want)
		}
	}
}

func TestEmailPlaceOfAnEntry(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	places, err := NewPlaces(w.db, make([]byte, 32), "https://sininho.example")
	if err != nil {
		t.Fatalf("make the places: %v", err)
	}
	_, err = places.EmailPlace(t.Context(), core.ID{9})
	expectNotFound(t, "place of nobody", err)
	rui := w.mustPlace(w.mustWait("rui@x.com", ""))
	got, err := places.EmailPlace(t.Context(), rui.ID)
	if err != nil || got.To != "rui@x.com" || got.Position != 1 || got.Waiting != 1 {
		t.Errorf("place of the only one: got %+v and error %v, want the first of 1", got, err)
	}
}
