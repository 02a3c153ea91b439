package servertest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

// TestUnlistedChannelIsNowhere looks for an unlisted channel, its notification and its numbers in everything that
// strangers can list, before and after it has come to be.
func TestUnlistedChannelIsNowhere(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	strangers := map[string]*servertest.Subscriber{"somebody": f.SignIn(t, "rui@example.com")}
	strangers["another owner"] = f.SignIn(t, "other-owner@example.com")
	paths := []string{
		"/channels?limit=100", "/channels?limit=100&sort=newest", "/channels?limit=100&sort=active",
		"/channels?limit=100&sort=trending", "/channels?q=oculto", "/channels?q=oculto&sort=trending",
		"/channels?publisher=p", "/channels?publisher=p&q=oculto", "/publishers?limit=100", "/publishers/p",
		"/publishers?q=pu", "/categories?limit=100", "/subscribers/notifications", "/subscribers/channels",
		"/subscribers/me/export",
	}
	see := func() map[string]string {
		seen := map[string]string{}
		for name, p := range strangers {
			for _, path := range paths {
				res := call(t, p.Request(http.MethodGet, path, nil), "", 200, nil)
				seen[path+" as "+name] = string(res.Body)
			}
		}
		for _, path := range []string{"/channels/p/feed.atom", "/channels/p/feed.json"} {
			seen[path] = crawl(t, f.Server, path).body
		}
		return seen
	}
	before := see()
	var made struct{ ID string }
	f.owner.Do(http.MethodPost, "/channels", object{"publisherSlug": "p", "slug": "u", "name": "Oculto",
		"categoryId": f.category, "visibility": "unlisted"}, 201, &made)
	f.owner.Follow("p/u")
	f.do("/channels/p/u/notifications", object{"title": "Oculto"}, 201)
	after := see()
	for path := range before {
		if strings.Contains(after[path], "Oculto") || strings.Contains(after[path], made.ID) {
			t.Errorf("%s: got %s, want it without the unlisted channel", path, after[path])
		}
		if !strings.Contains(path, "export") { // it has its time
			check.Equal(t, path+", with an unlisted channel", after[path], before[path])
		}
	}
	call(t, strangers["somebody"].Request(http.MethodGet, "/channels/p/u", nil), "", 200, nil) // they know the address
}
