package pictures_test

import (
	"bytes"
	"context"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/sininho/sininho/server/internal/pictures"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// origin is where the proxies of the tests seem to be.
const origin = "https://sininho.example"

// world is a proxy that readers reach at a server.
type world struct {
	t         *testing.T
	addresses *pictures.Addresses
	server    *httptest.Server
	proxy     *pictures.Proxy
	now       atomic.Int64 // seconds since the start
}

func newWorld(t *testing.T, c pictures.Config) *world {
	t.Helper()
	w := &world{t: t}
	var err error
	if w.addresses, err = pictures.NewAddresses(bytes.Repeat([]byte{7}, 32), origin); err != nil {
		t.Fatalf("derive the key of addresses: %v", err)
	}
	start := time.Now()
	c.Addresses, c.Log = w.addresses, slog.New(slog.DiscardHandler)
	c.Now = func() time.Time { return start.Add(time.Duration(w.now.Load()) * time.Second) }
	if c.CacheBytes == 0 {
		c.CacheBytes = 64 << 20
	}
	c.Network = func(r *http.Request) netip.Prefix {
		reader, _ := netip.ParseAddr(r.Header.Get("X-Reader")) // none: one network for all
		return netip.PrefixFrom(reader, reader.BitLen())
	}
	if c.Timeout == 0 {
		c.Timeout = 30 * time.Second
	}
	proxy := pictures.New(c)
	w.proxy = proxy
	mux := http.NewServeMux()
	mux.Handle(pictures.Pattern, proxy)
	w.server = httptest.NewServer(mux)
	t.Cleanup(func() {
		proxy.Close()
		w.server.Close()
	})
	return w
}

// local is a proxy that may fetch from this machine.
func local(t *testing.T) *world { return newWorld(t, pictures.Config{Loopback: true}) }

// response is what a reader receives.
type response struct {
	status int
	header http.Header
	body   []byte
}

// get loads a picture as a reader's browser does, with what a proxy must not pass on.
func (w *world) get(picture string, header ...string) response {
	w.t.Helper()
	address := w.addresses.Address(picture)
	if len(address) < len(origin) {
		w.t.Fatalf("address of %q: got %q, want one of the proxy", picture, address)
	}
	return w.load("GET", address[len(origin):], header...)
}

func (w *world) load(method, path string, header ...string) response {
	w.t.Helper()
	r := w.request(w.t.Context(), method, path)
	for name, value := range map[string]string{
		"Cookie": "__Host-sininho=secret", "Referer": origin + "/feed", "User-Agent": "Mozilla/5.0", "X-Secret": "x",
		"Accept-Language": "pt", "Forwarded": "for=192.0.2.1", "X-Forwarded-For": "192.0.2.1", "Range": "",
	} {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	res, err := w.server.Client().Do(r)
	if err != nil {
		w.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatalf("%s %s: read the response: %v", method, path, err)
	}
	return response{res.StatusCode, res.Header, body}
}

func (w *world) request(ctx context.Context, method, path string) *http.Request {
	w.t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, w.server.URL+path, http.NoBody)
	if err != nil {
		w.t.Fatalf("new request: %v", err)
	}
	return r
}

// expectNone expects that a picture is not shown.
func (w *world) expectNone(what, picture string) {
	w.t.Helper()
	res := w.get(picture)
	if res.status != http.StatusNotFound || res.header.Get("Content-Type") != "text/plain; charset=utf-8" {
		w.t.Errorf("%s: got status %d with %s, want 404 with text", what, res.status, res.header.Get("Content-Type"))
	}
	if got := res.header.Get("Cache-Control"); got != "public, max-age=300" {
		w.t.Errorf("%s: got Cache-Control %q, want five minutes", what, got)
	}
}

// expectPicture expects that a picture is shown.
func (w *world) expectPicture(what, picture string) {
	w.t.Helper()
	if res := w.get(picture); res.status != http.StatusOK {
		w.t.Errorf("%s: got status %d, want 200", what, res.status)
	}
}

// publisher is a publisher's server.
type publisher struct {
	*httptest.Server
	requests atomic.Int32
}

func newPublisher(t *testing.T, respond http.HandlerFunc) *publisher {
	t.Helper()
	return startPublisher(t, "127.0.0.1:0", respond)
}

func startPublisher(t *testing.T, address string, respond http.HandlerFunc) *publisher {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", address)
	if err != nil {
		t.Fatalf("listen: %v", err)
	}
	p := &publisher{}
	p.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.requests.Add(1)
		respond(w, r)
	}))
	_ = p.Listener.Close()
	p.Listener = l
	p.Start()
	t.Cleanup(p.Close)
	return p
}

func sends(content []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write(content)
	}
}

func encoded(encode func(io.Writer, image.Image) error) []byte {
	var b bytes.Buffer
	if err := encode(&b, image.NewPaletted(image.Rect(0, 0, 3, 2), []color{gray(0), gray(255)})); err != nil {
		panic(err)
	}
	return b.Bytes()
}

var (
	pngFile  = encoded(png.Encode)
	jpegFile = encoded(func(w io.Writer, m image.Image) error { return jpeg.Encode(w, m, nil) })
	gifFile  = encoded(func(w io.Writer, m image.Image) error { return gif.Encode(w, m, nil) })
	webpFile = webpOf(3, 2)
	avifFile = avifOf(3, 2)
)
