package main

import (
	"bytes"
	"context"
	"crypto/ecdh"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/push"
	"github.com/sininho/sininho/server/internal/push/webpush"
)

// webPushes are the measurements of pushing by the push services of browsers: what a push costs beside a bare request.
func (w *world) webPushes() []*measurement {
	return []*measurement{
		{name: "web push", limit: bareWebPushes, ours: ourWebPushes, rows: []*Row{
			{What: "web pushes, encrypted and signed, to bare HTTP/2 requests", Figure: "rate", Unit: "/s", Bar: atLeast(0.3)},
		}},
		{name: "web push, encryption", ours: sealing, rows: []*Row{
			{What: "encrypting a web push, one processor", Figure: "time", Unit: "µs", Bar: within(250)},
		}},
	}
}

const pushesInFlight = 167 // as many as one batch of a dispatch

// newPushService returns a push service that accepts everything over TLS and HTTP/2, and the client's configuration.
func newPushService() (s *httptest.Server, trusting *tls.Config) {
	s = httptest.NewUnstartedServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		rw.WriteHeader(http.StatusCreated)
	}))
	s.EnableHTTP2 = true
	s.StartTLS()
	return s, s.Client().Transport.(*http.Transport).TLSClientConfig //nolint:forcetypeassert // always this type
}

// bareWebPushes is the limit: a client that only sends as many bytes.
func bareWebPushes(ctx context.Context, length time.Duration) (figures, error) {
	s, trusting := newPushService()
	defer s.Close()
	t := &http.Transport{TLSClientConfig: trusting.Clone(), ForceAttemptHTTP2: true, MaxConnsPerHost: 32}
	defer t.CloseIdleConnections()
	body := make([]byte, 500)
	return load(ctx, pushesInFlight, length, func(context.Context, int) (client, error) {
		return client{close: func() {}, do: func(ctx context.Context) error {
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+"/push/1", bytes.NewReader(body))
			if err != nil {
				return err
			}
			res, err := t.RoundTrip(req)
			if err != nil {
				return err
			}
			defer res.Body.Close()
			if res.StatusCode != http.StatusCreated {
				return fmt.Errorf("send: %s", res.Status)
			}
			return nil
		}}, nil
	})
}

// ourWebPushes sends one push to many browsers.
func ourWebPushes(ctx context.Context, length time.Duration) (figures, error) {
	s, trusting := newPushService()
	defer s.Close()
	sender := webpush.New(webpush.Config{Key: webpush.NewKey(), Contact: "mailto:eva@example.com", App: s.URL,
		Rules: core.PushRules{Networks: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}, TLS: trusting.Clone(),
		Timeout: sendPatience})
	defer sender.Close()
	keys, err := browserKeys()
	if err != nil {
		return nil, err
	}
	p := webPush()
	for range establishedBy {
		to := core.PushAddress{Kind: core.KindWebPush, Address: s.URL + "/push/0", Keys: keys, Owner: core.NewID()}
		if r := sender.Send(ctx, p, to); r.Outcome != core.Accepted {
			return nil, errors.Join(errors.New("send: "+r.Cause), r.Err)
		}
	}
	var n atomic.Int64
	return load(ctx, pushesInFlight, length, func(context.Context, int) (client, error) {
		return client{close: func() {}, do: func(ctx context.Context) error {
			to := core.PushAddress{Kind: core.KindWebPush, Address: fmt.Sprint(s.URL, "/push/", n.Add(1)), Keys: keys,
				Owner: core.NewID()}
			if r := sender.Send(ctx, p, to); r.Outcome != core.Accepted {
				return errors.Join(errors.New("send: "+r.Cause), r.Err)
			}
			return nil
		}}, nil
	})
}

// establishedBy is how many people's devices accept a push before a push service gets many at once.
const establishedBy = 3

const sendPatience = 30 * time.Second

func webPush() core.Push {
	return core.Push{ID: core.NewID().String(), Title: messageTitle, Body: messageBody, Channel: "medidas/todos",
		Expires: time.Now().Add(core.PushLife)}
}

func browserKeys() (core.PushKeys, error) {
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return core.PushKeys{}, err
	}
	return core.PushKeys{P256dh: key.PublicKey().Bytes(), Auth: make([]byte, 16)}, nil
}

// sealing measures the encryption of one push.
func sealing(ctx context.Context, length time.Duration) (figures, error) {
	keys, err := browserKeys()
	if err != nil {
		return nil, err
	}
	text, n, began := make([]byte, 400), 0, time.Now()
	for ; time.Since(began) < length && ctx.Err() == nil; n++ {
		if _, err := push.Seal(keys, text, 2_744); err != nil {
			return nil, err
		}
	}
	return figures{"time": float64(time.Since(began).Microseconds()) / float64(max(1, n))}, nil
}
