package sininho_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/sininho/sininhotest"
)

// limited adds the headers of a rate limit to responses.
type limited struct{ next http.RoundTripper }

func (l limited) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := l.next.RoundTrip(r)
	if err == nil {
		resp.Header.Set("RateLimit-Policy", `"publishes";q=60;w=30`)
		resp.Header.Set("RateLimit", `"publishes";r=59;t=1`)
	}
	return resp, err
}

func TestRateLimitOfAResponse(t *testing.T) {
	t.Parallel()
	server := sininhotest.New(t)
	client := server.Client(sininho.WithAPIKey(server.Channel("metro/avisos")),
		sininho.WithMiddleware(func(next http.RoundTripper) http.RoundTripper { return limited{next} }))
	var limit sininho.RateLimit
	ctx := sininho.WithRateLimit(t.Context(), &limit)
	if _, err := client.Notifications.Publish(ctx, "metro/avisos", sininho.PublishInput{Title: "a"}); err != nil {
		t.Fatalf("publish: %v", err)
	}
	equal(t, "limit", limit, sininho.RateLimit{Name: "publishes", Limit: 60, Remaining: 59, Window: 30 * time.Second,
		Reset: time.Second})
}
