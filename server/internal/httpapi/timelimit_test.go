package httpapi

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sininho/sininho/server/internal/handler"
)

func TestRequestsHaveATimeLimit(t *testing.T) {
	for name, c := range map[string]struct {
		operation operation
		want      time.Duration
	}{
		"any operation":         {operation{id: "listChannels"}, requestTime},
		"an upload":             {operation{id: "uploadPicture", pictures: true}, uploadTime},
		"a stream":              {operation{id: "streamFeed", streams: true}, time.Hour},
		"a person's export":     {operation{id: "exportMe"}, time.Hour},
		"the waitlist's export": {operation{id: "exportWaitlist"}, time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				defer cancel()
				r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/", nil)
				r = r.WithContext(handler.WithRequest(ctx, &call{operation: &c.operation, request: r}))
				began := time.Now()
				limitTime(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
					<-r.Context().Done()
				})).ServeHTTP(httptest.NewRecorder(), r)
				if took := time.Since(began); took != c.want {
					t.Errorf("time until the request is ended: got %s, want %s", took, c.want)
				}
			})
		})
	}
}
