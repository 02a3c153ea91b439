package httpapi

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/sininho/sininho/server/internal/payload"
)

// receiveEvent reads the body of a webhook event into c. Its sender repeats no event that was too large, so more is
// read than a payload may have, as of hundreds of alerts; what is too much is left out of the payload.
func (a *server) receiveEvent(w http.ResponseWriter, r *http.Request, c *call) error {
	if r.ContentLength > payload.MaxBody {
		return payload.TooLarge()
	}
	body, err := a.readAll(r, c, http.MaxBytesReader(w, r.Body, payload.MaxBody), payload.MaxBody)
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return payload.TooLarge()
	}
	return c.received(body, err)
}

// readEvent reads the payload out of the body of a webhook event.
func (c *call) readEvent(query url.Values) (err error) {
	// The handler takes the payload from c; the generated code has nothing more to parse.
	c.request.Body = &parsedBody{http.NoBody, map[string]any{}}
	c.request.Form, c.request.PostForm = url.Values{}, url.Values{}
	if len(c.body) == 0 { // see received
		c.payload = payload.Payload{JSON: []byte("{}"), Plain: true}
	} else {
		c.payload, err = payload.Read(c.request.Header, c.body, c.webhook.ReadsTexts())
	}
	if err == nil && c.payload.Plain {
		err = c.payload.Complete(c.parameters(query))
	}
	if err != nil {
		c.payload.JSON = c.body // shown to the owner of the webhook
	}
	return err
}

const webhooksPath = prefix + "/webhooks/channels/"

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
