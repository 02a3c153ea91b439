package servertest_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

// moderated is a fixture with a reader who follows p/c and q/c, and has read, archived and left unread some of each.
type moderated struct {
	*fixture
	reader     *servertest.Subscriber
	otherOwner *servertest.Subscriber // of q
	last       string                 // notification of p/c
}

func newModerated(t *testing.T) *moderated {
	t.Helper()
	m := &moderated{fixture: newFixture(t)}
	m.reader = m.SignIn(t, "reader@example.com")
	m.reader.Follow("p/c")
	m.reader.Follow("q/c")
	ids := []string{m.newNotification(), m.newNotification(), m.newNotification(), m.newNotification()}
	m.otherOwner = m.SignIn(t, "other-owner@example.com")
	m.publishInOther()
	m.reader.Do(http.MethodPatch, "/subscribers/notifications/"+ids[1], object{"read": true}, 200, nil)
	m.reader.Do(http.MethodPatch, "/subscribers/notifications/"+ids[2], object{"archived": true}, 200, nil)
	m.last = ids[3]
	return m
}

// finishEarlier waits for what was published: a push of it that is accepted would end a pause.
func (m *moderated) finishEarlier() {
	m.t.Helper()
	eventually.True(m.t, "earlier notifications are finished", func() bool {
		return count(m.t, m.Server, "select count(*) from dispatches where finished_at is null") == 0
	})
}

// publishInOther publishes a notification in q/c.
func (m *moderated) publishInOther() {
	m.t.Helper()
	m.otherOwner.Do(http.MethodPost, "/channels/q/c/notifications", object{"title": "Q"}, 201, nil)
}

// view is what the reader and a visitor see of both publishers.
type view struct {
	Feed, LongFeed, UnreadFeed, Subscriptions, Channels, Search, Publishers, Categories string
}

func (m *moderated) view() (v view) {
	m.t.Helper()
	for path, to := range map[string]*string{
		"/subscribers/notifications": &v.Feed, "/subscribers/notifications?limit=50": &v.LongFeed,
		"/subscribers/notifications?unread=true": &v.UnreadFeed, "/subscribers/channels": &v.Subscriptions,
		"/channels?limit=100&sort=newest": &v.Channels, "/channels?q=ca": &v.Search, "/publishers": &v.Publishers,
		"/categories?limit=100": &v.Categories,
	} {
		res := call(m.t, m.reader.Request(http.MethodGet, path, nil), "", 200, nil)
		*to = string(res.Body)
	}
	return v
}

// refused expects a request as one of the callers to be refused with a status and the code suspended.
func (m *moderated) refused(caller, method, path string, body any, want int) {
	m.t.Helper()
	status, problem := m.call(method, caller, "refused", request{path, body})
	if status != want || !strings.Contains(problem, `"code":"suspended"`) {
		m.t.Errorf("%s %s as %s: got %d, want %d with the code suspended: %s", method, path, caller, status, want,
			problem)
	}
	knows := want == http.StatusForbidden && caller != "visitor"
	if got := strings.Contains(problem, "Fraude"); got != knows {
		m.t.Errorf("%s %s as %s: response has the reason: got %v, want %v: %s", method, path, caller, got, knows,
			problem)
	}
}

var suspending = object{"reason": "Fraude"}

