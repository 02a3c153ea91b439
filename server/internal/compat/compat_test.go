package compat

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/sininho/sininho/server/lab/check"
)

func request(t *testing.T) *http.Request {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPut, "/demo_novidades?x=1", nil)
	r.Header.Set("Authorization", "Bearer key")
	r.Header.Set("Cookie", "__Host-sininho=session")
	r.Header.Set("Priority", "high")
	return r
}

// TestCallsKnowTheSender expects the sender's credential and address in a call, and neither a cookie nor what was meant
// for the other protocol.
func TestCallsKnowTheSender(t *testing.T) {
	t.Parallel()
	var got *http.Request
	var body []byte
	api := API{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r
		body, _ = io.ReadAll(r.Body)
		_, _ = w.Write([]byte(`{"id": "n1"}`))
	})}
	var out struct{ ID string }
	r := request(t)
	status, err := api.Do(r, Call{Method: http.MethodPost, Path: "/channels", Body: map[string]string{"a": "b"}}, &out)
	if err != nil {
		t.Fatalf("call: %v", err)
	}
	check.Equal(t, "response", out.ID, "n1")
	check.Equal(t, "status", status, 200)
	check.Equal(t, "address", got.Method+" "+got.URL.String(), "POST /api/v1/channels")
	check.Equal(t, "body", string(body), `{"a":"b"}`)
	check.Equal(t, "sender", got.RemoteAddr, r.RemoteAddr)
	check.Equal(t, "headers", got.Header, http.Header{"Authorization": {"Bearer key"}, "Content-Type": {"application/json"}})
}

func TestRefusedCalls(t *testing.T) {
	t.Parallel()
	api := API{http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(http.StatusUnprocessableEntity)
		_, _ = w.Write([]byte(`{"detail": "Invalid.", "errors": [{"pointer": "#/title", "detail": "is missing"},
			{"pointer": "#/link", "detail": "is no address"}]}`))
	})}
	_, err := api.Do(request(t), Call{Method: http.MethodGet, Path: "/channels"}, nil)
	refusal, _ := errors.AsType[*Error](err)
	check.Equal(t, "refusal", refusal,
		&Error{Status: 422, Detail: "Invalid: title is missing; link is no address", RetryAfter: "7"})
}

// TestStream receives the events of a stream that is written in pieces, each ending anywhere.
func TestStream(t *testing.T) {
	t.Parallel()
	const stream = "retry: 1000\nid: 7\n\n:\n\nid: 8\nevent: notification\ndata: {\"id\": 1}\n\n"
	for size := 1; size < len(stream); size++ {
		api := API{http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusOK)
			for rest := stream; rest != ""; {
				n := min(size, len(rest))
				_, _ = w.Write([]byte(rest[:n]))
				rest = rest[n:]
			}
		})}
		var kinds []string
		err := api.Stream(t.Context(), request(t), Call{Path: "/x"}, func(e Event) error {
			kinds = append(kinds, e.Kind+string(e.Data))
			return nil
		})
		if err != nil {
			t.Fatalf("stream in pieces of %d: %v", size, err)
		}
		check.Equal(t, "events", kinds, []string{Begun, Heartbeat, `notification{"id": 1}`})
	}
}

// TestStreamEnds expects what receives the events to end the stream, and a refusal to be an error.
func TestStreamEnds(t *testing.T) {
	t.Parallel()
	enough := errors.New("enough")
	var ended context.Context
	api := API{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ended = r.Context()
		_, _ = w.Write([]byte("id: 7\n\n"))
		<-r.Context().Done()
	})}
	err := api.Stream(t.Context(), request(t), Call{Path: "/x"}, func(Event) error { return enough })
	check.Equal(t, "the error is that of the receiver", errors.Is(err, enough), true)
	check.Equal(t, "the stream's context has ended", ended.Err() != nil, true)
	refusing := API{http.NotFoundHandler()}
	err = refusing.Stream(t.Context(), request(t), Call{Path: "/x"}, func(Event) error { return nil })
	refusal, _ := errors.AsType[*Error](err)
	check.Equal(t, "refusal", refusal, &Error{Status: 404, Detail: "Not Found"})
}
