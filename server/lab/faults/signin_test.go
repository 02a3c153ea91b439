package faults

import (
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/lab/cluster"
)

// TestGoogleUnreachable signs in while Google cannot be reached, or does not respond.
func TestGoogleUnreachable(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0") // accepts connections, and says nothing
	if err != nil {
		t.Fatalf("listen: %v", err)
	}
	defer silent.Close() // nobody waits for it
	for name, google := range map[string]string{"refused": "127.0.0.1:1", "silent": silent.Addr().String()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := newInstallation(t)
			n := i.Node()
			i.Environment["PUBLIC_URL"] = "http://" + n.Addr
			i.Environment["GOOGLE_TOKEN_URL"] = "http://" + google + "/token"
			n.Start()
			began := time.Now()
			page, cookies := i.signIn(n)
			if took := time.Since(began); took > 12*time.Second {
				t.Errorf("sign-in without Google: got a response after %s, want it within 12s", took)
			}
			if page != "/login?error=unavailable" {
				t.Errorf("sign-in without Google: got sent to %s, want the page that says so", page)
			}
			for _, c := range cookies {
				if c.Name == "__Host-sininho" && c.Value != "" {
					t.Errorf("sign-in without Google: got the cookie %s, want none of a session", c.Name)
				}
			}
			if n := i.Count("select count(*) from sessions") + i.Count("select count(*) from subscribers"); n != 0 {
				t.Errorf("sessions and people after a sign-in without Google: got %d, want 0", n)
			}
		})
	}
}

// signIn begins to sign in, comes back with a code of Google's, and returns the page that follows and its cookies.
func (i *installation) signIn(n *cluster.Node) (page string, cookies []*http.Cookie) {
	i.t.Helper()
	google, cookies := i.redirect(n, "/api/v1/auth/google", nil)
	query := url.Values{"state": {google.Query().Get("state")}, "code": {"any"}}
	end, cookies := i.redirect(n, "/api/v1/auth/google/callback?"+query.Encode(), cookies)
	return strings.TrimPrefix(end.String(), "http://"+n.Addr), cookies
}

// redirect sends a request with cookies, and returns where it is redirected to with which cookies.
func (i *installation) redirect(n *cluster.Node, path string, cookies []*http.Cookie) (*url.URL, []*http.Cookie) {
	i.t.Helper()
	req, err := http.NewRequestWithContext(i.t.Context(), http.MethodGet, "http://"+n.Addr+path, nil)
	if err != nil {
		i.t.Fatalf("new request: %v", err)
	}
	for _, c := range cookies {
		req.AddCookie(&http.Cookie{Name: c.Name, Value: c.Value}) // attributes matter only in responses
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	if err != nil {
		i.t.Fatalf("request %s: %v", path, err)
	}
	defer res.Body.Close()
	location, err := res.Location()
	if err != nil {
		i.t.Fatalf("request %s: got %s, want a redirect", path, res.Status)
	}
	return location, res.Cookies()
}
