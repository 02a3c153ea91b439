package servertest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

var htmlLanguage = regexp.MustCompile(`<html lang="([^"]*)">`)

// languageOf returns the language that an email says it is in, with its subject without a code.
func languageOf(e servertest.Email) string {
	lang := htmlLanguage.FindStringSubmatch(e.HTML)
	if lang == nil {
		return "no language"
	}
	return lang[1] + " " + strings.TrimLeft(e.Subject, "0123456789 ")
}

// TestLanguageOfEmailedCodes asks for codes as a stranger, and as a person whose account has a language.
func TestLanguageOfEmailedCodes(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	known := s.SignIn(t, "known@example.com")
	known.Do(http.MethodPatch, "/subscribers/me", object{"locale": "en-GB"}, http.StatusOK, nil)
	for i, c := range []struct{ email, header, want string }{
		{"a%d@example.com", "en-US,en;q=0.9", "en is your Sininho code"},
		{"a%d@example.com", "pt-BR,pt;q=0.9,en;q=0.8", "pt-BR é o seu código do Sininho"},
		{"a%d@example.com", "pt-PT,pt;q=0.9", "pt-PT é o seu código do Sininho"},
		{"a%d@example.com", "", "pt-PT é o seu código do Sininho"},
		{"known@example.com", "pt-BR", "en is your Sininho code"},
	} {
		email := c.email
		if strings.Contains(email, "%") {
			email = fmt.Sprintf(email, i)
		}
		b := newStranger(t, s)
		b.language = c.header
		check.Equal(t, "status of asking for a code", b.post("/auth/email", object{"email": email}).status,
			http.StatusNoContent)
		check.Equal(t, "email to "+email+" with Accept-Language: "+c.header, languageOf(s.Mail(t, email, 0)), c.want)
	}
	known.Do(http.MethodPost, "/subscribers/identities", object{"kind": "email", "email": "second@example.com"},
		http.StatusOK, nil)
	check.Equal(t, "email to an address that a person adds", languageOf(s.Mail(t, "second@example.com", 0)),
		"en confirms your address on Sininho")
}

// TestLocaleOfNewAccounts expects that of the browser, unless the provider reports one, and that it stays.
func TestLocaleOfNewAccounts(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	var last int64
	for _, c := range []struct{ header, want string }{{"pt-BR,pt;q=0.9", "pt-BR"}, {"en", "pt-BR"}} {
		b := newStranger(t, s)
		b.language = c.header
		b.post("/auth/email", object{"email": "bia@example.com"})
		email := s.Mail(t, "bia@example.com", last)
		last = email.Seq
		_, code, _ := strings.Cut(email.Link(), "#")
		check.Equal(t, "status of the code", b.post("/auth/email/code", object{"code": code}).status, http.StatusOK)
		check.Equal(t, "locale after signing in with Accept-Language: "+c.header, b.locale(), c.want)
	}
	var me struct{ Locale string }
	s.SignIn(t, "ana@example.com").Do(http.MethodGet, "/subscribers/me", nil, http.StatusOK, &me)
	check.Equal(t, "locale that the provider reports", me.Locale, "pt")
}

// locale returns the locale of the person who has signed in in the browser.
func (b *stranger) locale() string {
	b.t.Helper()
	req, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, b.s.URL+"/api/v1/subscribers/me", nil)
	if err != nil {
		b.t.Fatalf("make a request: %v", err)
	}
	for _, c := range b.cookies() {
		req.AddCookie(c)
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		b.t.Fatalf("GET /subscribers/me: %v", err)
	}
	defer func() { _ = res.Body.Close() }()
	var me struct{ Locale string }
	if err := json.NewDecoder(res.Body).Decode(&me); err != nil || res.StatusCode != http.StatusOK {
		b.t.Fatalf("GET /subscribers/me: got %s, %v", res.Status, err)
	}
	return me.Locale
}

// TestLanguageOfMembershipInvitations expects that of the invited person's account, or else that of the inviter's.
func TestLanguageOfMembershipInvitations(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana, rui := s.SignIn(t, "ana@example.com"), s.SignIn(t, "rui@example.com")
	ana.Do(http.MethodPatch, "/subscribers/me", object{"locale": "pt-BR"}, http.StatusOK, nil)
	rui.Do(http.MethodPatch, "/subscribers/me", object{"locale": "en"}, http.StatusOK, nil)
	ana.Do(http.MethodPost, "/publishers", object{"slug": "eletrico", "name": "Elétrico"}, http.StatusCreated, nil)
	for email, want := range map[string]string{
		"rui@example.com":    "en Invitation to join “eletrico” on Sininho",
		"nobody@example.com": "pt-BR Convite para participar de “eletrico” no Sininho",
	} {
		ana.Do(http.MethodPost, invitations, object{"email": email, "role": "editor"}, http.StatusCreated, nil)
		check.Equal(t, "invitation of "+email, languageOf(s.Mail(t, email, 0)), want)
	}
}

// TestLanguageOfTheWaitingList expects that of the form, of the browser, of the operator or of the account.
func TestLanguageOfTheWaitingList(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	operator, known := s.SignIn(t, servertest.Operator), s.SignIn(t, "known@example.com")
	operator.Do(http.MethodPatch, "/subscribers/me", object{"locale": "en-IE"}, http.StatusOK, nil)
	known.Do(http.MethodPatch, "/subscribers/me", object{"locale": "pt-BR"}, http.StatusOK, nil)
	operator.Do(http.MethodPost, "/waitlist/invitations", object{"emails": []string{"guest@example.com"}},
		http.StatusOK, nil)
	check.Equal(t, "invitation by an operator", languageOf(s.Mail(t, "guest@example.com", 0)),
		"en Your invitation to Sininho")
	const english, brazilian, portuguese = "en Confirm your address for Sininho's waiting list",
		"pt-BR Confirme o seu endereço na lista de espera do Sininho",
		"pt-PT Confirme o seu endereço na lista de espera do Sininho"
	for email, c := range map[string]struct{ locale, header, want string }{
		"a@example.com":     {"en", "pt-BR", english},
		"b@example.com":     {"pt-BR", "en", brazilian},
		"c@example.com":     {"pt", "en", portuguese},
		"d@example.com":     {"pt-PT", "en", portuguese},
		"e@example.com":     {"", "pt-BR,pt;q=0.9", brazilian},
		"f@example.com":     {"", "en-GB", english},
		"g@example.com":     {"", "", portuguese},
		"known@example.com": {"en", "en", "pt-BR Você já tem uma conta no Sininho"},
	} {
		b, body := newStranger(t, s), object{"email": email}
		b.language = c.header
		if c.locale != "" {
			body["locale"] = c.locale
		}
		check.Equal(t, "status of joining", b.post("/waitlist/entries", body).status, http.StatusAccepted)
		what := fmt.Sprintf("email with the locale %q and Accept-Language: %s", c.locale, c.header)
		check.Equal(t, what, languageOf(s.Mail(t, email, 0)), c.want)
	}
	refused := newStranger(t, s).post("/waitlist/entries", object{"email": "h@example.com", "locale": "fr"})
	check.Equal(t, "status of joining in another language", refused.status, http.StatusUnprocessableEntity)
}
