package postgres_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

func (p *people) passkey(id core.ID, credential string) core.Passkey {
	p.now = p.now.Add(time.Minute)
	return core.Passkey{ID: core.NewID(), SubscriberID: id, Name: credential, CredentialID: []byte(credential),
		UserHandle: []byte("handle"), Credential: []byte(`{"n": 0}`), CreatedAt: p.now}
}

// TestChallengeIsUsedOnce answers a challenge on several nodes at once.
func TestChallengeIsUsedOnce(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	const nodes = 8
	errs := make([]error, nodes)
	var wg sync.WaitGroup
	for i := range nodes {
		wg.Go(func() { errs[i] = p.UseChallenge(t.Context(), []byte("hash"), p.now.Add(time.Minute)) })
	}
	wg.Wait()
	used := 0
	for _, err := range errs {
		switch {
		case err == nil:
			used++
		case !core.IsCode(err, core.CodeNotFound):
			t.Errorf("use a challenge: got %v, want code %s", err, core.CodeNotFound)
		}
	}
	check.Equal(t, "nodes that took the answer", used, 1)
	succeed(t, "prune", p.Prune(t.Context(), p.now.Add(time.Hour)))
	succeed(t, "use it when it is forgotten", p.UseChallenge(t.Context(), []byte("hash"), p.now))
}

// TestPasskeyCounts signs in with one passkey many times at once, and expects no count to be lost.
func TestPasskeyCounts(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	ana := must(p.signIn(profileAt(core.IssuerGoogle, "1", "ana@example.com")))
	succeed(t, "add a passkey", p.AddPasskey(t.Context(), p.passkey(ana.ID, "key")))
	const uses = 10
	var wg sync.WaitGroup
	for range uses {
		wg.Go(func() {
			_, err := p.SignInWithPasskey(t.Context(), []byte("key"), func(k core.Passkey) ([]byte, error) {
				var n int
				_, err := fmt.Sscanf(string(k.Credential), `{"n": %d}`, &n)
				return fmt.Appendf(nil, `{"n": %d}`, n+1), err
			}, p.now)
			if err != nil {
				t.Errorf("sign in: %v", err)
			}
		})
	}
	wg.Wait()
	check.Equal(t, "credential", string(must(p.Passkeys(t.Context(), ana.ID))[0].Credential), fmt.Sprintf(`{"n": %d}`, uses))
}

// TestLastPasskeys removes both passkeys of a person at once.
func TestLastPasskeys(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	one := p.passkey(core.ID{}, "one")
	ana := must(p.SignUpWithPasskey(t.Context(), core.Subscriber{Name: "Ana", Locale: "pt"}, one,
		core.SignUp{Open: true}, p.now))
	two := p.passkey(ana.ID, "two")
	succeed(t, "add another", p.AddPasskey(t.Context(), two))
	var wg sync.WaitGroup
	for _, id := range []core.ID{one.ID, two.ID} {
		wg.Go(func() { _ = p.RemovePasskey(t.Context(), ana.ID, id, []string{core.IssuerPasskey}) })
	}
	wg.Wait()
	check.Equal(t, "passkeys that remain", len(must(p.Passkeys(t.Context(), ana.ID))), 1)
}

// TestAuditOfPasskeys expects the owners of a publisher to see which passkeys its members add and remove, and their
// names to be forgotten with the account.
func TestAuditOfPasskeys(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rui := w.other(t, "rui")
	metro := w.publisher(t, "metro", "Metro", w.subscriber)
	w.join(t, "metro", rui, core.RoleEditor)
	k := core.Passkey{ID: core.NewID(), SubscriberID: rui, Name: "telemóvel", CredentialID: []byte("k"),
		UserHandle: []byte("h"), Credential: []byte("{}"), CreatedAt: w.now}
	as := func(operation string) context.Context {
		return core.WithOrigin(t.Context(), func() core.Origin {
			c := core.Caller{Kind: core.CallerSubscriber, SubscriberID: rui}
			return core.Origin{Caller: c, Operation: operation}
		})
	}
	succeed(t, "add", w.AddPasskey(as("addPasskey"), k))
	log := func() (out []string) {
		entries, _, err := w.AuditLog(t.Context(), core.AuditFilter{PublisherID: &metro.ID, Page: core.Page{Limit: 10}})
		succeed(t, "read the log", err)
		for _, e := range entries {
			out = append(out, e.Action+" "+e.Object)
		}
		return out
	}
	check.Equal(t, "entry of adding", log()[0], "addPasskey telemóvel")
	succeed(t, "remove", w.RemovePasskey(as("removePasskey"), rui, k.ID, []string{""})) // the issuer of the people here
	check.Equal(t, "entry of removing", log()[0], "removePasskey telemóvel")
	must(w.DeleteSubscriber(t.Context(), rui, nil, w.now))
	check.Equal(t, "entries after the person has left", log(), []string{"removePasskey ", "addPasskey "})
}
