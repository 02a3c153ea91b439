package servertest_test

import (
	"encoding/json"
	"encoding/xml"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

// readFeed is what a feed reader finds at an address.
type readFeed struct {
	status int
	header http.Header
	Title  string
	Items  []struct {
		ID           string
		Title        string
		DateModified string `json:"date_modified"`
		Authors      []struct{ Name string }
	}
}

func (r readFeed) titles() (titles []string) {
	for _, item := range r.Items {
		titles = append(titles, item.Title)
	}
	return titles
}

// askFeed reads a JSON Feed, with the tag of what the reader has.
func askFeed(t *testing.T, s *servertest.Server, address, tag string) (feed readFeed) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	check.Equal(t, "error of a request", err, nil)
	req.Header.Set("If-None-Match", tag)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatalf("get %s: %v", address, err)
	}
	defer res.Body.Close()
	feed.status, feed.header = res.StatusCode, res.Header
	if res.StatusCode != http.StatusOK {
		return feed
	}
	if err := json.NewDecoder(res.Body).Decode(&feed); err != nil {
		t.Fatalf("read %s: %v", address, err)
	}
	return feed
}

// TestFeedsFollowChanges reads the feeds of a channel and of its publisher after each change, with the tag of the
// version before, and again with the new one.
func TestFeedsFollowChanges(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	const path = "/channels/p/c/notifications/"
	first := f.newNotification()
	tags, modified := map[string]string{}, ""
	read := func(what string, want ...string) {
		t.Helper()
		for _, address := range []string{f.URL + "/channels/p/c/feed.json", f.URL + "/channels/p/feed.json"} {
			feed := askFeed(t, f.Server, address, tags[address])
			check.Equal(t, "status of "+address+" "+what, feed.status, http.StatusOK)
			titles := feed.titles()
			check.Equal(t, "titles of "+address+" "+what, titles[:min(len(titles), len(want))], want)
			tags[address], modified = feed.header.Get("ETag"), feed.Items[0].DateModified
			again := askFeed(t, f.Server, address, tags[address])
			check.Equal(t, "status of "+address+" again "+what, again.status, http.StatusNotModified)
		}
	}
	f.owner.Do(http.MethodPatch, path+first, object{"title": "Primeira"}, 200, nil)
	read("at first", "Primeira")
	before := modified
	second := f.do("/channels/p/c/notifications", object{"title": "Segunda"}, 201).ID
	read("after a publication", "Segunda", "Primeira")
	f.owner.Do(http.MethodPatch, path+second, object{"title": "Emendada"}, 200, nil)
	read("after a correction", "Emendada", "Primeira")
	if modified <= before {
		t.Errorf("time of a corrected notification: got %s, want it after %s", modified, before)
	}
	f.owner.Do(http.MethodDelete, path+second, nil, 204, nil)
	read("after a withdrawal", "Primeira")
	f.owner.Do(http.MethodPatch, "/channels/p/c", object{"name": "Outro"}, 200, nil)
	read("after another name", "Primeira")
	f.owner.Do(http.MethodPatch, "/publishers/p", object{"name": "Outro"}, 200, nil)
	read("after another name of the publisher", "Primeira")
	f.owner.Do(http.MethodPost, "/channels", object{"publisherSlug": "p", "slug": "d", "name": "D",
		"categoryId": f.category}, 201, nil)
	f.do("/channels/p/d/notifications", object{"title": "De outro canal"}, 201)
	publisher := askFeed(t, f.Server, f.URL+"/channels/p/feed.json", tags[f.URL+"/channels/p/feed.json"])
	check.Equal(t, "feed of the publisher with another channel", publisher.titles()[:2],
		[]string{"De outro canal", "Primeira"})
}

