package session

import (
	"fmt"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

func TestProfile(t *testing.T) {
	const email = "ana@example.com"
	for _, c := range []struct {
		in   claims
		want core.Profile
	}{
		{
			claims{Email: email, EmailVerified: "true", Name: " A\x00n\u202ea\u200f ", Picture: "http://a/b"},
			core.Profile{Issuer: "i", Subject: "1", Email: email, Name: "Ana"},
		},
		{
			claims{Email: email, EmailVerified: true, Picture: "https://a/b", Locale: "en"},
			core.Profile{Issuer: "i", Subject: "1", Email: email, Name: "ana", Avatar: "https://a/b", Locale: "en"},
		},
		{
			claims{Email: email, EmailVerified: true, Locale: "pt_BR"},
			core.Profile{Issuer: "i", Subject: "1", Email: email, Name: "ana", Locale: "pt-BR"},
		},
		{
			claims{Email: email, EmailVerified: true, Locale: "Português"},
			core.Profile{Issuer: "i", Subject: "1", Email: email, Name: "ana"},
		},
	} {
		c.in.Subject = "1"
		got, err := c.in.profile("i", false)
		if err != nil {
			t.Fatalf("profile of %+v: %v", c.in, err)
		}
		check.Equal(t, fmt.Sprintf("profile of %+v", c.in), got, c.want)
	}
	for _, u := range []claims{
		{Subject: "1", Email: "ana@example.com"},
		{Subject: "1", Email: "ana@example.com", EmailVerified: "false"},
		{Email: "ana@example.com", EmailVerified: true},
		{Subject: "1", EmailVerified: true},
		{Subject: "1", Email: "ana\n@example.com", EmailVerified: true},
	} {
		if _, err := u.profile("i", false); err == nil {
			t.Errorf("profile of %+v: got no error", u)
		}
	}
}
