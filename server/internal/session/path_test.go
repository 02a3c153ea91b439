package session

import (
	"strings"
	"testing"
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
		if got := safePath(path); got != want {
			t.Errorf("safePath(%q) = %q, want %q", path, got, want)
		}
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
		if got := landing(c.path, c.onboarded); got != c.want {
			t.Errorf("landing(%q, %v) = %q, want %q", c.path, c.onboarded, got, c.want)
		}
	}
}

func TestFailure(t *testing.T) {
	for path, want := range map[string]string{
		"/":                         "/login?error=state",
		"/channels/a/b":             "/login?error=state&redirect=%2Fchannels%2Fa%2Fb",
		"/login?redirect=%2Fme%3Fa": "/login?error=state&redirect=%2Fme%3Fa",
		"/login?error=denied":       "/login?error=state",
	} {
		if got := failure(failedState, path, ""); got != want {
			t.Errorf("failure(%q) = %q, want %q", path, got, want)
		}
	}
}

func TestProfile(t *testing.T) {
	p, err := userInfo{Subject: "1", Email: "ana@example.com", EmailVerified: "true", Name: " A\x00n\u202ea\u200f ", Picture: "http://a/b"}.profile()
	if err != nil || p.Name != "Ana" || p.Avatar != "" || p.Locale != "pt" {
		t.Errorf("%+v, %v", p, err)
	}
	p, err = userInfo{Subject: "1", Email: "ana@example.com", EmailVerified: true, Picture: "https://a/b", Locale: "en"}.profile()
	if err != nil || p.Name != "ana" || p.Avatar != "https://a/b" || p.Locale != "en" {
		t.Errorf("%+v, %v", p, err)
	}
	for _, u := range []userInfo{
		{Subject: "1", Email: "ana@example.com"},
		{Subject: "1", Email: "ana@example.com", EmailVerified: "false"},
		{Email: "ana@example.com", EmailVerified: true},
		{Subject: "1", EmailVerified: true},
		{Subject: "1", Email: "ana\n@example.com", EmailVerified: true},
	} {
		if _, err := u.profile(); err == nil {
			t.Errorf("%+v was let in", u)
		}
	}
}