// TestHiddenFeeds expects what the pages of channels do: unlisted ones are at their own address alone, and of private,
// suspended and deleted ones there is nothing, with or without a tag from before.
func TestHiddenFeeds(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for slug, visibility := range map[string]string{"u": "unlisted", "v": "private", "w": "public", "x": "public"} {
		f.owner.Do(http.MethodPost, "/channels", object{"publisherSlug": "p", "slug": slug, "name": slug,
			"categoryId": f.category, "visibility": visibility}, 201, nil)
		f.do("/channels/p/"+slug+"/notifications", object{"title": "Oculto " + slug}, 201)
	}
	address := func(channel string) string { return f.URL + "/channels/" + channel + "/feed.json" }
	tag := askFeed(t, f.Server, address("p/w"), "").header.Get("ETag")
	f.operator.Do(http.MethodPut, "/admin/channels/p/w/suspension", suspending, 200, nil)
	f.owner.Do(http.MethodDelete, "/channels/p/x", nil, 204, nil)
	for channel, want := range map[string]int{"p/u": 200, "p/v": 404, "p/w": 404, "p/x": 404, "p/nada": 404,
		"nada/c": 404, "demo/demonstracao": 404, "p": 200, "q": 200} {
		for _, known := range []string{"", tag, "*"} {
			got := askFeed(t, f.Server, address(channel), known).status
			if got == http.StatusNotModified && known == "*" && want == 200 {
				continue
			}
			check.Equal(t, "status of the feed of "+channel+" with tag "+known, got, want)
		}
		if want == http.StatusNotFound {
			check.Equal(t, "page about "+channel, crawl(t, f.Server, "/channels/"+channel+"/feed.atom").body,
				crawl(t, f.Server, "/channels/p/nunca/feed.atom").body)
		}
	}
	if titles := askFeed(t, f.Server, address("p"), "").titles(); slices.ContainsFunc(titles, func(s string) bool {
		return strings.HasPrefix(s, "Oculto")
	}) {
		t.Errorf("feed of the publisher: got %v, want only the public channel", titles)
	}
	f.operator.Do(http.MethodPut, "/admin/publishers/q/suspension", suspending, 200, nil)
	for _, channel := range []string{"q", "q/c"} {
		check.Equal(t, "status with a suspended publisher", askFeed(t, f.Server, address(channel), "").status, 404)
	}
}

type madeAddress struct{ Hint, Atom, JSON string }

// TestPersonalFeed makes, reads, renews and ends the secret address of a feed.
func TestPersonalFeed(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.owner.Do(http.MethodPost, "/channels", object{"publisherSlug": "p", "slug": "v", "name": "V",
		"categoryId": f.category, "visibility": "private"}, 201, nil)
	invitation := f.do("/channels/p/v/invitations", object{}, 201).Secret
	f.owner.Do(http.MethodPost, "/channel-invitations/accept", object{"secret": invitation}, 200, nil)
	private := f.do("/channels/p/v/notifications", object{"title": "Privada"}, 201).ID
	const path = "/subscribers/feed-address"
	f.owner.Do(http.MethodGet, path, nil, 404, nil)
	var made, shown madeAddress
	f.owner.Do(http.MethodPut, path, nil, 200, &made)
	f.owner.Do(http.MethodGet, path, nil, 200, &shown)
	check.Equal(t, "shown address", shown, madeAddress{Hint: made.Hint})
	if !strings.HasPrefix(made.Atom, f.URL+"/feeds/snf_live_") || !strings.HasSuffix(made.JSON, made.Hint+".json") {
		t.Errorf("address: got %+v, want one of the server with the hint at its end", made)
	}
	feed := askFeed(t, f.Server, made.JSON, "")
	check.Equal(t, "titles", feed.titles()[0], "Privada")
	check.Equal(t, "author", feed.Items[0].Authors[0].Name, "P")
	check.Equal(t, "headers", []string{feed.header.Get("Cache-Control"), feed.header.Get("X-Robots-Tag"),
		feed.header.Get("Referrer-Policy"), feed.header.Get("Access-Control-Allow-Origin")},
		[]string{"private, no-cache", "noindex", "no-referrer", ""})
	tag := feed.header.Get("ETag")
	check.Equal(t, "status again", askFeed(t, f.Server, made.JSON, tag).status, http.StatusNotModified)
	f.owner.Do(http.MethodPatch, "/subscribers/notifications/"+private, object{"archived": true}, 200, nil)
	feed = askFeed(t, f.Server, made.JSON, tag)
	check.Equal(t, "status after archiving", feed.status, http.StatusOK)
	check.Equal(t, "archived title is there", slices.Contains(feed.titles(), "Privada"), false)

	var renewed madeAddress
	f.owner.Do(http.MethodPut, path, nil, 200, &renewed)
	for _, address := range []string{made.JSON, made.Atom} {
		check.Equal(t, "status of the address before", askFeed(t, f.Server, address, tag).status, 404)
	}
	check.Equal(t, "status of the new one", askFeed(t, f.Server, renewed.JSON, "").status, 200)
	owner := f.account("owner@example.com")
	f.operator.Do(http.MethodPut, "/admin/subscribers/"+owner+"/suspension", suspending, 200, nil)
	check.Equal(t, "status while the person is suspended", askFeed(t, f.Server, renewed.JSON, "").status, 404)
	f.operator.Do(http.MethodDelete, "/admin/subscribers/"+owner+"/suspension", nil, 204, nil)
	again := f.SignIn(t, "owner@example.com")
	check.Equal(t, "status after it", askFeed(t, f.Server, renewed.JSON, "").status, 200)
	var export struct{ FeedAddress madeAddress }
	again.Do(http.MethodGet, "/subscribers/me/export", nil, 200, &export)
	check.Equal(t, "exported address", export.FeedAddress, madeAddress{Hint: renewed.Hint})
	again.Do(http.MethodDelete, path, nil, 204, nil)
	again.Do(http.MethodDelete, path, nil, 404, nil)
	check.Equal(t, "status after it was ended", askFeed(t, f.Server, renewed.JSON, "").status, 404)

	leaving := f.SignIn(t, "leaving@example.com")
	leaving.Do(http.MethodPut, path, nil, 200, &made)
	check.Equal(t, "status before the person leaves", askFeed(t, f.Server, made.JSON, "").status, 200)
	leaving.Do(http.MethodDelete, "/subscribers/me", nil, 204, nil)
	check.Equal(t, "status after the person has left", askFeed(t, f.Server, made.JSON, "").status, 404)
}

