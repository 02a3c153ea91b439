package servertest_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/sininho/sininho/server/lab/check"
)

type report struct {
	ID, NotificationID, PublisherSlug, ChannelSlug, Title, Category, Text, Status string
	Reporter                                                                      struct{ Email string }
}

// TestReports reports a channel and a notification, repeats both, and closes one.
func TestReports(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	reader := f.SignIn(t, "reader@example.com")
	notification := "/channels/p/c/notifications/" + f.notification + "/report"
	reader.Do(http.MethodPut, "/channels/p/c/report", object{"category": "spam"}, 204, nil)
	reader.Do(http.MethodPut, notification, object{"category": "fraud", "text": "one"}, 204, nil)
	reader.Do(http.MethodPut, notification, object{"category": "illegal", "text": "two"}, 204, nil)
	f.owner.Do(http.MethodPut, notification, object{"category": "spam"}, 204, nil)
	open := func() (list page[report]) {
		f.operator.Do(http.MethodGet, "/admin/reports?status=open", nil, 200, &list)
		return list
	}
	var got []string
	for _, r := range open().Data {
		got = append(got, fmt.Sprint(r.Reporter.Email, " ", r.PublisherSlug, "/", r.ChannelSlug, " ",
			r.NotificationID == f.notification, " ", r.Title, " ", r.Category, " ", r.Text))
	}
	check.Equal(t, "open reports", got, []string{"reader@example.com p/c false  spam ",
		"reader@example.com p/c true T illegal two", "owner@example.com p/c true T spam "})

	id := open().Data[1].ID
	var closed report
	f.operator.Do(http.MethodPatch, "/admin/reports/"+id, object{"status": "dismissed"}, 200, &closed)
	check.Equal(t, "status of a closed report", closed.Status, "dismissed")
	f.operator.Do(http.MethodPatch, "/admin/reports/"+id, object{"status": "resolved"}, 200, &closed)
	check.Equal(t, "status of a report that was closed before", closed.Status, "dismissed")
	check.Equal(t, "open reports after one was closed", open().Meta.Total, 2)
	reader.Do(http.MethodPut, notification, object{"category": "spam"}, 204, nil)
	check.Equal(t, "open reports after reporting it again", open().Meta.Total, 3)
	var all page[report]
	f.operator.Do(http.MethodGet, "/admin/reports", nil, 200, &all)
	check.Equal(t, "all reports", all.Meta.Total, 4)
	entries, _ := auditLog(f.owner, "/publishers/p/audit-log?limit=100")
	for _, e := range entries {
		if e.Action == "reportChannel" || e.Action == "closeReport" {
			t.Errorf("audit log of the publisher: got %s, want nothing about reports", e.Action)
		}
	}
}

// TestReportFaults reports what the reader does not see, and more than a person may.
func TestReportFaults(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	reader := f.SignIn(t, "reader@example.com")
	spam := object{"category": "spam"}
	reader.Do(http.MethodPut, "/channels/p/none/report", spam, 404, nil)
	const unknown = "/channels/p/c/notifications/0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f/report"
	reader.Do(http.MethodPut, unknown, spam, 404, nil)
	gone := f.newNotification()
	f.owner.Do(http.MethodDelete, "/channels/p/c/notifications/"+gone, nil, 204, nil)
	reader.Do(http.MethodPut, "/channels/p/c/notifications/"+gone+"/report", spam, 404, nil)
	reader.Do(http.MethodPut, "/channels/p/c/report", object{"category": "other"}, 422, nil)
	reader.Do(http.MethodPut, "/channels/p/c/report", object{"category": "other", "text": "x"}, 204, nil)
	execute(t, f.Server, `insert into reports (id, reporter_id, channel_id, publisher_slug, channel_slug, category, text,
			created_at, updated_at)
		select gen_random_uuid(), r.reporter_id, gen_random_uuid(), 'p', 'x', 'spam', '', now(), now()
		from reports r, generate_series(1, 49)`)
	res := send(t, reader, http.MethodPut, "/channels/q/c/report", spam, 422, nil)
	res.wantCode("too_many")
	reader.Do(http.MethodPut, "/channels/p/c/report", spam, 204, nil) // changes an open one
	reader.Do(http.MethodDelete, "/subscribers/me", nil, 204, nil)
	check.Equal(t, "reports of a deleted account", count(t, f.Server, "select count(*) from reports"), 0)
}
