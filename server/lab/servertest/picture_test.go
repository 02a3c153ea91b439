package servertest_test

import (
	"bytes"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

// onePixel is a PNG.
var onePixel = decoded("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=")

func decoded(text string) []byte {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return b
}

// pictureServer is a publisher's server. It keeps the User-Agent of each request.
func pictureServer(t *testing.T) (address string, agents func() []string) {
	t.Helper()
	var mu sync.Mutex
	var seen []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, r.UserAgent())
		_, _ = w.Write(onePixel)
	}))
	t.Cleanup(s.Close)
	return s.URL, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return seen
	}
}

type illustrated struct{ Image, ImageProxy, Icon, IconProxy string }

// TestPictures publishes a notification with pictures at http addresses, which readers load from the server: in the
// responses, in the pushes and in the page's policy.
func TestPictures(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	pictures, agents := pictureServer(t)
	ana := s.SignIn(t, "ana@example.com")
	ana.Follow("demo/novidades")
	ana.Device("token-ana")
	var n illustrated
	withKey(t, ana, s, http.MethodPost, "/channels/demo/novidades/notifications",
		object{"title": "Olá", "image": pictures + "/i", "icon": pictures + "/c"}, http.StatusCreated, &n)
	check.Equal(t, "image", n.Image, pictures+"/i")
	check.Equal(t, "icon", n.Icon, pictures+"/c")
	for _, address := range []string{n.ImageProxy, n.IconProxy} {
		if !strings.HasPrefix(address, s.URL+"/pictures/") {
			t.Errorf("address of a picture: got %q, want one of the server", address)
			continue
		}
		status, header, body := load(t, address)
		if status != http.StatusOK || header.Get("Content-Type") != "image/png" || !bytes.Equal(body, onePixel) {
			t.Errorf("picture: got status %d with %s, want the PNG", status, header.Get("Content-Type"))
		}
	}
	check.Equal(t, "clients of the publisher's server", agents(), []string{"Sininho", "Sininho"})
	sent := s.Sent(t, "token-ana", 0).Message
	check.Equal(t, "image of the push", sent.Notification.Image, n.ImageProxy)
	check.Equal(t, "icon of the push", sent.Webpush.Notification.Icon, n.IconProxy)
	_, header, _ := load(t, s.URL+"/")
	if policy := header.Get("Content-Security-Policy"); !strings.Contains(policy, "img-src 'self' data:;") {
		t.Errorf("policy of a page: got %q, want images of no other server", policy)
	}
}

func TestWithoutAPictureProxy(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.With("PICTURE_PROXY", "false"))
	ana := s.SignIn(t, "ana@example.com")
	ana.Follow("demo/novidades")
	ana.Device("token-ana")
	const path = "/channels/demo/novidades/notifications"
	withKey(t, ana, s, http.MethodPost, path, object{"title": "Olá", "image": "http://example.com/i.png"},
		http.StatusUnprocessableEntity, nil)
	var n illustrated
	withKey(t, ana, s, http.MethodPost, path, object{"title": "Olá", "image": "https://example.com/i.png"},
		http.StatusCreated, &n)
	check.Equal(t, "notification", n, illustrated{Image: "https://example.com/i.png"})
	sent := s.Sent(t, "token-ana", 0).Message
	check.Equal(t, "image of the push", sent.Notification.Image, n.Image)
	status, header, _ := load(t, s.URL+"/pictures/AAAA/AAAA.png")
	check.Equal(t, "status of a picture", status, http.StatusNotFound)
	if policy := header.Get("Content-Security-Policy"); !strings.Contains(policy, "img-src 'self' data: https:") {
		t.Errorf("policy: got %q, want images of all servers", policy)
	}
}

func load(t *testing.T, address string) (status int, header http.Header, body []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
	if err != nil {
		t.Fatalf("new request: %v", err)
	}
	if strings.HasSuffix(address, "/") {
		r.Header.Set("Accept", "text/html")
	} else {
		r.Header.Set("Accept", "image/*")
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatalf("GET %s: %v", address, err)
	}
	defer res.Body.Close()
	if body, err = io.ReadAll(res.Body); err != nil {
		t.Fatalf("GET %s: read the response: %v", address, err)
	}
	return res.StatusCode, res.Header, body
}
