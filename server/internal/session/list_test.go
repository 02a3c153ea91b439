package session

import (
	"net/http"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

func TestListAndEnd(t *testing.T) {
	w := newWorld(t)
	laptop, phone := w.browser(), w.browser()
	const hint = "login_hint=ana@example.com"
	w.signIn(laptop, hint)
	w.signIn(phone, hint)
	stranger := w.browser()
	w.signIn(stranger, "login_hint=rui@example.com")
	ana := w.authenticate("the laptop's session", w.cookie(laptop), "")
	other := w.authenticate("the phone's session", w.cookie(phone), "")
	rui := w.authenticate("the stranger's session", w.cookie(stranger), "")

	list, total, err := w.manager.List(t.Context(), ana, core.Page{Limit: 10})
	if err != nil {
		t.Fatalf("list the sessions: %v", err)
	}
	check.Equal(t, "total of the sessions", total, 2)
	for _, s := range list {
		check.Equal(t, "network of a session", s.Client.Network, network)
	}

	if err := w.manager.End(t.Context(), rui, other.SessionID); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("end another person's session: got %v, want %s", err, core.CodeNotFound)
	}
	w.authenticate("the phone's session after a stranger ended it", w.cookie(phone), "")
	if err := w.manager.End(t.Context(), ana, other.SessionID); err != nil {
		t.Errorf("end the phone's session: %v", err)
	}
	w.authenticate("the phone's session after its end", w.cookie(phone), core.CodeUnauthenticated)
	check.Equal(t, "sessions whose streams ended", w.store.signedOut, []core.ID{other.SessionID})
	if _, err := w.manager.SignOut(t.Context(), other); err != nil {
		t.Errorf("sign out of a session that has ended: %v", err)
	}

	w.signIn(phone, hint)
	other = w.authenticate("the phone's new session", w.cookie(phone), "")
	w.store.signedOut = nil
	if err := w.manager.EndOthers(t.Context(), ana); err != nil {
		t.Errorf("end the other sessions: %v", err)
	}
	check.Equal(t, "other sessions whose streams ended", w.store.signedOut, []core.ID{other.SessionID})
	for what, session := range map[string]struct {
		browser *http.Client
		want    core.Code
	}{
		"the laptop's session": {laptop, ""}, "the phone's session": {phone, core.CodeUnauthenticated},
		"the stranger's session": {stranger, ""},
	} {
		w.authenticate(what+" after EndOthers", w.cookie(session.browser), session.want)
	}
}

func TestUseIsRecorded(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	w.signIn(b, "login_hint=ana@example.com")
	w.pass(touchEvery)
	const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
	caller, err := w.manager.Authenticate(t.Context(), w.cookie(b), userAgent, "198.51.100.9")
	if err != nil {
		t.Fatalf("authenticate: %v", err)
	}
	list, _, err := w.manager.List(t.Context(), caller, core.Page{Limit: 10})
	if err != nil || len(list) != 1 {
		t.Fatalf("list the sessions: got %d and error %v, want 1", len(list), err)
	}
	want := core.Client{Browser: "Firefox", System: "Linux", Network: "198.51.100.9"}
	check.Equal(t, "client of the last use", list[0].Client, want)
	check.Equal(t, "time of the last use", list[0].SeenAt, w.clock())
}
