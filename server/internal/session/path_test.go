package session

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/internal/check"
	"github.com/sininho/sininho/server/internal/core"
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

func TestProfile(t *testing.T) {
	const email = "ana@example.com"
	for _, c := range []struct {
		in   userInfo
		want core.Profile
	}{
		{
			userInfo{Email: email, EmailVerified: "true", Name: " A\x00n\u202ea\u200f ", Picture: "http://a/b"},
			core.Profile{Subject: "1", Email: email, Name: "Ana", Locale: "pt"},
		},
		{
			userInfo{Email: email, EmailVerified: true, Picture: "https://a/b", Locale: "en"},
			core.Profile{Subject: "1", Email: email, Name: "ana", Avatar: "https://a/b", Locale: "en"},
		},
	} {
		c.in.Subject = "1"
		got, err := c.in.profile()
		if err != nil {
			t.Fatalf("profile of %+v: %v", c.in, err)
		}
		check.Equal(t, fmt.Sprintf("profile of %+v", c.in), got, c.want)
	}
	for _, u := range []userInfo{
		{Subject: "1", Email: "ana@example.com"},
		{Subject: "1", Email: "ana@example.com", EmailVerified: "false"},
		{Email: "ana@example.com", EmailVerified: true},
		{Subject: "1", EmailVerified: true},
		{Subject: "1", Email: "ana\n@example.com", EmailVerified: true},
	} {
		if _, err := u.profile(); err == nil {
			t.Errorf("profile of %+v: got no error", u)
		}
	}
}
