package pictures_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/pictures"
)

const uploadID = "Yk3vQm0sT1aXc9RzLw8uBg"

// uploads serves one picture in two forms, and counts how often it is read.
type uploads struct {
	http.Handler
	reads int
	err   error
}

func newUploads(perMinute int) *uploads {
	u := &uploads{}
	mux := http.NewServeMux()
	mux.Handle(pictures.UploadsPattern, pictures.NewUploads(pictures.UploadsConfig{
		Find: u.find, CacheBytes: 1 << 20, PerMinute: perMinute, Now: time.Now, Log: slog.New(slog.DiscardHandler),
		Network: func(*http.Request) netip.Prefix { return netip.MustParsePrefix("192.0.2.1/32") }}))
	u.Handler = mux
	return u
}

func (u *uploads) find(_ context.Context, id, size string) (core.PictureForm, error) {
	u.reads++
	if u.err != nil {
		return core.PictureForm{}, u.err
	}
	if id != uploadID || size != "" && size != "icon" {
		return core.PictureForm{}, core.NotFound()
	}
	return core.PictureForm{Size: size, ContentType: "image/png", Content: pngFile}, nil
}

func (u *uploads) get(t *testing.T, path string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	u.ServeHTTP(w, r)
	return w
}

// TestUploads serves a picture in its sizes, once from the store and then from memory, for a year.
func TestUploads(t *testing.T) {
	t.Parallel()
	u := newUploads(0)
	for range 2 {
		for _, query := range []string{"", "?size=icon"} {
			res := u.get(t, core.UploadsPath+uploadID+query)
			if res.Code != http.StatusOK || res.Header().Get("Content-Type") != "image/png" {
				t.Errorf("%q: got %d with %s, want 200 with a PNG", query, res.Code, res.Header().Get("Content-Type"))
			}
			if got := res.Header().Get("Cache-Control"); got != "public, max-age=31536000, immutable" {
				t.Errorf("%q: got Cache-Control %q, want a year", query, got)
			}
			if got := res.Header().Get("Content-Security-Policy"); got != "default-src 'none'; sandbox" {
				t.Errorf("%q: got Content-Security-Policy %q, want nothing allowed", query, got)
			}
		}
	}
	if u.reads != 2 {
		t.Errorf("reads of the store: got %d, want 2", u.reads)
	}
	etag := u.get(t, core.UploadsPath+uploadID).Header().Get("ETag")
	if res := u.get(t, core.UploadsPath+uploadID, "If-None-Match", etag); res.Code != http.StatusNotModified {
		t.Errorf("with the ETag: got %d, want 304", res.Code)
	}
}

// TestNoUpload expects 404 for what does not exist, without asking the store for what cannot, and 503 when it fails.
func TestNoUpload(t *testing.T) {
	t.Parallel()
	u := newUploads(0)
	for _, path := range []string{"short", uploadID + "x", "Yk3vQm0sT1aXc9RzLw8u%00g", "Yk3vQm0sT1aXc9RzLw8uB=", uploadID + "?size=huge",
		"..%2f..%2fetc%2fpasswd00", "Yk3vQm0sT1aXc9RzLw8uBh"} {
		if res := u.get(t, core.UploadsPath+path); res.Code != http.StatusNotFound || u.reads > 0 {
			t.Errorf("%s: got %d after %d reads, want 404 without one", path, res.Code, u.reads)
		}
	}
	if res := u.get(t, core.UploadsPath+"AAAAAAAAAAAAAAAAAAAAAA"); res.Code != http.StatusNotFound || u.reads != 1 {
		t.Errorf("another: got %d after %d reads, want 404 after one", res.Code, u.reads)
	}
	u.err = errors.New("down")
	res := u.get(t, core.UploadsPath+uploadID)
	if res.Code != http.StatusServiceUnavailable || res.Header().Get("Retry-After") == "" {
		t.Errorf("a store that is down: got %d with Retry-After %q, want 503 with one", res.Code,
			res.Header().Get("Retry-After"))
	}
}

// TestUploadLimit expects a network that guesses addresses to be stopped, and what is kept to be shown all the same.
func TestUploadLimit(t *testing.T) {
	t.Parallel()
	u := newUploads(2)
	u.get(t, core.UploadsPath+uploadID)
	limited := false
	for _, id := range []string{"AAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAQ", "AAAAAAAAAAAAAAAAAAAAAg"} {
		res := u.get(t, core.UploadsPath+id)
		limited = limited || res.Code == http.StatusTooManyRequests && res.Header().Get("Retry-After") != ""
	}
	if !limited || u.reads > 2 {
		t.Errorf("guesses: got %d reads, limited %v; want at most 2, and 429", u.reads, limited)
	}
	if res := u.get(t, core.UploadsPath+uploadID); res.Code != http.StatusOK {
		t.Errorf("a picture that is kept: got %d, want 200", res.Code)
	}
}

// TestUploadAddress expects uploaded pictures of this server to stay at their addresses, in each size.
func TestUploadAddress(t *testing.T) {
	t.Parallel()
	a, err := pictures.NewAddresses(make([]byte, 32), "https://sininho.example.com")
	if err != nil {
		t.Fatalf("new addresses: %v", err)
	}
	own := "https://sininho.example.com" + core.UploadsPath + uploadID
	if got := a.Address(own); got != own {
		t.Errorf("an uploaded picture: got %q, want its address", got)
	}
	if got := a.Icon(own); got != own+"?size=icon" {
		t.Errorf("its icon: got %q, want its address with the size", got)
	}
	for _, other := range []string{own + "?size=icon", own + "/x", "https://sininho.example.com/api/v1/auth/logout"} {
		if got := a.Address(other); got != "" {
			t.Errorf("%s: got %q, want none", other, got)
		}
	}
}
