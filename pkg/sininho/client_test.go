//go:build go1.26

package sininho_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/sininho/sininhotest"
)

func TestNewNamesEveryFault(t *testing.T) {
	_, err := sininho.New(sininho.WithBaseURL("sininho.example.com"), sininho.WithAPIKey("snh live"),
		sininho.WithRetries(-1), sininho.WithTimeout(0), sininho.WithLogger(nil))
	if err == nil {
		t.Fatal("New with invalid settings: got no error, want one")
	}
	for _, word := range []string{"base URL", "key", "retries", "timeout", "logger"} {
		errorContains(t, "New with invalid settings", err, word)
	}
	if strings.Contains(err.Error(), "snh live") {
		t.Errorf("New with invalid settings: the error %q contains the key", err)
	}
	for _, url := range []string{"", "https://", "ftp://x", "https://a:b@x/api/v1", "https://x?a", "::"} {
		if _, err := sininho.New(sininho.WithBaseURL(url)); err == nil {
			t.Errorf("New with the base URL %q: got no error, want one", url)
		}
	}
}

// TestNewRefusesAnEmptyKey expects a variable that is not set to be noticed.
func TestNewRefusesAnEmptyKey(t *testing.T) {
	for _, option := range []sininho.Option{sininho.WithAPIKey(""), sininho.WithAPIKey(" \n"), sininho.WithAccessToken("")} {
		_, err := sininho.New(option)
		errorContains(t, "New with an empty key", err, "empty")
	}
	if _, err := sininho.New(); err != nil {
		t.Errorf("New without a key: %v", err)
	}
}

func TestBaseURL(t *testing.T) {
	for given, want := range map[string]string{
		"http://x.test":               "http://x.test/api/v1/auth",
		"http://x.test/":              "http://x.test/api/v1/auth",
		"http://x.test/api/v1/":       "http://x.test/api/v1/auth",
		"https://x.test/bell/api/v1":  "https://x.test/bell/api/v1/auth",
		" http://[::1]:8080/api/v1\n": "http://[::1]:8080/api/v1/auth",
	} {
		got := ""
		spy := roundTripper(func(r *http.Request) (*http.Response, error) {
			got = r.URL.String()
			return nil, errors.New("no network here")
		})
		client, err := sininho.New(sininho.WithBaseURL(given),
			sininho.WithHTTPClient(&http.Client{Transport: spy}), sininho.WithRetries(0))
		if err != nil {
			t.Fatalf("New with the base URL %q: %v", given, err)
		}
		_, _ = client.Auth.Get(t.Context())
		equal(t, fmt.Sprintf("URL of a request with the base URL %q", given), got, want)
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func respond(status int, header http.Header, body string) *http.Response {
	return &http.Response{StatusCode: status, Status: http.StatusText(status), Header: header,
		Body: io.NopCloser(strings.NewReader(body))}
}

// retryWaits runs one call against scripted responses under a fake clock and returns when each attempt was made.
func retryWaits(
	t *testing.T, ctx context.Context, retries int, script func(attempt int) (*http.Response, error),
) (at []time.Duration, err error) {
	t.Helper()
	start := time.Now()
	spy := roundTripper(func(r *http.Request) (*http.Response, error) {
		at = append(at, time.Since(start))
		resp, err := script(len(at) - 1)
		if resp != nil {
			resp.Request = r
		}
		return resp, err
	})
	client, newErr := sininho.New(sininho.WithHTTPClient(&http.Client{Transport: spy}), sininho.WithRetries(retries))
	if newErr != nil {
		t.Fatalf("new client: %v", newErr)
	}
	_, err = client.Notifications.Publish(ctx, channel, sininho.PublishInput{Title: "Um"})
	return at, err
}

func TestRetryAfterIsHonoured(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		at, err := retryWaits(t, t.Context(), 2, func(int) (*http.Response, error) {
			return respond(429, http.Header{"Retry-After": {"30"}}, ""), nil
		})
		var refused *sininho.Error
		if !errors.As(err, &refused) {
			t.Fatalf("publish: got the error %v, want an *Error", err)
		}
		equal(t, "RetryAfter of the error", refused.RetryAfter, 30*time.Second)
		if len(at) != 3 {
			t.Fatalf("attempts: got %d at %v, want 3", len(at), at)
		}
		if at[1] < 30*time.Second || at[1] > 31*time.Second {
			t.Errorf("second attempt: got it after %v, want 30s to 31s", at[1])
		}
		if wait := at[2] - at[1]; wait < 30*time.Second {
			t.Errorf("wait for the third attempt: got %v, want at least 30s", wait)
		}
	})
}

func TestBackoffGrowsAndIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		away := func(int) (*http.Response, error) { return nil, errors.New("refused") }
		at, err := retryWaits(t, t.Context(), 20, away)
		if !errors.Is(err, sininho.ErrUnreachable) {
			t.Errorf("publish: got the error %v, want %v", err, sininho.ErrUnreachable)
		}
		if len(at) != 21 {
			t.Fatalf("attempts: got %d, want 21", len(at))
		}
		for i := 1; i < len(at); i++ {
			if wait := at[i] - at[i-1]; wait <= 0 || wait > 8*time.Second+time.Nanosecond {
				t.Errorf("wait %d: got %v, want more than 0 and at most 8s", i, wait)
			}
		}
		if at[1] > 250*time.Millisecond+time.Nanosecond {
			t.Errorf("first wait: got %v, want at most 250ms", at[1])
		}
	})
}

func TestContextEndsTheWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		start := time.Now()
		_, err := retryWaits(t, ctx, 2, func(int) (*http.Response, error) {
			return respond(503, http.Header{"Retry-After": {"50"}}, ""), nil
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("publish: got the error %v, want %v", err, context.Canceled)
		}
		equal(t, "duration of the call", time.Since(start), time.Second)
	})
}

func TestNoWaitBeyondTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		start := time.Now()
		_, err := retryWaits(t, ctx, 2, func(int) (*http.Response, error) {
			return respond(429, http.Header{"Retry-After": {"50"}}, ""), nil
		})
		if !errors.Is(err, sininho.ErrRateLimited) {
			t.Errorf("publish: got the error %v, want %v", err, sininho.ErrRateLimited)
		}
		equal(t, "duration of the call", time.Since(start), 0)
	})
}

func TestTimeoutIsPerAttempt(t *testing.T) {
	t.Parallel()
	server := sininhotest.New(t)
	server.Respond(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	if _, err := server.Client(sininho.WithTimeout(2 * time.Second)).Auth.Get(t.Context()); err != nil {
		t.Errorf("call whose first attempt times out: %v", err)
	}
	equal(t, "requests", len(server.Requests()), 2)
}

func TestNoErrorAndNoLogHoldsTheKey(t *testing.T) {
	const key = "snh_live_segredo"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(500)
		fmt.Fprintf(w, `{"status":500,"code":"internal","title":"x","type":"x","requestId":"r","detail":%q}`,
			r.Header.Get("Authorization"))
	}))
	defer server.Close()
	var log bytes.Buffer
	client, err := sininho.New(sininho.WithBaseURL(server.URL), sininho.WithAPIKey(key+"\n"), sininho.WithRetries(1),
		sininho.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
	if err != nil {
		t.Fatalf("new client: %v", err)
	}
	defer client.CloseIdleConnections()
	_, err = client.Auth.Get(t.Context())
	stream := lastError(client.Notifications.Stream(t.Context(), channel, sininho.StreamOptions{}))
	for name, text := range map[string]string{
		"error": err.Error(), "error with %+v": fmt.Sprintf("%+v", err), "error of the stream": stream.Error(),
		"log": log.String(), "client": fmt.Sprintf("%+v %#v", client, client),
	} {
		if strings.Contains(text, key) {
			t.Errorf("%s: the key is in %q", name, text)
		}
	}
	errorContains(t, "response that repeats the key", err, "[redacted]")
	if log.Len() == 0 {
		t.Error("log of the retries: got nothing, want a line for each")
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("the redirect was followed")
	}))
	defer other.Close()
	server := sininhotest.New(t)
	server.Respond(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL, http.StatusFound) })
	_, err := server.Client().Notifications.Publish(t.Context(), channel, sininho.PublishInput{Title: "Um"})
	errorContains(t, "publish that is redirected", err, other.URL)
}

func TestResponsesAreBounded(t *testing.T) {
	spy := roundTripper(func(r *http.Request) (*http.Response, error) {
		resp := respond(200, http.Header{"Content-Type": {"application/json"}}, "")
		resp.Body = io.NopCloser(endless{})
		return resp, nil
	})
	client, _ := sininho.New(sininho.WithHTTPClient(&http.Client{Transport: spy}))
	_, err := client.Auth.Get(t.Context())
	errorContains(t, "endless response", err, "bytes")
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestMiddlewareSeesEachAttempt(t *testing.T) {
	server := sininhotest.New(t)
	server.Respond(sininhotest.Cut)
	var order []string
	note := func(name string) sininho.Middleware {
		return func(next http.RoundTripper) http.RoundTripper {
			return roundTripper(func(r *http.Request) (*http.Response, error) {
				order = append(order, name)
				return next.RoundTrip(r)
			})
		}
	}
	client := server.Client(sininho.WithMiddleware(note("outer"), note("inner")))
	if _, err := client.Auth.Get(t.Context()); err != nil {
		t.Fatalf("get the caller: %v", err)
	}
	equal(t, "order of the middleware", strings.Join(order, " "), "outer inner outer inner")
}

func TestErrorKeepsRequestIDOfAProxy(t *testing.T) {
	server := sininhotest.New(t)
	server.Respond(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Request-Id", "proxy-1")
		http.Error(w, "<html>", http.StatusBadGateway)
	})
	_, err := server.Client(sininho.WithRetries(0)).Auth.Get(t.Context())
	equal(t, "text of the error", fmt.Sprint(err), "sininho: GET /api/v1/auth: 502: Bad Gateway [request proxy-1]")
}