// hidden checks what everyone sees of p/c while it or its publisher is suspended.
func (m *moderated) hidden() {
	m.t.Helper()
	const channel = "/channels/p/c"
	var feed, subscriptions struct {
		Data []struct {
			Channel     struct{ PublisherSlug string }
			Suspended   bool
			UnreadCount int
		}
		Meta struct{ Total, Unread int }
	}
	for _, query := range []string{"", "?limit=50", "?unread=true"} {
		m.reader.Do(http.MethodGet, "/subscribers/notifications"+query, nil, 200, &feed)
		check.Equal(m.t, "total, unread and length of the feed"+query,
			[]int{feed.Meta.Total, feed.Meta.Unread, len(feed.Data)}, []int{1, 1, 1})
	}
	m.reader.Do(http.MethodGet, "/subscribers/channels", nil, 200, &subscriptions)
	for _, s := range subscriptions.Data {
		suspended := s.Channel.PublisherSlug == "p"
		check.Equal(m.t, "suspended, in the subscription to "+s.Channel.PublisherSlug, s.Suspended, suspended)
		check.Equal(m.t, "unread, in the subscription to "+s.Channel.PublisherSlug, s.UnreadCount,
			map[bool]int{true: 0, false: 1}[suspended])
	}
	var channels struct {
		Data []struct{ PublisherSlug string }
	}
	m.reader.Do(http.MethodGet, "/channels?publisher=p", nil, 200, &channels)
	check.Equal(m.t, "listed channels of p", len(channels.Data), 0)
	m.owner.Do(http.MethodGet, "/channels?publisher=p", nil, 200, &channels)
	check.Equal(m.t, "channels of p listed to its owner", len(channels.Data), 1)
	for _, caller := range []string{"visitor", "subscriber", "other-key"} {
		for _, path := range []string{
			"", "/followers", "/notifications", "/notifications/" + m.last, "/notifications/stream",
		} {
			m.refused(caller, http.MethodGet, channel+path, nil, 404)
		}
	}
	m.refused("subscriber", http.MethodPost, "/subscribers/channels/"+m.channel+"/subscribe", nil, 404)
	m.refused("subscriber", http.MethodPut, channel+"/report", object{"category": "spam"}, 404)
	m.reader.Do(http.MethodGet, "/subscribers/notifications/"+m.last, nil, 404, nil)
	m.reader.Do(http.MethodPatch, "/subscribers/notifications/"+m.last, object{"read": true}, 404, nil)
	m.reader.Do(http.MethodPost, "/subscribers/notifications/"+m.last+"/events", object{"type": "opened"}, 404, nil)
	for _, caller := range []string{"owner", "editor"} {
		m.refused(caller, http.MethodPost, channel+"/notifications", object{"title": "T"}, 403)
		m.refused(caller, http.MethodPost, channel+"/notifications/batch",
			object{"notifications": []object{{"title": "T"}}}, 403)
		m.refused(caller, http.MethodPatch, channel+"/notifications/"+m.last, object{"title": "T"}, 403)
		m.refused(caller, http.MethodDelete, channel, nil, 403)
	}
	m.refused("visitor", http.MethodPost, strings.TrimPrefix(m.webhook.URL, m.URL+"/api/v1"), object{"title": "T"}, 403)
	for _, who := range []*servertest.Subscriber{m.owner, m.operator} {
		var seen struct{ Suspension struct{ Reason string } }
		who.Do(http.MethodGet, channel, nil, 200, &seen)
		check.Equal(m.t, "reason that owner and operator see", seen.Suspension.Reason, "Fraude")
		who.Do(http.MethodGet, channel+"/notifications/"+m.last, nil, 200, nil)
		who.Do(http.MethodGet, channel+"/followers", nil, 200, nil)
	}
}

// TestSuspendedChannel suspends a channel, and compares everything with before when that has ended.
func TestSuspendedChannel(t *testing.T) {
	t.Parallel()
	m := newModerated(t)
	before := m.view()
	const suspension = "/admin/channels/p/c/suspension"
	m.operator.Do(http.MethodPut, suspension, suspending, 200, nil)
	m.hidden()
	m.refused("key:publish", http.MethodPost, "/channels/p/c/notifications", object{"title": "T"}, 403)
	m.create(m.owner, "p", "another") // the publisher is not suspended
	m.owner.Do(http.MethodDelete, "/channels/p/another", nil, 204, nil)
	m.reader.Do(http.MethodPost, "/subscribers/notifications/read-all", object{"channelId": m.channel}, 204, nil)
	m.operator.Do(http.MethodDelete, suspension, nil, 204, nil)
	check.Equal(t, "what everyone sees after the suspension", m.view(), before)
	m.newNotification()
	m.event()
}

