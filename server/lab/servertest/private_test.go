package servertest_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

// TestPrivateChannelIsNowhere looks for a private channel, its notification and its numbers in everything that people
// who are not its members can read, also at its own addresses, before and after it has come to be and as somebody who
// has left it. There they get what they get for a channel that does not exist.
func TestPrivateChannelIsNowhere(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	strangers := map[string]*servertest.Subscriber{"somebody": f.SignIn(t, "rui@example.com"),
		"another owner": f.SignIn(t, "other-owner@example.com"), "former member": f.SignIn(t, "former@example.com"),
		"operator": f.operator}
	lists := []string{
		"/channels?limit=100", "/channels?limit=100&sort=newest", "/channels?limit=100&sort=active",
		"/channels?limit=100&sort=trending", "/channels?q=oculto", "/channels?publisher=p", "/publishers?limit=100",
		"/publishers/p", "/publishers?q=pu", "/categories?limit=100", "/subscribers/notifications",
		"/subscribers/notifications?q=oculto", "/subscribers/channels", "/subscribers/me/export",
	}
	see := func() map[string]string {
		seen := map[string]string{}
		for name, p := range strangers {
			for _, path := range lists {
				res := call(t, p.Request(http.MethodGet, path, nil), "", 200, nil)
				seen[path+" as "+name] = string(res.Body)
			}
		}
		for _, path := range []string{"/", "/channels/p/oculto", "/channels?q=oculto", "/publishers/p", "/sitemap.xml",
			"/channels/p/feed.atom", "/channels/p/feed.json", "/channels/p/oculto/feed.atom"} {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, f.URL+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			seen[path] = read(t, req)
		}
		return seen
	}
	before := see()
	var channel, n struct{ ID string }
	f.owner.Do(http.MethodPost, "/channels", object{"publisherSlug": "p", "slug": "oculto", "name": "Oculto",
		"categoryId": f.category, "visibility": "private"}, 201, &channel)
	f.owner.Do(http.MethodPost, "/channels/p/oculto/notifications", object{"title": "Oculto"}, 201, &n)
	secret := f.do("/channels/p/oculto/invitations", object{}, 201).Secret
	strangers["former member"].Do(http.MethodPost, "/channel-invitations/accept", object{"secret": secret}, 200, nil)
	for _, path := range []string{
		"/channels/p/oculto/notifications/" + n.ID, "/subscribers/channels", "/subscribers/notifications",
	} {
		res := call(t, strangers["former member"].Request(http.MethodGet, path, nil), "", 200, nil)
		if !strings.Contains(string(res.Body), `"private":true`) {
			t.Errorf("%s as a member: got %s, want the channel marked as private", path, res.Body)
		}
	}
	strangers["former member"].Do(http.MethodPost, "/subscribers/channels/"+channel.ID+"/unsubscribe", nil, 204, nil)
	after := see()
	for path := range before {
		if strings.Contains(after[path], channel.ID) || strings.Contains(after[path], n.ID) ||
			strings.Contains(after[path], "Oculto") {
			t.Errorf("%s: got %s, want it without the private channel", path, after[path])
		}
		if !strings.Contains(path, "export") { // it has its time
			check.Equal(t, path+", with a private channel", after[path], before[path])
		}
	}
	bodies := map[string]any{
		"GET ": nil, "GET /followers": nil, "GET /notifications": nil, "GET /notifications/" + n.ID: nil,
		"GET /notifications/stream": nil, "GET /members": nil, "GET /invitations": nil, "GET /deliveries": nil,
		"GET /notifications/" + n.ID + "/deliveries": nil, "GET /webhooks": nil, "PATCH ": object{"name": "X"},
		"DELETE ": nil, "POST /notifications": object{"title": "X"}, "POST /invitations": object{},
		"PUT /report":                            object{"category": "other", "text": "X"},
		"PUT /notifications/" + n.ID + "/report": object{"category": "other", "text": "X"},
	}
	for what, body := range bodies {
		for name, p := range strangers {
			check.Equal(t, what+" as "+name, ask(t, p, what, "oculto", body, p.Sign), ask(t, p, what, "nenhum", body, p.Sign))
		}
		nobody, p := func(r *http.Request) { r.Header.Del("Cookie") }, strangers["somebody"]
		check.Equal(t, what+" as a visitor", ask(t, p, what, "oculto", body, nobody), ask(t, p, what, "nenhum", body, nobody))
	}
	strangers["somebody"].Do(http.MethodPost, "/subscribers/channels/"+channel.ID+"/subscribe", nil, 404, nil)
	strangers["former member"].Do(http.MethodGet, "/subscribers/notifications/"+n.ID, nil, 404, nil)
}

// ask sends a request about a channel of p, and returns the response without what differs by itself.
func ask(
	t *testing.T, p *servertest.Subscriber, what, slug string, body any, sign func(*http.Request),
) (response string) {
	t.Helper()
	method, rest, _ := strings.Cut(what, " ")
	req := p.Request(method, "/channels/p/"+slug+rest, body)
	req.Header.Set("X-Request-ID", "probe")
	sign(req)
	return strings.ReplaceAll(read(t, req), slug, "")
}

// read returns the status and the body of a response.
func read(t *testing.T, req *http.Request) string {
	t.Helper()
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatalf("%s: %v", req.URL, err)
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("%s: %v", req.URL, err)
	}
	return res.Status + string(text)
}

// TestChannelInvitationByEmail joins by the link of the email, once.
func TestChannelInvitationByEmail(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.owner.Do(http.MethodPatch, "/channels/p/c", object{"visibility": "private"}, 200, nil)
	in := object{"email": "Bia.Convidada@example.com"}
	var made struct{ URL string }
	f.owner.Do(http.MethodPost, "/channels/p/c/invitations", in, 201, &made)
	link := f.Mail(t, "bia.convidada@example.com", 0).Link()
	check.Equal(t, "link of the email", link, made.URL)
	_, secret, _ := strings.Cut(link, "#")
	answer := object{"secret": secret}
	f.SignIn(t, "bia.convidada@example.com").Do(http.MethodPost, "/channel-invitations/accept", answer, 200, nil)
	f.SignIn(t, "rui@example.com").Do(http.MethodPost, "/channel-invitations/accept", answer, 404, nil)
}
