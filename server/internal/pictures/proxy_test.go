package pictures_test

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sininho/sininho/server/internal/pictures"
)

func TestServe(t *testing.T) {
	t.Parallel()
	w := local(t)
	for contentType, content := range map[string][]byte{
		"image/png": pngFile, "image/jpeg": jpegFile, "image/gif": gifFile,
		"image/webp": webpFile, "image/avif": avifFile,
	} {
		p := newPublisher(t, func(w http.ResponseWriter, _ *http.Request) {
			for name, value := range map[string]string{
				"Content-Type": "application/x-evil", "Set-Cookie": "a=b", "Location": "https://evil.example", "X-Evil": "1",
				"Content-Disposition": "attachment", "Link": "<https://evil.example>; rel=preload", "Refresh": "0",
			} {
				w.Header().Set(name, value)
			}
			_, _ = w.Write(content)
		})
		res := w.get(p.URL + "/p")
		if res.status != http.StatusOK || !bytes.Equal(res.body, content) {
			t.Errorf("%s: got status %d and %d bytes, want 200 and the picture", contentType, res.status, len(res.body))
		}
		etag := res.header.Get("ETag")
		if len(etag) < 10 {
			t.Errorf("%s: got ETag %q, want a hash", contentType, etag)
		}
		res.header.Del("ETag")
		res.header.Del("Date")
		want := http.Header{
			"Content-Type": {contentType}, "Content-Length": {fmt.Sprint(len(content))}, "Accept-Ranges": {"bytes"},
			"Content-Security-Policy": {"default-src 'none'; sandbox"},
			"Referrer-Policy":         {"no-referrer"}, "Cache-Control": {"public, max-age=604800, immutable"},
			"Cross-Origin-Resource-Policy": {"cross-origin"},
		}
		if diff := cmp.Diff(want, res.header); diff != "" {
			t.Errorf("headers of a picture (-want +got):\n%s", diff)
		}
		if again := w.get(p.URL+"/p", "If-None-Match", etag); again.status != http.StatusNotModified {
			t.Errorf("%s with If-None-Match: got status %d, want 304", contentType, again.status)
		}
		if got := p.requests.Load(); got != 1 {
			t.Errorf("requests for a picture that was loaded twice: got %d, want 1", got)
		}
	}
}

// TestRequest expects the publisher's server to learn nothing of the reader.
func TestRequest(t *testing.T) {
	t.Parallel()
	w := local(t)
	var headers []http.Header
	p := newPublisher(t, func(w http.ResponseWriter, r *http.Request) {
		headers = append(headers, r.Header)
		http.SetCookie(w, &http.Cookie{Name: "reader", Value: "1"})
		if r.URL.Path != "/3" {
			http.Redirect(w, r, r.URL.Path[:1]+string(r.URL.Path[1]+1), http.StatusFound)
			return
		}
		_, _ = w.Write(pngFile)
	})
	w.expectPicture("a picture after three redirects", p.URL+"/0?size=1#part")
	want := http.Header{"User-Agent": {"Sininho"}, "Accept-Encoding": {"identity"},
		"Accept": {"image/avif, image/webp, image/png, image/jpeg, image/gif"}}
	if diff := cmp.Diff([]http.Header{want, want, want, want}, headers); diff != "" {
		t.Errorf("headers of the requests (-want +got):\n%s", diff)
	}
}

func TestMethods(t *testing.T) {
	t.Parallel()
	w := local(t)
	p := newPublisher(t, sends(pngFile))
	path := w.addresses.Address(p.URL)[len(origin):]
	for method, want := range map[string]int{"HEAD": 200, "POST": 405, "DELETE": 405, "OPTIONS": 405} {
		if res := w.load(method, path); res.status != want || method == "HEAD" && len(res.body) > 0 {
			t.Errorf("%s: got status %d, want %d", method, res.status, want)
		}
	}
}

// TestAddresses expects only addresses that the server has made to be served.
func TestAddresses(t *testing.T) {
	t.Parallel()
	w := local(t)
	p := newPublisher(t, sends(pngFile))
	good := w.addresses.Address(p.URL + "/a")
	foreign, err := pictures.NewAddresses(bytes.Repeat([]byte{8}, 32), origin)
	if err != nil {
		t.Fatalf("derive the key of addresses: %v", err)
	}
	parts := strings.Split(good, "/")
	signature, encoded := parts[4], parts[5]
	other := strings.Split(w.addresses.Address(p.URL+"/b"), "/")[5]
	for name, path := range map[string]string{
		"another picture's signature":  "/pictures/" + signature + "/" + other,
		"another server's key":         foreign.Address(p.URL + "/a")[len(origin):],
		"no signature":                 "/pictures/AA/" + encoded,
		"half a signature":             "/pictures/" + signature[:11] + "/" + encoded,
		"a longer signature":           "/pictures/" + signature + "AAAA/" + encoded,
		"padding":                      "/pictures/" + signature + "==/" + encoded,
		"a plain address":              "/pictures/" + signature + "/" + strings.ReplaceAll(p.URL, "/", "%2F"),
		"a longer address":             good[len(origin):] + "AA",
		"another spelling of the text": good[len(origin):] + "%0a",
	} {
		res := w.load("GET", path)
		if res.status != http.StatusNotFound || res.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: got status %d and Cache-Control %q, want 404 and no-store", name, res.status,
				res.header.Get("Cache-Control"))
		}
	}
	if got := p.requests.Load(); got != 0 {
		t.Errorf("requests for forged addresses: got %d, want 0", got)
	}
	if res := w.load("GET", good[len(origin):]); res.status != http.StatusOK {
		t.Errorf("the right address: got status %d, want 200", res.status)
	}
}