// TestSuspendedPublisher suspends a publisher with a channel that is suspended too.
func TestSuspendedPublisher(t *testing.T) {
	t.Parallel()
	m := newModerated(t)
	before := m.view()
	m.operator.Do(http.MethodPut, "/admin/publishers/p/suspension", object{"reason": "?"}, 200, nil)
	var again struct{ Reason string }
	m.operator.Do(http.MethodPut, "/admin/publishers/p/suspension", suspending, 200, &again)
	check.Equal(t, "changed reason", again.Reason, "Fraude")
	m.hidden()
	for _, caller := range []string{"key:publish", "key:channels", "key:read"} {
		m.refused(caller, http.MethodGet, "/auth", nil, 403)
		m.refused(caller, http.MethodPost, "/channels/p/c/notifications", object{"title": "T"}, 403)
	}
	m.refused("visitor", http.MethodGet, "/publishers/p", nil, 404)
	m.refused("owner", http.MethodPost, "/channels",
		object{"publisherSlug": "p", "slug": "new", "name": "C", "categoryId": m.category}, 403)
	m.refused("owner", http.MethodDelete, "/publishers/p", nil, 403)
	m.refused("owner", http.MethodPatch, "/publishers/p", object{"name": "Compre"}, 403)
	m.refused("owner", http.MethodPatch, "/channels/p/c", object{"name": "Compre"}, 403)
	var mine struct {
		Data []struct {
			Slug       string
			Suspension *struct{ Reason string }
		}
	}
	m.owner.Do(http.MethodGet, "/publishers?mine=true", nil, 200, &mine)
	if len(mine.Data) != 1 || mine.Data[0].Suspension == nil || mine.Data[0].Suspension.Reason != "Fraude" {
		t.Errorf("the owner's publishers: got %+v, want p with the reason", mine.Data)
	}
	finds := func() bool {
		var found struct{ Data []struct{ Slug string } }
		m.reader.Do(http.MethodGet, "/publishers?limit=100&q=p", nil, 200, &found)
		return slices.Contains(found.Data, struct{ Slug string }{"p"})
	}
	check.Equal(t, "a search finds the publisher", finds(), false)

	m.operator.Do(http.MethodPut, "/admin/channels/p/c/suspension", suspending, 200, nil)
	m.operator.Do(http.MethodDelete, "/admin/publishers/p/suspension", nil, 204, nil)
	m.hidden() // the channel itself is still suspended
	m.operator.Do(http.MethodDelete, "/admin/channels/p/c/suspension", nil, 204, nil)
	check.Equal(t, "what everyone sees after the suspension", m.view(), before)
	status, body := m.call(http.MethodPost, "key:publish", "again",
		request{"/channels/p/c/notifications", object{"title": "T"}})
	if status != 201 {
		t.Errorf("publish with a key after the suspension: got %d, want 201: %s", status, body)
	}
}

