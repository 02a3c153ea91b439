package pictures_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/pictures"
	"github.com/sininho/sininho/server/lab/dnstest"
)

func TestOnlyPublicAddressesAreDialed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, pictures.Config{})
	here := newPublisher(t, sends(pngFile))
	_, port, _ := net.SplitHostPort(here.Listener.Addr().String())
	for _, address := range []string{
		here.URL, "http://localhost:" + port, "https://localhost/", "http://127.0.0.1/", "http://[::1]/",
		"http://0.0.0.0:" + port, "http://[::]:" + port, "http://10.0.0.1/", "http://172.16.0.1/",
		"http://192.168.0.1/", "http://169.254.169.254/latest/meta-data", "http://100.64.0.1/",
		"http://224.0.0.1/", "http://[fd00::1]/",
		"http://[fe80::1]/", "http://[ff02::1]/", "http://[::ffff:127.0.0.1]:" + port, "http://[::ffff:10.0.0.1]/",
		"http://[2002:7f00:1::]/", "http://[64:ff9b::7f00:1]/", "http://1.1.1.1:22/", "https://1.1.1.1:8443/",
		"http://2130706433:" + port, "http://0x7f.1:" + port, "http://127.1:" + port,
	} {
		w.expectNone("picture at "+address, address)
	}
	w = local(t)
	w.expectNone("picture at a private address with loopback allowed", "http://10.0.0.1/")
	if got := here.requests.Load(); got != 0 {
		t.Errorf("requests to this machine: got %d, want 0", got)
	}
}

// TestNames resolves names to addresses that are not public. It also sets a proxy, which must receive no request.
func TestNames(t *testing.T) {
	outside := newPublisher(t, sends(pngFile))
	t.Setenv("HTTPS_PROXY", outside.URL)
	t.Setenv("HTTP_PROXY", outside.URL)
	for _, address := range []string{
		"127.0.0.1", "10.0.0.1", "169.254.169.254", "192.168.1.1", "100.64.0.1", "0.0.0.0",
	} {
		w := newWorld(t, pictures.Config{Resolver: dnstest.Resolver(t, netip.MustParseAddr(address))})
		w.expectNone("picture at a name of "+address, "http://pictures.example.com/a.png")
	}
	if got := outside.requests.Load(); got != 0 {
		t.Errorf("requests to the proxy: got %d, want 0", got)
	}
}

// TestRebinding changes what a name resolves to once it was found good.
func TestRebinding(t *testing.T) {
	t.Parallel()
	p := newPublisher(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Connection", "close")
		_, _ = w.Write(pngFile)
	})
	_, port, _ := net.SplitHostPort(p.Listener.Addr().String())
	w := newWorld(t, pictures.Config{Loopback: true,
		Resolver: dnstest.Resolver(t, netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("10.0.0.1"))})
	name := "http://pictures.example.com:" + port
	w.expectPicture("picture at a good name", name+"/1")
	w.expectNone("picture at the name after it has changed", name+"/2")
	w.expectPicture("the picture that was kept", name+"/1")
}

func TestRedirects(t *testing.T) {
	t.Parallel()
	w := local(t)
	for _, to := range []string{
		"http://169.254.169.254/latest/meta-data", "http://10.0.0.1/", "https://192.168.0.1/", "http://[fd00::1]/",
		"file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1:6379/", "javascript:alert(1)", "/again", "//",
	} {
		for _, status := range []int{301, 302, 303, 307, 308} {
			p := newPublisher(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Location", to)
				w.WriteHeader(status)
			})
			w.expectNone(fmt.Sprintf("redirect %d to %s", status, to), p.URL)
			if got := p.requests.Load(); got > 4 {
				t.Errorf("requests of a redirect to %s: got %d, want at most 4", to, got)
			}
		}
	}
	target := newPublisher(t, sends(pngFile))
	withPassword := newPublisher(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://ana:segredo@"+target.Listener.Addr().String(), http.StatusFound)
	})
	w.expectNone("redirect with credentials", withPassword.URL)
	if got := target.requests.Load(); got != 0 {
		t.Errorf("requests with credentials of a redirect: got %d, want 0", got)
	}
}

