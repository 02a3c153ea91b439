package httpapi

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/payload"
)

// webhookBody is how many bytes of a webhook's body are read without waiting for a place among the huge ones.
const webhookBody = 1 << 20

// receiveEvent reads the body of a webhook event into c. Its sender repeats no event that was too large, so a huge
// body, as of hundreds of alerts, is read too; what is too much of it is left out of the payload.
func (a *server) receiveEvent(w http.ResponseWriter, r *http.Request, c *call) error {
	body, err := io.ReadAll(io.LimitReader(r.Body, webhookBody+1))
	if err != nil || len(body) <= webhookBody {
		return c.received(body, err)
	}
	if r.ContentLength > payload.MaxBody {
		return payload.TooLarge()
	}
	release, err := a.huge.admit(c.webhook.PublisherID)
	if err != nil {
		return err
	}
	c.atEnd(release)
	// Slow senders must not keep the few places. Not every writer has deadlines; then the server's own holds.
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(requestTime))
	all := bytes.NewBuffer(body)
	_, err = all.ReadFrom(http.MaxBytesReader(w, r.Body, payload.MaxBody-int64(len(body))))
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return payload.TooLarge()
	}
	return c.received(all.Bytes(), err)
}

// readEvent reads the payload out of the body of a webhook event.
func (c *call) readEvent() (err error) {
	// The handler takes the payload from c; the generated code has nothing more to parse.
	c.request.Body = &parsedBody{http.NoBody, map[string]any{}}
	c.request.Form, c.request.PostForm = url.Values{}, url.Values{}
	c.payload, err = payload.Read(c.request.Header, c.body, c.webhook.ReadsTexts())
	if err != nil {
		c.payload.JSON = c.body // shown to the owner of the webhook
	}
	return err
}

// hugeAtOnce is how many huge bodies are read and kept at once.
const hugeAtOnce = 4

// huge bounds the memory of huge bodies. A publisher has one at a time, so that none keeps all places.
type huge struct {
	places *semaphore.Weighted
	mu     sync.Mutex
	busy   map[core.ID]bool // publishers
}

func newHuge() *huge {
	return &huge{places: semaphore.NewWeighted(hugeAtOnce), busy: map[core.ID]bool{}}
}

// admit takes a place, or fails with core.CodeUnavailable, so that the sender tries again. The caller must call release
// when the body is no longer needed.
func (h *huge) admit(publisher core.ID) (release func(), err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.busy[publisher] {
		return nil, core.Unavailable(errHuge)
	}
	if !h.places.TryAcquire(1) {
		return nil, core.Unavailable(errHuge)
	}
	h.busy[publisher] = true
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.busy, publisher)
		h.places.Release(1)
	}, nil
}

var errHuge = errors.New("too many huge webhook events at once")

const webhooksPath = base + "/webhooks/channels/"

// forgiveSlash removes a slash from the end of a webhook's address, which some senders add.
func forgiveSlash(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, webhooksPath) && strings.HasSuffix(r.URL.Path, "/") {
			r = r.Clone(r.Context())
			r.URL.Path = strings.TrimRight(r.URL.Path, "/")
			r.URL.RawPath = strings.TrimRight(r.URL.RawPath, "/")
		}
		next.ServeHTTP(w, r)
	})
}