// TestSuspendedAccount suspends the owner of a publisher, who is signed in and has a token and a device.
func TestSuspendedAccount(t *testing.T) {
	t.Parallel()
	m := newModerated(t)
	m.owner.Device("owner-device")
	path := "/admin/subscribers/" + m.account("OWNER@example.com") + "/suspension"
	m.operator.Do(http.MethodPut, path, suspending, 200, nil)
	m.owner.Do(http.MethodGet, "/subscribers/me", nil, 401, nil)
	m.refused("owner's-token", http.MethodGet, "/subscribers/me", nil, 403)
	check.Equal(t, "active devices",
		count(t, m.Server, "select count(*) from devices where address = 'owner-device' and retired_at is null"), 0)
	page, browser := m.Refused(t, "owner@example.com", "")
	check.Equal(t, "page after signing in", page, "/login?error=suspended")
	var auth struct {
		Caller     string
		Suspension *struct{ Reason string }
	}
	browser.Do(http.MethodGet, "/auth", nil, 200, &auth)
	if auth.Suspension == nil || auth.Suspension.Reason != "Fraude" || auth.Caller != "visitor" {
		t.Errorf("who is signed in: got %+v, want a visitor with the reason", auth)
	}
	m.newPublisherStays()
	var found struct {
		Data []struct{ Suspension *struct{ Reason string } }
	}
	m.operator.Do(http.MethodGet, "/admin/subscribers?email=owner@example.com", nil, 200, &found)
	if len(found.Data) != 1 || found.Data[0].Suspension == nil {
		t.Errorf("the account for operators: got %+v, want it with its suspension", found.Data)
	}

	m.operator.Do(http.MethodDelete, path, nil, 204, nil)
	status, body := m.call(http.MethodGet, "owner's-token", "again", request{path: "/subscribers/me"})
	check.Equal(t, "status of the token after the suspension: "+body, status, 200)
	owner := m.SignIn(t, "owner@example.com")
	owner.Do(http.MethodPost, "/channels/p/c/notifications", object{"title": "T"}, 201, nil)

	res := send(t, m.operator, http.MethodPut, "/admin/subscribers/"+m.account(servertest.Operator)+"/suspension",
		suspending, 422, nil)
	res.wantCode("operator")
}

// newPublisherStays checks that the publisher of a suspended owner goes on.
func (m *moderated) newPublisherStays() {
	m.t.Helper()
	status, body := m.call(http.MethodPost, "key:publish", "other",
		request{"/channels/p/c/notifications", object{"title": "T"}})
	check.Equal(m.t, "status of publishing with the key of the publisher: "+body, status, 201)
}

// TestSuspensionEndsStreams opens streams of a channel, of a follower, of an API key and of an access token.
func TestSuspensionEndsStreams(t *testing.T) {
	t.Parallel()
	m := newModerated(t)
	open := func(caller, path string) *bufio.Reader {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, m.URL+"/api/v1"+path, nil)
		if err != nil {
			t.Fatalf("new request: %v", err)
		}
		m.sign[caller](req)
		res, err := http.DefaultClient.Do(req)
		if err != nil || res.StatusCode != http.StatusOK {
			t.Fatalf("stream as %s: got %v and %v, want 200", caller, res, err)
		}
		t.Cleanup(func() { _ = res.Body.Close() })
		lines := bufio.NewReader(res.Body)
		if _, err := lines.ReadString('\n'); err != nil {
			t.Fatalf("first line of the stream as %s: %v", caller, err)
		}
		return lines
	}
	until := func(lines *bufio.Reader, what, want string) {
		t.Helper()
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				t.Fatalf("stream of %s: got its end (%v), want %q", what, err, want)
			}
			if strings.HasPrefix(line, want) {
				return
			}
		}
	}
	next := func(lines *bufio.Reader, want string) {
		t.Helper()
		line, err := lines.ReadString('\n')
		for err == nil && !strings.HasPrefix(line, "event: ") {
			line, err = lines.ReadString('\n')
		}
		check.Equal(t, "next event of the follower", strings.TrimSpace(line), want)
	}
	ends := func(lines *bufio.Reader, what string) {
		t.Helper()
		if _, err := io.Copy(io.Discard, lines); err != nil {
			t.Errorf("stream of %s: got %v, want its end", what, err)
		}
	}
	m.sign["reader"] = m.reader.Sign
	const feed, channel = "/subscribers/notifications/stream", "/channels/p/c/notifications/stream"
	follower, public := open("reader", feed), open("visitor", channel)
	m.operator.Do(http.MethodPut, "/admin/channels/p/c/suspension", suspending, 200, nil)
	until(follower, "a follower", "event: reset")
	ends(public, "a suspended channel")
	m.owner.Do(http.MethodDelete, "/channels/p/c/notifications/"+m.newestOf("p/c"), nil, 204, nil) // not on the stream
	m.publishInOther()
	next(follower, "event: notification")
	m.operator.Do(http.MethodDelete, "/admin/channels/p/c/suspension", nil, 204, nil)
	next(follower, "event: reset")
	m.newNotification()
	until(follower, "a follower after the suspension", "event: notification")

	byKey := open("key:read", channel)
	m.operator.Do(http.MethodPut, "/admin/publishers/p/suspension", suspending, 200, nil)
	ends(byKey, "an API key")
	m.operator.Do(http.MethodDelete, "/admin/publishers/p/suspension", nil, 204, nil)
	byToken, bySession := open("owner's-token", feed), open("owner", feed)
	m.operator.Do(http.MethodPut, "/admin/subscribers/"+m.account("owner@example.com")+"/suspension", suspending, 200,
		nil)
	ends(byToken, "an access token")
	ends(bySession, "a session")
}

