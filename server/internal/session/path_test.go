package session

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/lab/check"
)

func TestSafePath(t *testing.T) {
	for path, want := range map[string]string{
		"":                              "/",
		"/":                             "/",
		"/feed":                         "/feed",
		"/channels/a/b?x=1#y":           "/channels/a/b?x=1#y",
		"/login?redirect=%2Ffeed":       "/login?redirect=%2Ffeed",
		"feed":                          "/",
		"//evil.example":                "/",
		`/\evil.example`:                "/",
		`/feed\..`:                      "/",
		"/\t/evil.example":              "/",
		"/feed\r\nSet-Cookie: a=b":      "/",
		"https://evil.example/":         "/",
		"javascript:alert(1)":           "/",
		"/feed\x00":                     "/",
		"/feed\x7f":                     "/",
		"/caf\u00e9":                    "/",
		"/%zz":                          "/",
		"/" + strings.Repeat("a", 5000): "/",
	} {
		check.Equal(t, fmt.Sprintf("safePath(%q)", path), safePath(path), want)
	}
}

func TestLanding(t *testing.T) {
	for _, c := range []struct {
		path      string
		onboarded bool
		want      string
	}{
		{"/", true, "/"}, {"/feed", true, "/feed"}, {"/", false, "/onboarding"}, {"/feed", false, "/onboarding"},
		{"/channels/a/b", false, "/channels/a/b"},
	} {
		check.Equal(t, fmt.Sprintf("landing(%q, %v)", c.path, c.onboarded), landing(c.path, c.onboarded), c.want)
	}
}

func TestFailure(t *testing.T) {
	for path, want := range map[string]string{
		"/":                         "/login?error=state",
		"/channels/a/b":             "/login?error=state&redirect=%2Fchannels%2Fa%2Fb",
		"/login?redirect=%2Fme%3Fa": "/login?error=state&redirect=%2Fme%3Fa",
		"/login?error=denied":       "/login?error=state",
	} {
		check.Equal(t, fmt.Sprintf("failure(%q)", path), failure(failedState, path, ""), want)
	}
}
