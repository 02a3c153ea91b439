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
	if err := client.Me.Export(t.Context(), &export); err != nil || export.Len() != 40<<20 {
		t.Errorf("%d bytes, %v", export.Len(), err)
	}
	server.Respond(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", "10")
		_, _ = w.Write([]byte("{"))
	}, sininhotest.Refuse(500, "internal", 0))
	if err := client.Me.Export(t.Context(), &export); err == nil {
		t.Error("half an export passes for one")
	}
	if err := client.Me.Export(t.Context(), &export); err == nil || strings.Contains(err.Error(), token) {
		t.Errorf("refused: %v", err)
	}
}

// tokenWaits runs Wait against scripted responses under a fake clock and returns when each request was sent.
//
// A script has one word per response: a problem's code, "away" or "good". The last response repeats.
func tokenWaits(t *testing.T, ctx context.Context, script string) (at []time.Duration, err error) {
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
		t.Fatal(newErr)
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
				var refused *sininho.Error
				if errors.As(err, &refused) != (test.code != "") || (refused != nil && refused.Code != test.code) {
					t.Errorf("err = %v", err)
				}
				if fmt.Sprint(at) != test.want {
					t.Errorf("asked at %v, want %s", at, test.want)
				}
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
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 7*time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
	synctest.Test(t, func(t *testing.T) {
		at, err := tokenWaits(t, t.Context(), "away")
		if !errors.Is(err, sininho.ErrUnreachable) || at[len(at)-1] > 17*time.Minute {
			t.Errorf("%v at %v", err, at)
		}
	})
}

func TestWhatBecomesPartOfAPathIsChecked(t *testing.T) {
	server := sininhotest.New(t)
	client := server.Client()
	ctx := t.Context()
	_, get := client.Publishers.Get(ctx, "../me")
	_, item := client.Webhooks.Get(ctx, channel, "../x")
	for _, err := range []error{
		get, item, client.APIKeys.Revoke(ctx, "demo", "x"), client.Publishers.Delete(ctx, ""),
		client.Subscriptions.Unfollow(ctx, "x"), lastError(client.Members.List(ctx, "a/b")), lastError(client.APIKeys.List(ctx, "A")),
	} {
		if !errors.Is(err, sininho.ErrInvalid) {
			t.Errorf("err = %v", err)
		}
	}
	if n := len(server.Requests()); n != 0 {
		t.Errorf("%d requests", n)
	}
}