func TestAddress(t *testing.T) {
	t.Parallel()
	w := local(t)
	for picture, want := range map[string]string{
		"": "", "ftp://example.com/a.png": "", "javascript:alert(1)": "", "data:image/png;base64,AA": "", "/a.png": "",
		"http://ana:segredo@example.com/a.png": "", "https://": "", "http://a.example/\r\nX-Evil: 1": "",
		"http://a.example/\x00": "", "https://a.example/" + strings.Repeat("a", 2048): "",
		origin + "/channels/metro.png": origin + "/channels/metro.png", origin + "/channels/metro.png?x": "",
		origin + "/api/v1/auth/google": "", origin: "", origin + "/": "",
	} {
		if got := w.addresses.Address(picture); got != want {
			t.Errorf("address of %.80q: got %q, want %q", picture, got, want)
		}
	}
	for _, picture := range []string{
		"http://example.com/a.png", "https://example.com/ä b?c#d", origin + ".evil.example/a.png",
		"HTTPS://A.EXAMPLE/",
	} {
		if got := w.addresses.Address(picture); !strings.HasPrefix(got, origin+"/pictures/") {
			t.Errorf("address of %q: got %q, want one of the proxy", picture, got)
		}
	}
	var off *pictures.Addresses
	if got := off.Address("https://example.com/a.png"); got != "" {
		t.Errorf("address while the proxy is off: got %q, want none", got)
	}
}

// TestKept expects a picture to be fetched again after a day, and a failure after five minutes.
func TestKept(t *testing.T) {
	t.Parallel()
	w := local(t)
	there := newPublisher(t, sends(pngFile))
	gone := newPublisher(t, http.NotFound)
	for _, at := range []struct {
		after        time.Duration
		there, fails int32
	}{{0, 1, 1}, {4 * time.Minute, 1, 1}, {6 * time.Minute, 1, 2}, {23 * time.Hour, 1, 3}, {25 * time.Hour, 2, 4}} {
		w.now.Store(int64(at.after / time.Second))
		for range 2 {
			w.expectPicture("a picture", there.URL)
			w.expectNone("no picture", gone.URL)
		}
		if got := there.requests.Load(); got != at.there {
			t.Errorf("requests for a picture within %s: got %d, want %d", at.after, got, at.there)
		}
		if got := gone.requests.Load(); got != at.fails {
			t.Errorf("requests for what is no picture within %s: got %d, want %d", at.after, got, at.fails)
		}
	}
}

// TestOneFetch loads a picture by many readers at once.
func TestOneFetch(t *testing.T) {
	t.Parallel()
	w := local(t)
	begun, respond := make(chan struct{}, 1), make(chan struct{})
	p := newPublisher(t, func(w http.ResponseWriter, _ *http.Request) {
		begun <- struct{}{}
		<-respond
		_, _ = w.Write(pngFile)
	})
	var readers sync.WaitGroup
	for range 20 {
		readers.Go(func() { w.expectPicture("a picture that many load", p.URL) })
	}
	<-begun
	close(respond)
	readers.Wait()
	if got := p.requests.Load(); got != 1 {
		t.Errorf("requests for a picture that 20 readers load: got %d, want 1", got)
	}
}

// TestCacheIsBounded loads more pictures than the memory holds.
func TestCacheIsBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t, pictures.Config{Loopback: true, CacheBytes: 3 << 20})
	large := append(bytes.Clone(pngFile), make([]byte, 1<<20)...)
	p := newPublisher(t, sends(large))
	paths := []string{"/1", "/2", "/3", "/1", "/3", "/2"}
	for _, path := range paths {
		w.expectPicture("a large picture", p.URL+path)
	}
	// Two of them fit: the third evicts the first, the first the second, and the second the first.
	if got, want := p.requests.Load(), int32(5); got != want {
		t.Errorf("requests for the pictures %v: got %d, want %d", slices.Collect(slices.Values(paths)), got, want)
	}
}
