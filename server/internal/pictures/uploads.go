package pictures

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// UploadsPattern is the pattern of the paths that Uploads serves, for http.ServeMux.
const UploadsPattern = "GET " + core.UploadsPath + "{id}"

// isUpload reports whether an address of this server is one of an uploaded picture.
func isUpload(u *url.URL) bool {
	id, ok := strings.CutPrefix(u.Path, core.UploadsPath)
	return ok && isID(id) && u.RawQuery == ""
}

// uploadKept is how long a picture stays in memory, and so is shown after it was deleted.
const uploadKept = 10 * time.Minute

// UploadsConfig configures Uploads. Every field is required except PerMinute.
type UploadsConfig struct {
	// Find returns an uploaded picture in a size, of which "" is the largest. It fails with CodeNotFound.
	Find func(ctx context.Context, id, size string) (core.PictureForm, error)
	// CacheBytes is how much memory the pictures that are kept may take.
	CacheBytes int
	// Network returns the network that a reader's request is from.
	Network func(*http.Request) netip.Prefix
	// PerMinute is how many pictures that are not kept a network may load a minute; 0 means any number.
	PerMinute int
	Now       func() time.Time
	Log       *slog.Logger
}

// Uploads serves the pictures that publishers have uploaded.
type Uploads struct {
	UploadsConfig
	cache   *cache
	limiter *limiter
}

// NewUploads returns the handler of the paths that match UploadsPattern.
func NewUploads(c UploadsConfig) *Uploads {
	return &Uploads{c, newCache(c.CacheBytes), newLimiter(c.PerMinute, c.Now)}
}

// ServeHTTP serves the picture of a path that matches UploadsPattern, in the size that its query names. Without a
// picture the status is 404.
func (u *Uploads) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	beginPicture(w)
	found, err := u.find(r, r.PathValue("id"), r.URL.Query().Get("size"))
	limited, isLimited := errors.AsType[errLimited](err)
	switch {
	case isLimited:
		limited.respond(w)
	case core.IsCode(err, core.CodeNotFound):
		http.Error(w, "no picture has this address", http.StatusNotFound)
	case err != nil:
		u.Log.WarnContext(r.Context(), "uploaded picture not read", "error", err)
		w.Header().Set("Retry-After", "1")
		http.Error(w, "the picture cannot be read; try again shortly", http.StatusServiceUnavailable)
	default:
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		found.serve(w, r)
	}
}

// find returns a picture from memory or the store.
func (u *Uploads) find(r *http.Request, id, size string) (picture, error) {
	if _, known := sizes[size]; size != "" && !known || !isID(id) {
		return picture{}, core.NotFound()
	}
	key := size + " " + id
	if kept, ok := u.cache.get(key, u.Now()); ok {
		return kept, nil
	}
	if err := u.limiter.take(u.Network(r)); err != nil {
		return picture{}, err
	}
	form, err := u.Find(r.Context(), id, size)
	if err != nil {
		return picture{}, err
	}
	found := newPicture(form.Content, form.ContentType, u.Now().Add(uploadKept))
	u.cache.put(key, found)
	return found, nil
}

// isID reports whether a text has the form of a picture's id.
func isID(text string) bool {
	b, err := encoding.Strict().DecodeString(text)
	return err == nil && len(b) == signatureSize && !strings.ContainsAny(text, "\r\n")
}

// beginPicture sets the headers of every response at the address of a picture.
func beginPicture(w http.ResponseWriter) {
	header := w.Header()
	header.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cache-Control", "no-store")
}

// serve writes a picture, or the part of it that is asked for.
func (p picture) serve(w http.ResponseWriter, r *http.Request) {
	// A failure leaves the deadline of all responses, which is enough for all but the slowest readers.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTimeout))
	header := w.Header()
	header.Set("Content-Type", p.contentType)
	header.Set("ETag", p.etag)
	header.Set("Cross-Origin-Resource-Policy", "cross-origin") // web apps of others show pictures too
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(p.content))
}
