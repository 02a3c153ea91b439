package httpapi

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/sininho/sininho/pkg/webhook"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

// foreignID is a publisher for which somebody else answers; Ana answers for the two others.
var foreignID = core.ID{0xbf}

func (w *world) shareAccount() {
	w.accounts = map[core.ID]core.ID{publisherID: ana, otherID: ana, foreignID: {0xe}}
}

func (w *world) bearerOf(publisher core.ID) string {
	return "Authorization: Bearer " + w.newKey(publisher, core.ScopePublish, core.ScopeChannels)
}

// TestPublishersOfAnAccountShareItsPublishes publishes as each of them and as their person, twice as many as one may.
func TestPublishersOfAnAccountShareItsPublishes(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Limits.Publishes = 10 })
	w.shareAccount()
	secret := webhook.NewSecret()
	signed := w.webhook("signed", secret)
	keys := []string{w.bearerOf(publisherID), w.bearerOf(otherID), w.token(cli)}
	limited := func(key string) bool {
		return w.send("POST", publish, `{"title":"x"}`, key).Code == http.StatusTooManyRequests
	}
	for i, n := range []int{6, 10, 4} {
		for j := range n {
			if limited(keys[i]) {
				t.Fatalf("publish %d with credential %d: got 429, want it within the limits", j+1, i+1)
			}
		}
	}
	if !limited(keys[1]) {
		t.Error("publish 11 of one publisher: got within the limits, want 429")
	}
	for what, a := range map[string]*response{
		"another publisher": w.send("POST", publish, `{"title":"x"}`, keys[0]),
		"the person":        w.send("POST", publish, `{"title":"x"}`, keys[2]),
		"a batch":           w.send("POST", publish+"/batch", batchOf(1), keys[2]),
	} {
		a.wantStatus("publish 21 of the account, by "+what, 429)
		a.wantHeader("publish 21 of the account, by "+what, "RateLimit-Policy", `"account-publishes";q=20;w=60`)
	}
	w.sendSigned(hooks+signed, "e", `{"title":"x"}`, secret).wantStatus("publish 21 of the account, by a webhook", 429)
	if limited(w.bearerOf(foreignID)) {
		t.Error("first publish of another account: got 429, want it within the limits")
	}
}

// TestPublishersOfAnAccountShareItsStreams opens streams with the keys of two publishers until there are no more.
func TestPublishersOfAnAccountShareItsStreams(t *testing.T) {
	live := held{make(chan struct{}), make(chan struct{})}
	w := newWorld(t, func(c *Config) { c.Live = live })
	w.shareAccount()
	var open sync.WaitGroup
	t.Cleanup(func() { close(live.end); open.Wait() })
	opened := func(credential string) bool {
		refused := make(chan *response, 1)
		open.Go(func() { refused <- w.send("GET", publish+"/stream", "", credential) })
		select {
		case <-live.begun:
			return true
		case <-refused:
			return false
		}
	}
	one, two := w.bearerOf(publisherID), w.bearerOf(otherID)
	for i := range 100 {
		if key := []string{one, two}[i%2]; !opened(key) {
			t.Fatalf("stream %d of the account: refused, want it open", i+1)
		}
	}
	check.Equal(t, "stream 101 of the account is open", opened(two), false)
	check.Equal(t, "stream of another account's publisher is open", opened(w.bearerOf(foreignID)), true)
	check.Equal(t, "stream of the account's person is open", opened(signedIn), true)
}

// TestAccountsShareWhatIsThereAtOnce has one publisher take all that its account may have at once.
func TestAccountsShareWhatIsThereAtOnce(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Connections = 20 })
	as := func(caller core.Caller, hook *core.Webhook) *call {
		r := httptest.NewRequest("PATCH", publish, nil)
		return &call{caller: caller, webhook: hook, request: r, body: make([]byte, largeAtOnce),
			out: &recorder{ResponseWriter: httptest.NewRecorder()}, operation: &operation{id: "correctNotification"}}
	}
	key := func(publisher, account core.ID) *call {
		return as(core.Caller{Kind: core.CallerPublisher, PublisherID: publisher, AccountID: account}, nil)
	}
	others := map[string]*call{
		"another publisher": key(otherID, ana),
		"the person":        as(core.Caller{Kind: core.CallerSubscriber, SubscriberID: ana}, nil),
		"a webhook":         as(core.Caller{}, &core.Webhook{PublisherID: otherID, AccountID: ana}),
	}
	now, cancel := context.WithCancel(t.Context())
	cancel() // takes what is free, without waiting
	for what, take := range map[string]func(a *server, c *call) error{
		"shares": func(a *server, c *call) error { return a.takeShares(nil, c.request.WithContext(now), c) },
		"room for pages": func(a *server, c *call) error {
			_, err := a.takeRoom(now, roomHolder{party: c.account()}, roomForParty)
			return err
		},
		"room for bodies": func(a *server, c *call) error {
			return a.takeBody(now, c, bodiesForParty)
		},
	} {
		a := newServer(w.config)
		for i := 0; ; i++ {
			if err := take(a, key(publisherID, ana)); err != nil {
				break
			} else if i == w.config.Connections+1 {
				t.Fatalf("%s: one publisher has %d shares, want fewer", what, i)
			}
		}
		for who, c := range others {
			if err := take(a, c); err == nil {
				t.Errorf("%s for %s of an account that has all of its share: got some, want none", what, who)
			}
		}
		if err := take(a, key(foreignID, core.ID{0xe})); err != nil {
			t.Errorf("%s for another account's publisher: got error %v, want some", what, err)
		}
	}
}
