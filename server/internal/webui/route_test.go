package webui

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/internal/check"
	"github.com/sininho/sininho/server/internal/core"
)

// TestRoutesAreThoseOfTheApp reads the routes that the app has.
func TestRoutesAreThoseOfTheApp(t *testing.T) {
	text := readApp(t, "src/gen/routeTree.ts")
	_, union, _ := strings.Cut(text, "\n  fullPaths:")
	union, _, _ = strings.Cut(union, "\n  fileRoutesByTo")
	parameter := regexp.MustCompile(`\$\w*`)
	known := map[string]bool{}
	for _, route := range regexp.MustCompile(`'(/[^']*)'`).FindAllStringSubmatch(union, -1) {
		name := strings.Trim(parameter.ReplaceAllString(route[1], "x"), "/")
		got, segments := routeOf(name)
		if got == unknown {
			t.Errorf("route %s of the app: got no kind of page; add it to route.go", route[1])
		}
		if len(segments) > 0 {
			known[segments[0]] = true
		}
		personal := strings.Contains(text, "'/_auth"+route[1]+"'")
		if personal && got != private {
			t.Errorf("route %s of signed-in people: got a page for everyone, want a private one", route[1])
		}
	}
	for _, first := range append([]string{"channels", "demo", "privacy", "terms"}, privatePaths...) {
		if !known[first] {
			t.Errorf("/%s in route.go: the app has no such route", first)
		}
	}
}

// TestTextsAreThoseOfTheApp looks for the titles and descriptions in the texts of the app, in each language.
func TestTextsAreThoseOfTheApp(t *testing.T) {
	for _, l := range languages {
		t.Run(string(l), func(t *testing.T) {
			folder := "src/i18n/" + string(l) + "/"
			if l == core.Portuguese {
				folder = "src/i18n/"
			}
			words := readApp(t, folder+"words.ts") + readApp(t, folder+"demo.ts") + readApp(t, folder+"login.ts")
			texts := in(l)
			for _, head := range []head{texts.general, texts.fixed[landing], texts.fixed[demonstration],
				texts.fixed[signIn], texts.nothing, texts.lost} {
				for _, text := range []string{head.Title, head.Description} {
					if !strings.Contains(words, text) {
						t.Errorf("%q: the app has no such text", text)
					}
				}
			}
			for kind, name := range policies {
				title, words := texts.fixed[kind].Title, readApp(t, folder+"policies.ts")
				if !strings.Contains(words, name+": '"+title+"'") {
					t.Errorf("%q: the app has no such title for /%s", title, name)
				}
			}
			if title := texts.fixed[discovery].Title; !strings.Contains(words, "title: '"+title+"'") {
				t.Errorf("%q: the app has no such title", title)
			}
		})
	}
}

func TestIndexHasAPlaceForTheHead(t *testing.T) {
	index := newFile("index.html", []byte(readApp(t, "index.html")))
	page := string(newShell(index).with([]byte("<title>T</title>")).plain)
	check.Equal(t, "title", readHead(t, page)["title"], "T")
	if strings.Contains(page, headBegins) || strings.Contains(page, headEnds) {
		t.Errorf("page: got %s, want it without marks", page)
	}
}

func readApp(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile("../../../webapp/" + name)
	if err != nil {
		t.Fatalf("read a file of the app: %v", err)
	}
	return string(content)
}
