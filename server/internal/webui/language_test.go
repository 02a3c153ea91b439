package webui

import (
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sininho/sininho/server/lab/check"
)

// TestLanguages asks for pages and files with what a browser prefers and what a person has chosen.
func TestLanguages(t *testing.T) {
	files := withHead()
	for _, language := range []string{"pt-BR", "en"} {
		index := strings.ReplaceAll(string(files["index.html"].Data), "pt-PT", language)
		files["index."+language+".html"] = &fstest.MapFile{Data: []byte(index)}
		files["sw."+language+".js"] = &fstest.MapFile{Data: []byte("/* worker " + language + " */")}
	}
	handler := newHandler(siteConfig(newSite()), files)
	tests := []struct{ prefers, chosen, want, title, locale, worker string }{
		{"", "", "pt-PT", "Canais", "pt_PT", "/* worker */"},
		{"pt", "", "pt-PT", "Canais", "pt_PT", "/* worker */"},
		{"fr", "", "pt-PT", "Canais", "pt_PT", "/* worker */"},
		{"pt-BR,pt;q=0.9,en;q=0.8", "", "pt-BR", "Canais", "pt_BR", "/* worker pt-BR */"},
		{"en-US,en;q=0.9", "", "en", "Channels", "en_US", "/* worker en */"},
		{"en-US,en;q=0.9", "pt-PT", "pt-PT", "Canais", "pt_PT", "/* worker */"},
		{"pt-PT", "en", "en", "Channels", "en_US", "/* worker en */"},
		{"en", "xx", "en", "Channels", "en_US", "/* worker en */"},
		{"en", "../x", "en", "Channels", "en_US", "/* worker en */"},
	}
	for _, tt := range tests {
		t.Run(tt.prefers+" "+tt.chosen, func(t *testing.T) {
			ask := func(path string) (string, http.Header) {
				t.Helper()
				w := get(t, handler, path, "Accept-Language", tt.prefers, "Cookie", languageCookie+"="+tt.chosen)
				return w.Body.String(), w.Header()
			}
			page, header := ask("/channels")
			if !strings.Contains(page, `<html lang="`+tt.want+`">`) {
				t.Errorf("page: got %s, want it in %s", page, tt.want)
			}
			head := readHead(t, page)
			check.Equal(t, "title", head["title"], tt.title+" · Sininho")
			check.Equal(t, "locale", head["og:locale"], tt.locale)
			check.Equal(t, "Vary of a page", header.Values("Vary"), []string{byLanguage, "Accept-Encoding"})
			channel, _ := ask("/channels/metro/linhas")
			check.Equal(t, "locale of a channel", readHead(t, channel)["og:locale"], tt.locale)
			worker, header := ask("/sw.js")
			check.Equal(t, "worker", worker, tt.worker)
			check.Equal(t, "Vary of the worker", header.Values("Vary"), []string{byLanguage})
			_, header = ask("/manifest.webmanifest")
			check.Equal(t, "Vary of a file without words", len(header.Values("Vary")), 0)
		})
	}
}