func (m *moderated) newestOf(channel string) string {
	m.t.Helper()
	var list page[credential]
	m.owner.Do(http.MethodGet, "/channels/"+channel+"/notifications", nil, 200, &list)
	return list.Data[0].ID
}

// TestNoPushFromASuspendedChannel suspends a channel while pushes are paused: what waits is not pushed later.
func TestNoPushFromASuspendedChannel(t *testing.T) {
	t.Parallel()
	m := newModerated(t)
	m.finishEarlier()
	m.reader.RingingDevice("reader-device")
	execute(t, m.Server, "update pacers set paused_until = now() + interval '1 hour', pause_cause = 'quota'")
	id := m.newNotification()
	eventually.True(t, "the push waits", func() bool {
		return count(t, m.Server, "select count(*) from delivery_batches where notification_id = $1", id) == 1
	})
	m.operator.Do(http.MethodPut, "/admin/channels/p/c/suspension", suspending, 200, nil)
	execute(t, m.Server, "update pacers set paused_until = null, pause_cause = null")
	var summary struct {
		Finished                    bool
		Targeted, Pending, Accepted int
		Suppressed, Failed, Expired map[string]int
	}
	defer func() { t.Logf("what became of it: %+v", summary) }()
	eventually.True(t, "the outcome is expired, suspended", func() bool {
		m.owner.Do(http.MethodGet, "/channels/p/c/notifications/"+id+"/deliveries", nil, 200, &summary)
		return summary.Expired["suspended"] == 1
	})
	check.Equal(t, "pushes that were sent", len(pushesTo(t, m.Server, "reader-device")), 0)
}

// TestWithdrawByOperator withdraws a notification of a publisher that the operator does not belong to.
func TestWithdrawByOperator(t *testing.T) {
	t.Parallel()
	m := newModerated(t)
	path := "/admin/notifications/" + m.last + "/withdrawal"
	for range 2 { // the second changes nothing
		m.operator.Do(http.MethodPut, path, suspending, 204, nil)
	}
	m.reader.Do(http.MethodGet, "/subscribers/notifications/"+m.last, nil, 404, nil)
	m.reader.Do(http.MethodGet, "/channels/p/c/notifications/"+m.last, nil, 404, nil)
	entries, _ := auditLog(m.owner, "/publishers/p/audit-log?limit=2")
	is := fmt.Sprint(entries[0].Action, " ", entries[0].Object.ID == m.last, " ", entries[0].Detail)
	check.Equal(t, "entry of the owner", is, "withdrawByOperator true map[channel:c reason:Fraude]")
	if entries[1].Action == "withdrawByOperator" {
		t.Error("entries: got two of one withdrawal, want one")
	}
	m.operator.Do(http.MethodPut, "/admin/notifications/0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f/withdrawal", suspending,
		404, nil)
}