func TestBadResponses(t *testing.T) {
	t.Parallel()
	w := local(t)
	var zipped bytes.Buffer
	zip := gzip.NewWriter(&zipped)
	_, _ = zip.Write(make([]byte, 10<<20)) // 10 MiB in 10 KiB
	_ = zip.Close()
	header := func(status int, content []byte, header ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			for i := 0; i < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			w.WriteHeader(status)
			_, _ = w.Write(content)
		}
	}
	raw := func(response string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := http.NewResponseController(w).Hijack()
			if err == nil {
				_, _ = io.WriteString(conn, response)
				_ = conn.Close()
			}
		}
	}
	for name, respond := range map[string]http.HandlerFunc{
		"HTML that says image/png": sends([]byte("<html><script>alert(1)</script>")),
		"SVG": header(200, []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>`),
			"Content-Type", "image/svg+xml"),
		"a pixel bomb": sends(pngOf(60_000, 60_000)), "nothing": sends(nil),
		"a compressed picture":    header(200, zipped.Bytes(), "Content-Encoding", "gzip"),
		"an unknown compression":  header(200, pngFile, "Content-Encoding", "br"),
		"a length that is large":  raw("HTTP/1.1 200 OK\r\nContent-Length: 6000000\r\n\r\n" + string(pngFile)),
		"a length that is wrong":  raw("HTTP/1.1 200 OK\r\nContent-Length: 6000\r\n\r\n" + string(pngFile)),
		"endless headers":         raw("HTTP/1.1 200 OK\r\nX: " + strings.Repeat("a", 1<<20) + "\r\n\r\n"),
		"what is not HTTP":        raw("SSH-2.0-OpenSSH_9.2\r\n"),
		"a protocol switch":       raw("HTTP/1.1 101 x\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n" + string(pngFile)),
		"no content":              header(204, nil),
		"a part":                  header(206, pngFile, "Content-Range", "bytes 0-9/10"),
		"a picture with an error": header(500, pngFile),
		"a picture of a 404":      header(404, pngFile),
		"an endless body": func(w http.ResponseWriter, r *http.Request) {
			_, _ = w.Write(pngFile)
			for b := make([]byte, 64<<10); r.Context().Err() == nil; {
				if _, err := w.Write(b); err != nil {
					return
				}
			}
		},
	} {
		w.expectNone(name, newPublisher(t, respond).URL)
	}
	full := append(bytes.Clone(pngFile), make([]byte, pictures.MaxBytes-len(pngFile))...)
	w.expectPicture("a picture of 5 MiB", newPublisher(t, sends(full)).URL)
	w.expectNone("a picture of 5 MiB and a byte", newPublisher(t, sends(append(full, 0))).URL)
}

// TestSlowResponses delays the proxy in every possible way and checks that it gives up in time.
func TestSlowResponses(t *testing.T) {
	t.Parallel()
	w := newWorld(t, pictures.Config{Loopback: true, Timeout: time.Second})
	silent := newPublisher(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	drip := newPublisher(t, func(w http.ResponseWriter, r *http.Request) {
		for _, b := range append(bytes.Clone(pngFile), make([]byte, 1<<20)...) {
			_, _ = w.Write([]byte{b})
			_ = http.NewResponseController(w).Flush()
			select {
			case <-r.Context().Done():
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	})
	began := time.Now()
	w.expectNone("a silent server", silent.URL)
	w.expectNone("a slow body", drip.URL)
	if took := time.Since(began); took > 15*time.Second {
		t.Errorf("two slow pictures took %s, want about two seconds", took)
	}
}

// TestFetchesOfANetworkAreLimited loads pictures until a network has used up its quota.
func TestFetchesOfANetworkAreLimited(t *testing.T) {
	t.Parallel()
	const perMinute = 5
	w := newWorld(t, pictures.Config{Loopback: true, PerMinute: perMinute})
	p := newPublisher(t, sends(pngFile))
	for i := range perMinute {
		for range 3 { // a picture that is kept is free
			w.expectPicture("a picture within the limit", fmt.Sprintf("%s/%d", p.URL, i))
		}
	}
	res := w.get(p.URL + "/beyond")
	if res.status != http.StatusTooManyRequests || res.header.Get("Retry-After") != "12" {
		t.Errorf("a picture beyond the limit: got status %d with Retry-After %q, want 429 with 12", res.status,
			res.header.Get("Retry-After"))
	}
	if got := res.header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("a picture beyond the limit: got Cache-Control %q, want no-store", got)
	}
	w.expectPicture("a picture that is kept, beyond the limit", p.URL+"/0")
	if res := w.get(p.URL+"/other", "X-Reader", "192.0.2.1"); res.status != http.StatusOK {
		t.Errorf("a picture for another network: got status %d, want 200", res.status)
	}
	if got := p.requests.Load(); got != perMinute+1 {
		t.Errorf("requests to the publisher: got %d, want %d", got, perMinute+1)
	}
	w.now.Store(12)
	w.expectPicture("a picture twelve seconds later", p.URL+"/beyond")
}

// TestNetworksAroundLoadFewPictures loads each picture for another network (/64) of one /48.
func TestNetworksAroundLoadFewPictures(t *testing.T) {
	t.Parallel()
	w := newWorld(t, pictures.Config{Loopback: true, PerMinute: 1})
	p := newPublisher(t, sends(pngFile))
	for i := range 10 {
		res := w.get(fmt.Sprintf("%s/%d", p.URL, i), "X-Reader", fmt.Sprintf("2001:db8:1:%x::1", i))
		if res.status != http.StatusOK {
			t.Errorf("picture %d: got status %d, want 200", i, res.status)
		}
	}
	if res := w.get(p.URL+"/beyond", "X-Reader", "2001:db8:1:99::1"); res.status != http.StatusTooManyRequests {
		t.Errorf("a picture beyond the limit of the /48: got status %d, want 429", res.status)
	}
	if res := w.get(p.URL+"/other", "X-Reader", "192.0.2.1"); res.status != http.StatusOK {
		t.Errorf("a picture for another network: got status %d, want 200", res.status)
	}
}

// TestOtherContentIsNotRead begins responses that are no pictures, and never ends them.
func TestOtherContentIsNotRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t, pictures.Config{Loopback: true, Timeout: time.Minute})
	for contentType, content := range map[string][]byte{
		"image/png": []byte("<html><body>not a picture</body>"), "text/html": pngFile, "video/mp4": pngFile,
	} {
		p := newPublisher(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", contentType)
			_, _ = w.Write(content)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		})
		began := time.Now()
		w.expectNone("an endless response of type "+contentType, p.URL)
		if took := time.Since(began); took > 30*time.Second {
			t.Errorf("an endless response of type %s: took %s, want its beginning to decide", contentType, took)
		}
	}
}

// TestAbandonedFetch expects a fetch to end when the last reader who waits for it has left, and not before.
func TestAbandonedFetch(t *testing.T) {
	t.Parallel()
	w := newWorld(t, pictures.Config{Loopback: true, Timeout: time.Minute})
	ended, respond := make(chan struct{}), make(chan struct{})
	p := newPublisher(t, func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
			close(ended)
		case <-respond:
			_, _ = w.Write(pngFile)
		}
	})
	var leave [2]context.CancelFunc
	var left [2]chan struct{}
	for i := range leave {
		var ctx context.Context
		ctx, leave[i] = context.WithCancel(t.Context())
		r := w.request(ctx, "GET", w.addresses.Address(p.URL)[len(origin):])
		left[i] = make(chan struct{})
		go func() {
			defer close(left[i])
			if res, err := w.server.Client().Do(r); err == nil {
				_ = res.Body.Close()
			}
		}()
		eventually.True(t, "the reader to wait", func() bool { return w.proxy.Waiting(p.URL) == i+1 })
	}
	eventually.True(t, "the request to the publisher", func() bool { return p.requests.Load() == 1 })
	leave[0]()
	<-left[0]
	eventually.True(t, "the first reader to have left", func() bool { return w.proxy.Waiting(p.URL) == 1 })
	select {
	case <-ended:
		t.Error("the fetch ended while somebody waited for it")
	default:
	}
	leave[1]()
	<-left[1]
	<-ended
	close(respond)
	w.expectPicture("the picture, when it is asked for again", p.URL)
}