// TestUnfollowedPrivateChannelLeavesTheFeed removes a member from a private channel.
func TestUnfollowedPrivateChannelLeavesTheFeed(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.owner.Do(http.MethodPost, "/channels", object{"publisherSlug": "p", "slug": "v", "name": "V",
		"categoryId": f.category, "visibility": "private"}, 201, nil)
	rui := f.SignIn(t, "rui@example.com")
	invitation := f.do("/channels/p/v/invitations", object{}, 201).Secret
	rui.Do(http.MethodPost, "/channel-invitations/accept", object{"secret": invitation}, 200, nil)
	f.do("/channels/p/v/notifications", object{"title": "Privada"}, 201)
	var made madeAddress
	rui.Do(http.MethodPut, "/subscribers/feed-address", nil, 200, &made)
	feed := askFeed(t, f.Server, made.JSON, "")
	check.Equal(t, "titles of a member", feed.titles(), []string{"Privada"})
	f.owner.Do(http.MethodDelete, "/channels/p/v/members/"+f.account("rui@example.com"), nil, 204, nil)
	after := askFeed(t, f.Server, made.JSON, feed.header.Get("ETag"))
	check.Equal(t, "feed after they were removed", []any{after.status, len(after.Items)}, []any{200, 0})
}

// TestFeedLimit asks for more feeds than a visitor may read a minute. A guess of a secret counts like any other.
func TestFeedLimit(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Limited(), servertest.With("LIMIT_READS_PER_MINUTE", "2"))
	guess := s.URL + "/feeds/snf_live_" + strings.Repeat("0", 36) + ".json"
	check.Equal(t, "status of a guess", askFeed(t, s, guess, "").status, 404)
	check.Equal(t, "status of a feed", askFeed(t, s, s.URL+"/channels/demo/feed.json", "").status, 200)
	for _, address := range []string{guess, s.URL + "/channels/demo/feed.json"} {
		feed := askFeed(t, s, address, "")
		check.Equal(t, "status above the limit", []string{http.StatusText(feed.status), feed.header.Get("Retry-After")},
			[]string{"Too Many Requests", "60"})
	}
}

// TestHugeFeed publishes the longest texts, of characters that take the most room.
func TestHugeFeed(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for range 30 {
		f.do("/channels/p/c/notifications", object{"title": "Longa", "body": strings.Repeat("&", 20_000)}, 201)
	}
	res, err := http.Get(f.URL + "/channels/p/c/feed.atom")
	check.Equal(t, "error of reading", err, nil)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	check.Equal(t, "error of reading", err, nil)
	var feed struct {
		Entries []struct{} `xml:"entry"`
	}
	check.Equal(t, "error of decoding", xml.Unmarshal(text, &feed), nil)
	if len(feed.Entries) < 10 || len(feed.Entries) > 20 || len(text) > 4<<20 {
		t.Errorf("huge feed: got %d entries in %d bytes, want those within its bound", len(feed.Entries), len(text))
	}
}

// TestFeedsAreFound reads where pages say that their feeds are.
func TestFeedsAreFound(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for page, feed := range map[string]string{"/channels/p": "/channels/p/feed", "/channels/p/c": "/channels/p/c/feed",
		"/channels/p/c/" + f.notification: "/channels/p/c/feed", "/channels": "", "/channels/demo/demonstracao": ""} {
		body := crawl(t, f.Server, page).body
		for extension, kind := range map[string]string{".atom": "atom+xml", ".json": "feed+json"} {
			link := `<link rel="alternate" type="application/` + kind + `"`
			if got := strings.Contains(body, link); got != (feed != "") {
				t.Errorf("%s: link to a feed of type %s: got %t, want %t", page, kind, got, feed != "")
			}
			if feed != "" && !strings.Contains(body, `href="`+f.URL+feed+extension+`"`) {
				t.Errorf("%s: got %s, want the address %s%s", page, body, feed, extension)
			}
		}
	}
}
