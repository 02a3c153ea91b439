package webui

import (
	"io"
	"os"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

// TestKindsAreThoseOfTheApp expects a public kind only of routes that the app shows to everyone.
func TestKindsAreThoseOfTheApp(t *testing.T) {
	tree := readApp(t, "src/gen/routeTree.ts")
	known := map[string]bool{}
	for _, r := range routes {
		known[r.path] = true
		own := "'/_auth" + r.path
		personal := strings.Contains(tree, own+"'") || strings.Contains(tree, own+"/$'")
		if personal && kindOf(r) != private {
			t.Errorf("route %s of signed-in people: got a page for everyone, want a private one", r.path)
		}
	}
	for path := range kinds {
		if !known[path] {
			t.Errorf("kind of %s: the app has no such route", path)
		}
	}
}

// TestRouteOf matches as the app does: it ignores the case of fixed segments alone, and an escaped slash separates
// nothing.
func TestRouteOf(t *testing.T) {
	for path, want := range map[string]kind{
		"/": landing, "": landing, "/feed": private, "/feed/": private, "/Feed": private, "/%66eed": private,
		"/feed/x": unknown, "/feed/x/": unknown, "/feed%2Fx": unknown, "/feed%20": unknown, "/feed%00": unknown,
		"/feeds": unknown, "/fee": unknown,
		"/settings": private, "/settings/devices": private, "/SETTINGS/devices": private,
		"/settings/Devices": unknown, "/settings/zzz": unknown, "/settings/devices/x": unknown,
		"/settings%2Fdevices": unknown, "/settings/devices%2F": unknown, "/settings/$section": unknown,
		"/admin": private, "/admin/reports": private, "/admin/reports/1": unknown, "/admin/zzz": unknown,
		"/onboarding": private, "/onboarding/x": unknown, "/invitations": private, "/invitations/1": unknown,
		"/join": joining, "/join/x": unknown,
		"/login": signIn, "/login/code": private, "/login/operator": private, "/login/device": private, "/login/x": unknown, "/login_/code": unknown,
		"/waitlist": unknown, "/waitlist/": unknown, "/waitlist/swt_x": waitingList, "/waitlist/swt_x/y": unknown,
		"/_auth/feed": unknown, "/channels": discovery, "/channels/a": publisherPage, "/channels/a/b": channelPage,
		"/channels/a%2Fb": publisherPage, "/channels%2Fa": unknown, "/channels/a/b/c": notificationPage,
		"/channels/a/b/c/d": unknown, "/demo": demonstration, "/demo/x": unknown, "/publicar": guide,
		"/publicar/x": unknown, "/privacy": privacy, "/terms": terms,
		"/terms/x": unknown, "/n/1": unknown, "/index": unknown,
	} {
		if got, _ := routeOf(path); got != want {
			t.Errorf("kind of %q: got %d, want %d", path, got, want)
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
			words := readApp(t, folder+"words.ts") + readApp(t, folder+"demo.ts") + readApp(t, folder+"login.ts") +
				readApp(t, folder+"join.ts") + readApp(t, folder+"guide.ts")
			texts := in(l)
			for _, head := range []head{texts.general, texts.fixed[landing], texts.fixed[demonstration],
				texts.fixed[guide], texts.fixed[signIn], texts.nothing, texts.lost} {
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
			for _, kind := range []kind{discovery, joining} {
				if title := texts.fixed[kind].Title; !strings.Contains(words, "title: '"+title+"'") {
					t.Errorf("%q: the app has no such title", title)
				}
			}
		})
	}
}

func TestIndexHasAPlaceForTheHead(t *testing.T) {
	index := newFile("index.html", inMemory([]byte(readApp(t, "index.html"))))
	shown, err := io.ReadAll(newShell(index).with([]byte("<title>T</title>")).plain())
	if err != nil {
		t.Fatal(err)
	}
	page := string(shown)
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
