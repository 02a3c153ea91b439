package pictures_test

import (
	"bytes"
	"image"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/pictures"
)

// small loads a picture in a size.
func (w *world) small(picture, size string, header ...string) response {
	w.t.Helper()
	return w.load("GET", w.addresses.Address(picture)[len(origin):]+"?size="+size, header...)
}

// TestSmall loads a picture in all sizes, and large.
func TestSmall(t *testing.T) {
	t.Parallel()
	w := local(t)
	file := jpegFileOf(noise(400, 300, false))
	p := newPublisher(t, sends(file))
	etags := map[string]bool{}
	for size, bound := range pictures.Sizes {
		for range 2 {
			res := w.small(p.URL, size)
			m, _, err := image.DecodeConfig(bytes.NewReader(res.body))
			if err != nil || m.Width != bound.X || m.Height != bound.Y || len(res.body) > pictures.MaxSmall {
				t.Errorf("%s: got %d×%d in %d bytes, %v; want %v in few", size, m.Width, m.Height, len(res.body), err, bound)
			}
			if got := res.header.Get("Cache-Control"); got != "public, max-age=604800, immutable" {
				t.Errorf("Cache-Control of a small picture: got %q, want a week", got)
			}
			if got := w.small(p.URL, size, "If-None-Match", res.header.Get("ETag")).status; got != http.StatusNotModified {
				t.Errorf("%s with If-None-Match: got status %d, want 304", size, got)
			}
			etags[res.header.Get("ETag")] = true
		}
	}
	large := w.get(p.URL)
	if !bytes.Equal(large.body, file) {
		t.Errorf("the picture itself: got %d bytes, want its %d", len(large.body), len(file))
	}
	etags[large.header.Get("ETag")] = true
	if got, want := len(etags), len(pictures.Sizes)+1; got != want {
		t.Errorf("ETags of a picture: got %d, want one of each of %d sizes", got, want)
	}
	if got := p.requests.Load(); got != 1 {
		t.Errorf("requests for a picture in all sizes: got %d, want 1", got)
	}
}

// TestOtherSizes expects sizes that strangers make up to be refused before anything is fetched.
func TestOtherSizes(t *testing.T) {
	t.Parallel()
	w := local(t)
	p := newPublisher(t, sends(pngFile))
	for _, size := range []string{"1", "160", "160x160", "Icon", "icon%20", "icon/", "large", "..", "%00"} {
		res := w.small(p.URL, size)
		if res.status != http.StatusNotFound || res.header.Get("Cache-Control") != "no-store" {
			t.Errorf("size %s: got status %d and Cache-Control %q, want 404 and no-store", size, res.status,
				res.header.Get("Cache-Control"))
		}
	}
	if got := p.requests.Load(); got != 0 {
		t.Errorf("requests for a picture in other sizes: got %d, want 0", got)
	}
}

// TestWhatCannotBeMadeSmall expects pictures that are not decoded to be shown as they are.
func TestWhatCannotBeMadeSmall(t *testing.T) {
	t.Parallel()
	w := local(t)
	file := jpegFileOf(noise(300, 200, false))
	for name, content := range map[string][]byte{
		"AVIF": avifFile, "half a JPEG": file[:len(file)/2], "a moving WebP": webpFile, "a large PNG": pngOf(5000, 5000),
	} {
		p := newPublisher(t, sends(content))
		for range 2 {
			res := w.small(p.URL, "icon")
			if res.status != http.StatusOK || !bytes.Equal(res.body, content) {
				t.Errorf("%s: got status %d and %d bytes, want it as it is", name, res.status, len(res.body))
			}
			if got := res.header.Get("Cache-Control"); got != "public, max-age=604800, immutable" {
				t.Errorf("Cache-Control of %s: got %q, want a week", name, got)
			}
		}
		if got := p.requests.Load(); got != 1 {
			t.Errorf("requests for %s: got %d, want 1", name, got)
		}
	}
	if res := w.small(newPublisher(t, http.NotFound).URL, "icon"); res.status != http.StatusNotFound {
		t.Errorf("a picture that is not there: got status %d, want 404", res.status)
	}
}

// TestSmallIsKept expects a small picture to be fetched again when its large one would be.
func TestSmallIsKept(t *testing.T) {
	t.Parallel()
	w := local(t)
	p := newPublisher(t, sends(pngFile))
	for _, at := range []struct {
		after time.Duration
		want  int32
	}{{0, 1}, {23 * time.Hour, 1}, {25 * time.Hour, 2}} {
		w.now.Store(int64(at.after / time.Second))
		if res := w.small(p.URL, "icon"); res.status != http.StatusOK {
			t.Errorf("a small picture after %s: got status %d, want 200", at.after, res.status)
		}
		if got := p.requests.Load(); got != at.want {
			t.Errorf("requests for a small picture within %s: got %d, want %d", at.after, got, at.want)
		}
	}
}

// TestMakingSmallWaitsForNobody expects a picture to be shown large while its site has pictures that take long, and
// small while another site has.
func TestMakingSmallWaitsForNobody(t *testing.T) {
	t.Parallel()
	w := newWorld(t, pictures.Config{Loopback: true, Timeout: time.Second})
	file := jpegFileOf(noise(300, 200, false))
	p := newPublisher(t, sends(file))
	leaveOther, err := w.proxy.HoldShrinker(t.Context(), "http://other.example")
	if err != nil {
		t.Fatalf("hold the place of another site: %v", err)
	}
	defer leaveOther()
	if res := w.small(p.URL+"/1", "icon"); len(res.body) >= len(file) {
		t.Errorf("picture beside another site: got %d bytes, want a small one", len(res.body))
	}
	leave, err := w.proxy.HoldShrinker(t.Context(), p.URL)
	if err != nil {
		t.Fatalf("hold the place of the site: %v", err)
	}
	res := w.small(p.URL+"/2", "icon")
	if got := res.header.Get("Cache-Control"); !bytes.Equal(res.body, file) || got != "public, max-age=300" {
		t.Errorf("picture while its site has no place: got %d bytes and Cache-Control %q, want it as it is for five minutes",
			len(res.body), got)
	}
	leave()
	if res := w.small(p.URL+"/2", "icon"); len(res.body) >= len(file) {
		t.Errorf("picture once its site has a place: got %d bytes, want a small one", len(res.body))
	}
}

// TestOneIsMadeSmall loads a small picture by many readers at once.
func TestOneIsMadeSmall(t *testing.T) {
	t.Parallel()
	w := local(t)
	file := jpegFileOf(noise(400, 300, false))
	p := newPublisher(t, sends(file))
	var readers sync.WaitGroup
	for range 20 {
		readers.Go(func() {
			if res := w.small(p.URL, "thumbnail"); res.status != http.StatusOK || len(res.body) > pictures.MaxSmall {
				t.Errorf("a small picture that many load: got status %d and %d bytes", res.status, len(res.body))
			}
		})
	}
	readers.Wait()
	if got := p.requests.Load(); got != 1 {
		t.Errorf("requests for a small picture that 20 readers load: got %d, want 1", got)
	}
}
