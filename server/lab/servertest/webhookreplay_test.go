package servertest_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

// TestSignedBodiesPublishOnce replays signed bodies under other ids, which their signatures do not cover. Bodies that
// differ, and events whose id is signed, publish as before.
func TestSignedBodiesPublishOnce(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	const alert = `{"action":"triggered","data":{"event":{"title":"E"},"triggered_rule":"R"}}`
	sentry := func(secret, _, id, body string) http.Header {
		return http.Header{"Sentry-Hook-Resource": {"event_alert"}, "Request-Id": {id},
			"Sentry-Hook-Signature": {mac(secret, body)}}
	}
	form := func(secret, kind, id, body string) http.Header {
		header := github(secret, kind, id, body)
		header.Set("Content-Type", "application/x-www-form-urlencoded")
		return header
	}
	for _, c := range []struct {
		what, sender, body, other string
		sign                      func(secret, kind, id, body string) http.Header
	}{
		{"JSON of GitHub", "github", issueOpened, issueOpened + " ", github},
		{"a form of GitHub", "github", url.Values{"payload": {issueOpened}}.Encode(),
			url.Values{"payload": {issueOpened + " "}}.Encode(), form},
		{"Sentry", "sentry", alert, alert + " ", sentry},
	} {
		var hook made
		const secret = "secret-of-the-sender"
		in := object{"name": c.what, "sender": c.sender, "secret": secret}
		withKey(t, ana, s, http.MethodPost, hooksPath, in, http.StatusCreated, &hook)
		one := deliver(t, hook.URL, c.body, c.sign(secret, "issues", "d1", c.body), http.StatusAccepted)
		check.Equal(t, "the first event is a duplicate, of "+c.what, one.Duplicate, false)
		for _, id := range []string{"d1", "d2"} {
			again := deliver(t, hook.URL, c.body, c.sign(secret, "issues", id, c.body), http.StatusAccepted)
			check.Equal(t, "the same body with the id "+id+" is a duplicate, of "+c.what, again.Duplicate, true)
			check.Equal(t, "notification of the id "+id+" of "+c.what, again.NotificationID, one.NotificationID)
		}
		differs := deliver(t, hook.URL, c.other, c.sign(secret, "issues", "d3", c.other), http.StatusAccepted)
		check.Equal(t, "another body is a duplicate, of "+c.what, differs.Duplicate, false)
		var list page[received]
		withKey(t, ana, s, http.MethodGet, hooksPath+"/"+hook.ID+"/events", nil, http.StatusOK, &list)
		check.Equal(t, "number of stored events of "+c.what, list.Meta.Total, 2)
	}
	var hook made
	withKey(t, ana, s, http.MethodPost, hooksPath, object{"name": "s"}, http.StatusCreated, &hook)
	for _, id := range []string{"m1", "m2"} {
		const body = `{"title":"Twice"}`
		got := deliver(t, hook.URL, body, sign(t, id, body, hook.Secret), http.StatusAccepted)
		check.Equal(t, "an equal body with a signed id is a duplicate", got.Duplicate, false)
	}
}
