package fcm

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"

	"golang.org/x/oauth2"
)

// newTransport returns a transport that uses HTTP/2, including to an address without TLS.
func newTransport(endpoint string) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // always this type
	t.MaxIdleConnsPerHost = 64
	t.Protocols = new(http.Protocols)
	if strings.HasPrefix(endpoint, "http://") {
		t.Protocols.SetUnencryptedHTTP2(true)
	} else {
		t.Protocols.SetHTTP1(true)
		t.Protocols.SetHTTP2(true)
	}
	return t
}

// once makes the Admin SDK send only once. The SDK retries 503 and every transport error, unless it is asked to wait
// longer than its limit. So a transport error becomes a 503, every 503 asks for a wait of a day, and the server's own
// Retry-After moves to another header.
type once struct{ next http.RoundTripper }

const (
	retryAfter     = "Retry-After"
	realRetryAfter = "X-Sininho-Retry-After"
	causeHeader    = "X-Sininho-Cause"
	aDay           = "86400"
)

func (o once) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := o.next.RoundTrip(r)
	if err != nil {
		return synthetic(r, err), nil
	}
	if res.StatusCode == http.StatusServiceUnavailable {
		if v := res.Header.Get(retryAfter); v != "" {
			res.Header.Set(realRetryAfter, v)
		}
		res.Header.Set(retryAfter, aDay)
	}
	return res, nil
}

// synthetic returns the response that represents a transport error, in the form of FCM's errors.
func synthetic(r *http.Request, err error) *http.Response {
	status := http.StatusServiceUnavailable
	code, cause := "UNAVAILABLE", "network"
	var refused *oauth2.RetrieveError
	if errors.As(err, &refused) && refused.Response != nil &&
		refused.Response.StatusCode < http.StatusInternalServerError {
		status = http.StatusUnauthorized
		code, cause = "UNAUTHENTICATED", "credentials"
	}
	body := `{"error":{"status":"` + code + `","message":"the request did not get through"}}`
	return &http.Response{
		StatusCode: status, Status: http.StatusText(status), Proto: r.Proto, ProtoMajor: r.ProtoMajor,
		ProtoMinor: r.ProtoMinor, Request: r,
		Header: http.Header{
			"Content-Type": {"application/json"}, retryAfter: {aDay}, causeHeader: {cause + ": " + err.Error()},
		}, Body: io.NopCloser(bytes.NewReader([]byte(body))), ContentLength: int64(len(body)),
	}
}
