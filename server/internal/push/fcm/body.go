package fcm

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"slices"

	"firebase.google.com/go/v4/messaging"

	"github.com/sininho/sininho/server/internal/tracing"
)

// The Admin SDK would encode the message again for each device, which takes a third of the time of a send. So a message
// is encoded once, the SDK sends one that has only an address, and the transport
// replaces the body.

// encode returns the body of a request for a message without an address, up to the address.
func encode(m *messaging.Message) ([]byte, error) {
	message, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	return slices.Concat([]byte(`{"message":`), message[:len(message)-1], []byte(",")), nil
}

// addressed returns the whole body for one device.
func addressed(encoded []byte, address string) []byte {
	name := `"token":`
	if installationID.MatchString(address) {
		name = `"fid":`
	}
	quoted, err := json.Marshal(address)
	if err != nil {
		panic(err) // never: it is text
	}
	return slices.Concat(encoded, []byte(name), quoted, []byte("}}"))
}

// installationID matches the Firebase installation ids of devices. The registration tokens of older SDKs are longer.
var installationID = regexp.MustCompile(`^[cdef][A-Za-z0-9_-]{21}$`)

type bodyKey struct{}

func withBody(ctx context.Context, body []byte) context.Context {
	return context.WithValue(ctx, bodyKey{}, body)
}

// replaceBody sends requests with the body of their context.
type replaceBody struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper. It also passes the trace on.
func (t replaceBody) RoundTrip(r *http.Request) (*http.Response, error) {
	body, ok := r.Context().Value(bodyKey{}).([]byte)
	if !ok {
		return t.next.RoundTrip(r)
	}
	_ = r.Body.Close()
	r = r.WithContext(r.Context()) // a copy
	r.Header = tracing.Header(r.Context(), r.Header)
	r.ContentLength = int64(len(body))
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	r.Body, _ = r.GetBody()
	return t.next.RoundTrip(r)
}
