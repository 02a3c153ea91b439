package server

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/sininho/sininho/server/lab/check"
)

func TestSecurityTxt(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 30, 0, 0, time.UTC)
	for what, test := range map[string]struct {
		installation Installation
		want         string // empty: not found
	}{
		"nobody to contact":        {Installation{}, ""},
		"a support page over http": {Installation{SupportURL: "http://example.com/help"}, ""},
		"a support page":           {Installation{SupportURL: "https://example.com/help"}, "https://example.com/help"},
		"an address for support":   {Installation{SupportURL: "mailto:help@example.com"}, "mailto:help@example.com"},
		"both": {Installation{SupportURL: "https://x.example", SecurityContact: "mailto:s@x.example"},
			"mailto:s@x.example"},
	} {
		config := Config{Installation: test.installation}
		config.PublicURL = "https://sininho.example"
		rec := httptest.NewRecorder()
		handler := config.securityTxt(func() time.Time { return now })
		handler.ServeHTTP(rec, httptest.NewRequest("GET", securityPath, nil))
		if test.want == "" {
			check.Equal(t, "status with "+what, rec.Code, 404)
			continue
		}
		check.Equal(t, "body with "+what, rec.Body.String(), "Contact: "+test.want+`
Expires: 2026-05-30T00:00:00Z
Preferred-Languages: pt, en
Canonical: https://sininho.example/.well-known/security.txt
`)
		check.Equal(t, "content type with "+what, rec.Header().Get("Content-Type"), "text/plain; charset=utf-8")
	}
}
