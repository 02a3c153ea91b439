//go:build go1.26

package sininho_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/sininho/sininhotest"
)

func TestExportHasNoBound(t *testing.T) {
	const token = "sna_live_segredo"
	server := sininhotest.New(t)
	client := server.Client(sininho.WithAccessToken(token))
	var export bytes.Buffer
	server.Respond(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for range 40 {
			_, _ = w.Write(bytes.Repeat([]byte(" "), 1<<20))
		}
	})
	if err := client.Me.Export(t.Context(), &export); err != nil {
		t.Errorf("export: %v", err)
	}
	equal(t, "bytes of the export", export.Len(), 40<<20)
	server.Respond(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", "10")
		_, _ = w.Write([]byte("{"))
	}, sininhotest.Refuse(500, "internal", 0))
	if err := client.Me.Export(t.Context(), &export); err == nil {
		t.Error("incomplete export: got no error, want one")
	}
	err := client.Me.Export(t.Context(), &export)
	if err == nil {
		t.Fatal("refused export: got no error, want one")
	}
	if strings.Contains(err.Error(), token) {
		t.Errorf("refused export: the error %q contains the access token", err)
	}
}

// tokenWaits runs Wait against scripted responses under a fake clock and returns when each request was sent.
//
// A script has one word per response: a problem's code, "away" or "good". The last response repeats.
func tokenWaits(t *testing.T, ctx context.Context, script string) (at []time.Duration, err error) {
	t.Helper()
	start := time.Now()
	words := strings.Fields(script)
	spy := roundTripper(func(r *http.Request) (*http.Response, error) {
		at = append(at, time.Since(start))
		word := words[min(len(at), len(words))-1]
		if word == "away" {
			return nil, errors.New("refused")
		}
		resp := respond(400, http.Header{"Content-Type": {"application/problem+json"}},
			`{"type":"about:blank","title":"x","status":400,"code":"`+word+`","requestId":"r"}`)
		if word == "good" {
			resp = respond(200, http.Header{"Content-Type": {"application/json"}}, `{"accessToken":{},"subscriber":{}}`)
		}
		resp.Request = r
		return resp, nil
	})
	client, newErr := sininho.New(sininho.WithHTTPClient(&http.Client{Transport: spy}), sininho.WithRetries(0))
	if newErr != nil {
		t.Fatalf("new client: %v", newErr)
	}
	_, err = client.DeviceSignIn.Wait(ctx, &sininho.DeviceSignIn{DeviceCode: "x", ExpiresIn: 900, Interval: 5})
	return at, err
}

func TestWaitKeepsToTheServersInterval(t *testing.T) {
	for name, test := range map[string]struct{ script, want, code string }{
		"confirmed": {"authorization_pending slow_down authorization_pending good", "[5s 10s 20s 30s]", ""},
		"away":      {"away away good", "[5s 15s 35s]", ""},
		"refused":   {"access_denied", "[5s]", sininho.CodeAccessDenied},
		"over":      {"authorization_pending expired_token", "[5s 10s]", sininho.CodeExpiredToken},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				at, err := tokenWaits(t, t.Context(), test.script)
				code := ""
				var refused *sininho.Error
				if errors.As(err, &refused) {
					code = refused.Code
				} else if err != nil {
					t.Errorf("wait: %v", err)
				}
				equal(t, "code of the error", code, test.code)
				equal(t, "times of the requests", fmt.Sprint(at), test.want)
			})
		})
	}
}

func TestWaitEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 7*time.Second)
		defer cancel()
		start := time.Now()
		_, err := tokenWaits(t, ctx, "authorization_pending")
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("wait beyond the deadline: got the error %v, want %v", err, context.DeadlineExceeded)
		}
		equal(t, "duration of the wait", time.Since(start), 7*time.Second)
	})
	synctest.Test(t, func(t *testing.T) {
		at, err := tokenWaits(t, t.Context(), "away")
		if !errors.Is(err, sininho.ErrUnreachable) {
			t.Errorf("wait for a server that is away: got the error %v, want %v", err, sininho.ErrUnreachable)
		}
		if last := at[len(at)-1]; last > 17*time.Minute {
			t.Errorf("last request: got %v after the start, want at most 17m", last)
		}
	})
}

func TestWhatBecomesPartOfAPathIsChecked(t *testing.T) {
	server := sininhotest.New(t)
	client := server.Client()
	ctx := t.Context()
	_, get := client.Publishers.Get(ctx, "../me")
	_, item := client.Webhooks.Get(ctx, channel, "../x")
	for name, err := range map[string]error{
		"publisher ../me": get, "webhook ../x": item, "API key x": client.APIKeys.Revoke(ctx, "demo", "x"),
		"empty publisher": client.Publishers.Delete(ctx, ""), "channel x": client.Subscriptions.Unfollow(ctx, "x"),
		"publisher a/b": lastError(client.Members.List(ctx, "a/b")),
		"publisher A":   lastError(client.APIKeys.List(ctx, "A")),
	} {
		if !errors.Is(err, sininho.ErrInvalid) {
			t.Errorf("%s: got the error %v, want %v", name, err, sininho.ErrInvalid)
		}
	}
	equal(t, "requests sent", len(server.Requests()), 0)
}
