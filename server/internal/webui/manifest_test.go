package webui

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sininho/sininho/server/lab/check"
)

func TestTheManifestBeginsWhereItShould(t *testing.T) {
	dist := fstest.MapFS{manifestName: {Data: []byte(`{"id":"/","name":"Sininho","start_url":"/feed"}`)}}
	h := newHandler(Config{}, dist)
	for query, want := range map[string]string{
		"":                      "/feed",
		"?receive=metro/linhas": "/channels/metro/linhas?receive=true",
		"?channels=metro/linhas,p/a&language=en&text=large&x=y": "/start?channels=metro%2Flinhas%2Cp%2Fa&language=en&text=large",
		"?channels=metro/linhas&language=xx&text=huge":          "/start?channels=metro%2Flinhas",
		"?channels=metro/linhas,//evil.example":                 "/feed",
		"?channels=" + strings.Repeat("a/b,", 10) + "a/b":       "/feed",
		"?receive=metro":                  "/feed",
		"?receive=//evil.example/x":       "/feed",
		"?receive=metro/../../evil":       "/feed",
		"?receive=https:%2f%2fevil%2fa/b": "/feed",
	} {
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, httptest.NewRequest("GET", "/"+manifestName+query, nil))
		var got struct {
			ID, Name string
			Start    string `json:"start_url"`
		}
		if err := json.Unmarshal(rec.Body.Bytes(), &got); err != nil {
			t.Fatalf("manifest with %q: %v", query, err)
		}
		check.Equal(t, "start of the manifest with "+query, got.Start, want)
		check.Equal(t, "the app of the manifest with "+query, got.ID+got.Name, "/Sininho")
		check.Equal(t, "type of the manifest with "+query, rec.Header().Get("Content-Type"), "application/manifest+json")
	}
}
