package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/pgtest"
)

const acme = "https://id.acme.example"

func profileAt(issuer, subject, email string) core.Profile {
	return core.Profile{Issuer: issuer, Subject: subject, Email: email, Name: "Ana", Locale: "pt"}
}

// people is a store with subscribers who signed up at Google.
type people struct {
	*postgres.Store
	t   *testing.T
	now time.Time
}

func newPeople(t *testing.T) *people {
	t.Helper()
	return &people{postgres.NewStore(pgtest.DB(t)), t, time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
}

// signIn returns who signs in with a profile, and what went wrong.
func (p *people) signIn(profile core.Profile) (core.Subscriber, error) {
	p.now = p.now.Add(time.Minute)
	return p.SignIn(p.t.Context(), profile, core.SignUp{Open: true}, p.now)
}

func (p *people) add(id core.ID, profile core.Profile) error {
	p.now = p.now.Add(time.Minute)
	return p.AddIdentity(p.t.Context(), id, profile, p.now)
}

func (p *people) identities(id core.ID) (out []string) {
	for _, i := range must(p.Identities(p.t.Context(), id)) {
		out = append(out, i.Issuer+" "+i.Subject+" "+i.Email)
	}
	return out
}

// wantReason checks the reason of a conflict; "" is success.
func wantReason(t *testing.T, what string, err error, want string) {
	t.Helper()
	if want == "" {
		succeed(t, what, err)
		return
	}
	conflict, ok := errors.AsType[*core.Error](err)
	if !ok || conflict.Code != core.CodeConflict || conflict.Reason != want {
		t.Errorf("%s: got error %v, want a conflict %s", what, err, want)
	}
}

// TestTheSameAddressAtAnotherIssuer expects no issuer, also one that lies about addresses, to open an account of
// another.
func TestTheSameAddressAtAnotherIssuer(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	ana := must(p.signIn(profileAt(core.IssuerGoogle, "1", "Ana@example.com")))
	for _, stranger := range []core.Profile{
		profileAt(acme, "1", "ana@example.com"), profileAt(acme, "x", "ANA@EXAMPLE.COM"),
		profileAt(core.IssuerEmail, "ana@example.com", "ana@example.com"),
	} {
		_, err := p.signIn(stranger)
		wantReason(t, "sign in at "+stranger.Issuer, err, "known_address")
	}
	mallory := must(p.signIn(profileAt(core.IssuerGoogle, "2", "mallory@example.com")))
	wantReason(t, "add the address of another", p.add(mallory.ID, profileAt(acme, "1", "ana@example.com")),
		"known_address")
	wantReason(t, "add the account of another", p.add(mallory.ID, profileAt(core.IssuerGoogle, "1", "Ana@example.com")),
		"taken")
	equal(t, "identities of Mallory", len(p.identities(mallory.ID)), 1)

	wantReason(t, "add the own address", p.add(ana.ID, profileAt(acme, "1", "ana@example.com")), "")
	wantReason(t, "add it again", p.add(ana.ID, profileAt(acme, "1", "ana@example.com")), "")
	again := must(p.signIn(profileAt(acme, "1", "ana@example.com")))
	equal(t, "the person at the added issuer", again.ID, ana.ID)
	equal(t, "identities", fmt.Sprint(p.identities(ana.ID)),
		fmt.Sprint([]string{core.IssuerGoogle + " 1 Ana@example.com", acme + " 1 ana@example.com"}))
	// An issuer may give an address of its own to a new person, as companies do.
	next := must(p.signIn(profileAt(core.IssuerGoogle, "3", "mallory@example.com")))
	equal(t, "the next person with an address is the same", next.ID == mallory.ID, false)
}

// TestTheAddressOfAPerson expects it to follow the oldest identity alone.
func TestTheAddressOfAPerson(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	ana := must(p.signIn(profileAt(core.IssuerGoogle, "1", "ana@example.com")))
	wantReason(t, "add", p.add(ana.ID, profileAt(acme, "7", "operator@example.com")), "")
	other := profileAt(acme, "7", "another@example.com")
	other.Avatar = "https://acme.example/a.png"
	equal(t, "after signing in at the second", must(p.signIn(other)).Email, "ana@example.com")
	equal(t, "picture of the second", must(p.signIn(other)).Avatar, "")
	equal(t, "after a change at the first", must(p.signIn(profileAt(core.IssuerGoogle, "1", "a@example.com"))).Email,
		"a@example.com")
	list := must(p.Identities(t.Context(), ana.ID))
	offered := []string{core.IssuerGoogle, acme}
	succeed(t, "remove the first", p.RemoveIdentity(t.Context(), ana.ID, list[0].ID, offered, p.now))
	equal(t, "after removing the first", must(p.Subscriber(t.Context(), ana.ID)).Email, "another@example.com")
	wantReason(t, "remove the last", p.RemoveIdentity(t.Context(), ana.ID, list[1].ID, offered, p.now), "last_identity")
	wantCode(t, "remove what is gone", p.RemoveIdentity(t.Context(), ana.ID, list[0].ID, offered, p.now),
		core.CodeNotFound)
	stranger := must(p.signIn(profileAt(core.IssuerGoogle, "2", "m@example.com")))
	wantCode(t, "remove another's", p.RemoveIdentity(t.Context(), stranger.ID, list[1].ID, offered, p.now),
		core.CodeNotFound)
	// The removed identity belongs to nobody now.
	equal(t, "the removed identity is another person", must(p.signIn(profileAt(core.IssuerGoogle, "1",
		"a@example.com"))).ID == ana.ID, false)
}

// TestANewAddressOfAnotherPerson has an issuer give one of its people the address of somebody else.
func TestANewAddressOfAnotherPerson(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	must(p.signIn(profileAt(core.IssuerGoogle, "1", "operator@example.com")))
	mallory := must(p.signIn(profileAt(acme, "2", "mallory@example.com")))
	again := must(p.signIn(profileAt(acme, "2", "Operator@example.com")))
	equal(t, "the person", again.ID, mallory.ID)
	equal(t, "their address", again.Email, "mallory@example.com")
	equal(t, "identities", fmt.Sprint(p.identities(mallory.ID)), "["+acme+" 2 mallory@example.com]")
	equal(t, "their address after a change to a free one",
		must(p.signIn(profileAt(acme, "2", "m@example.com"))).Email, "m@example.com")
}

// TestTheLastIdentityThatIsOffered expects one to remain that the installation offers.
func TestTheLastIdentityThatIsOffered(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	ana := must(p.signIn(profileAt(core.IssuerGoogle, "1", "ana@example.com")))
	wantReason(t, "add", p.add(ana.ID, profileAt(core.IssuerEmail, "ana@example.com", "ana@example.com")), "")
	list := must(p.Identities(t.Context(), ana.ID))
	only := []string{core.IssuerEmail}
	wantReason(t, "remove the one that is offered",
		p.RemoveIdentity(t.Context(), ana.ID, list[1].ID, only, p.now), "last_identity")
	succeed(t, "remove the other", p.RemoveIdentity(t.Context(), ana.ID, list[0].ID, only, p.now))
}

func TestAPersonHasAFewIdentities(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	ana := must(p.signIn(profileAt(core.IssuerGoogle, "1", "ana@example.com")))
	for i := range core.MaxIdentities {
		err := p.add(ana.ID, profileAt(core.IssuerEmail, fmt.Sprint(i), fmt.Sprintf("ana%d@example.com", i)))
		want := ""
		if i == core.MaxIdentities-1 {
			want = "too_many"
		}
		wantReason(t, fmt.Sprintf("add number %d", i), err, want)
	}
}

// TestSignUpsAtTheSameMoment expects one account for one identity, and one of two issuers with the same address to wait
// and be refused.
func TestSignUpsAtTheSameMoment(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	const each = 8
	ids, errs := make([]core.ID, 2*each), make([]error, 2*each)
	var all sync.WaitGroup
	for i := range 2 * each {
		all.Go(func() {
			profile := profileAt([]string{acme, core.IssuerGoogle}[i%2], "1", "ana@example.com")
			s, err := p.SignIn(context.Background(), profile, core.SignUp{Open: true}, p.now)
			ids[i], errs[i] = s.ID, err
		})
	}
	all.Wait()
	people := map[core.ID]int{}
	for i, err := range errs {
		if err != nil {
			wantReason(t, "the later issuer", err, "known_address")
			continue
		}
		people[ids[i]]++
	}
	if len(people) != 1 {
		t.Errorf("accounts: got %v, want one", people)
	}
	for _, n := range people {
		equal(t, "sign-ins of the earlier issuer", n, each)
	}
}
