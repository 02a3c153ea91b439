package feeds

import (
	"context"
	"log/slog"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/sininho/sininho/pkg/rules"
	"github.com/sininho/sininho/server/internal/core"
)

// Source reads what feeds show. The methods that describe a feed fail with core.CodeNotFound for what there is not.
type Source interface {
	Channel(ctx context.Context, publisherSlug, slug string) (core.WebFeed, error)
	Publisher(ctx context.Context, slug string) (core.WebFeed, error)
	Personal(ctx context.Context, secret string) (core.WebFeed, error)
	// Items returns the notifications of a feed, newest first. They are at least as new as its description.
	Items(ctx context.Context, f core.WebFeed) ([]core.WebFeedItem, error)
}

// Config is what feeds need. All but Picture is required.
type Config struct {
	Source Source
	// PublicURL is the address of the server, with which all addresses in feeds begin.
	PublicURL string
	// Picture returns the address at which the server itself serves a publisher's picture, or "" for one that it
	// refuses. It is nil if pictures are loaded from elsewhere.
	Picture func(address string) string
	// ReadAllowed counts a request, and reports whether its sender may send more of them.
	ReadAllowed func(*http.Request) bool
	Log         *slog.Logger
}

const (
	// readTime is how long a feed may take to be read.
	readTime = 5 * time.Second
	// readers is how many feeds are read and written at the same time, so that most connections are left for the API,
	// and feeds take little memory.
	readers = 4
	// retryAfter is when to ask again after what has failed, in seconds.
	retryAfter = 60
)

// Patterns are the addresses that the handler serves, for a http.ServeMux.
var Patterns = []string{
	"GET /channels/{publisher}/{channel}/feed.atom", "GET /channels/{publisher}/{channel}/feed.json",
	"GET /channels/{publisher}/feed.atom", "GET /channels/{publisher}/feed.json",
	"GET " + core.FeedAddressBase + "{file}",
}

type handler struct {
	Config
	slots *semaphore.Weighted
}

// Handler serves the Patterns.
func Handler(c Config) http.Handler { return &handler{c, semaphore.NewWeighted(readers)} }

// ServeHTTP implements http.Handler.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	extension := path.Ext(r.URL.Path)
	address, format := strings.TrimSuffix(r.URL.Path, extension), formats[extension]
	if format.write == nil {
		http.NotFound(w, r)
		return
	}
	if strings.HasPrefix(address, core.FeedAddressBase) {
		w.Header().Set("Cache-Control", "private, no-cache")
		w.Header().Set("X-Robots-Tag", "noindex")
	} else {
		w.Header().Set("Cache-Control", "no-cache")
		w.Header().Set("Access-Control-Allow-Origin", "*")
	}
	if !h.ReadAllowed(r) {
		refuse(w, http.StatusTooManyRequests)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), readTime)
	defer cancel()
	if err := h.serve(ctx, w, r, address, format); err != nil {
		h.fail(w, r, err)
	}
}

func (h *handler) serve(ctx context.Context, w http.ResponseWriter, r *http.Request, address string, f format) error {
	if err := h.slots.Acquire(ctx, 1); err != nil {
		return err
	}
	defer h.slots.Release(1)
	found, err := h.find(ctx, r, address)
	if err != nil {
		return err
	}
	tag := etag(found, h.PublicURL)
	w.Header().Set("ETag", tag)
	if isCurrent(r.Header.Get("If-None-Match"), tag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	items, err := h.Source.Items(ctx, found)
	if err != nil {
		w.Header().Del("ETag")
		return err
	}
	body := f.write(h.document(found, items, address))
	w.Header().Set("Content-Type", f.contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // a reader that has left misses nothing
	}
	return nil
}

// find describes the feed at an address.
func (h *handler) find(ctx context.Context, r *http.Request, address string) (core.WebFeed, error) {
	if secret, ok := strings.CutPrefix(address, core.FeedAddressBase); ok {
		return h.Source.Personal(ctx, secret)
	}
	publisher, channel := r.PathValue("publisher"), r.PathValue("channel")
	switch {
	case !rules.IsSlug(publisher), channel != "" && !rules.IsSlug(channel):
		return core.WebFeed{}, core.NotFound()
	case channel == "":
		return h.Source.Publisher(ctx, publisher)
	default:
		return h.Source.Channel(ctx, publisher, channel)
	}
}

// fail responds to a request whose feed is not there, or could not be read. It logs no address, which may be a secret.
func (h *handler) fail(w http.ResponseWriter, r *http.Request, err error) {
	if core.IsCode(err, core.CodeNotFound) {
		http.NotFound(w, r)
		return
	}
	if r.Context().Err() == nil {
		h.Log.WarnContext(r.Context(), "could not serve a feed", "error", err)
	}
	refuse(w, http.StatusServiceUnavailable)
}

func refuse(w http.ResponseWriter, status int) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Retry-After", strconv.Itoa(retryAfter))
	http.Error(w, http.StatusText(status), status)
}
