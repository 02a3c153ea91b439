package fcm_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/sininho/sininho/server/lab/standin/fcm"
)

const benchHead = `{"message":{"data":{"channel":"0198c9a1-9d1c-7b6e-8d7c-3f2b1a0c9d8e","id":"0198c9a1-9d1c-7b6e-8d7c-3f2b1a0c9d8f","link":"https://example.com/a"},` +
	`"notification":{"title":"Manutenção programada","body":"O serviço ficará indisponível das 2h às 3h de domingo. Planeje-se.","image":"https://example.com/i.png"},` +
	`"webpush":{"headers":{"TTL":"86400","Urgency":"normal"},"notification":{"icon":"https://example.com/c.png","tag":"0198c9a1-9d1c-7b6e-8d7c-3f2b1a0c9d8f"}},"token":"`

var benchToken = strings.Repeat("cAbCdEfGhIjKlMnOpQrStU", 6)

// BenchmarkSend measures messages:send over loopback, client included.
func BenchmarkSend(b *testing.B) {
	for _, version := range []string{"HTTP1", "HTTP2"} {
		b.Run(version, func(b *testing.B) {
			f := start(b, fcm.Config{})
			bearer, err := f.bearer(b, f.account())
			if err != nil {
				b.Fatalf("get an access token: %v", err)
			}
			p := new(http.Protocols)
			p.SetHTTP1(version == "HTTP1")
			p.SetUnencryptedHTTP2(version == "HTTP2")
			var n atomic.Int64
			b.SetParallelism(16)
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				tr := &http.Transport{Protocols: p}
				defer tr.CloseIdleConnections()
				for pb.Next() {
					body := benchHead + benchToken + fmt.Sprint(n.Add(1)) + `"}}`
					r, _ := http.NewRequestWithContext(b.Context(), http.MethodPost,
						f.url+"/v1/projects/sininho-test/messages:send", strings.NewReader(body))
					r.Header.Set("Authorization", bearer)
					res, err := tr.RoundTrip(r)
					if err != nil {
						b.Errorf("request: %v", err)
						return
					}
					_, _ = io.Copy(io.Discard, res.Body)
					if _ = res.Body.Close(); res.StatusCode != http.StatusOK {
						b.Errorf("send: got %s, want 200", res.Status)
						return
					}
				}
			})
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "sends/s")
		})
	}
}

// BenchmarkHandler measures the stand-in's share of BenchmarkSend.
func BenchmarkHandler(b *testing.B) {
	f := start(b, fcm.Config{})
	bearer, err := f.bearer(b, f.account())
	if err != nil {
		b.Fatalf("get an access token: %v", err)
	}
	h := f.Handler()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		r := httptest.NewRequest(http.MethodPost, "/v1/projects/sininho-test/messages:send",
			strings.NewReader(benchHead+benchToken+fmt.Sprint(i)+`"}}`))
		r.Header.Set("Authorization", bearer)
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != http.StatusOK {
			b.Fatalf("send: got status %d, want 200", w.Code)
		}
	}
}
