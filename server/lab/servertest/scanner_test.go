package servertest_test

import (
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/lab/check"
)

// scannerRules returns the documented patterns by which scanners find secrets, by their ids.
func scannerRules(t *testing.T) map[string]*regexp.Regexp {
	t.Helper()
	const rule = `\[\[rules\]\]\nid = "([a-z-]+)"\ndescription = "[^"\n]+"\nregex = '''(.+)'''\nkeywords = \[(.+)\]\n`
	file, err := os.ReadFile("../../../docs/security/gitleaks.toml")
	if err != nil {
		t.Fatalf("read the rules: %v", err)
	}
	rules := map[string]*regexp.Regexp{}
	for _, match := range regexp.MustCompile(rule).FindAllStringSubmatch(string(file), -1) {
		if rules[match[1]], err = regexp.Compile(match[2]); err != nil {
			t.Errorf("regex of %s: %v", match[1], err)
		}
	}
	check.Equal(t, "rules in the form that the test reads", len(rules), strings.Count(string(file), "[[rules]]"))
	return rules
}

// found returns which rules find what in a text.
func found(rules map[string]*regexp.Regexp, text string) map[string]string {
	all := map[string]string{}
	for id, rule := range rules {
		if match := rule.FindStringSubmatch(text); match != nil {
			all[id] = match[1]
		}
	}
	return all
}

// TestScannersFindSecrets has a server issue a secret of each kind, which exactly one rule finds where it would leak.
func TestScannersFindSecrets(t *testing.T) {
	t.Parallel()
	c, rules := newCanaries(t), scannerRules(t)
	c.operator.Do(http.MethodPost, "/waitlist/invitations", object{"emails": []string{"new@example.com"}}, 200, nil)
	invitation := tokenOf(c.Mail(t, "new@example.com", 0))
	secret := c.secrets
	tested := map[string]bool{}
	for _, leak := range []struct{ rule, secret, text string }{
		{"sininho-api-key", secret["API key"], "export SININHO_API_KEY=" + secret["API key"] + "\n"},
		{"sininho-access-token", secret["access token"], `{"token":"` + secret["access token"] + `"}`},
		{"sininho-feed-address", secret["feed address"], c.URL + "/feeds/" + secret["feed address"] + ".atom"},
		{"sininho-session", secret["session"], "Cookie: a=b; __Host-sininho=" + secret["session"] + "; c=d"},
		{"sininho-session", secret["session"], "Cookie: __Host-sininho=" + secret["session"]},
		{"sininho-webhook-address", secret["webhook address"], "curl " + c.webhook.URL + " -d '{}'"},
		{"sininho-signing-secret", secret["webhook secret"], "secret: " + secret["webhook secret"] + "\n"},
		{"sininho-signing-secret", secret["endpoint secret"], "'" + secret["endpoint secret"] + "'"},
		{"sininho-waitlist-token", secret["waitlist token"], c.URL + "/waitlist/" + secret["waitlist token"] + "?leave=true"},
		{"sininho-waitlist-token", invitation, c.URL + "/login?invitation=" + invitation},
		{"sininho-secret-key", secret["secret key"], "SECRET_KEY=" + secret["secret key"] + "\n"},
		{"sininho-secret-key", secret["secret key"], `  SECRET_KEY: "` + secret["secret key"] + `"`},
	} {
		check.Equal(t, "what is found in a leaked "+leak.rule, found(rules, leak.text),
			map[string]string{leak.rule: leak.secret})
		tested[leak.rule] = true
	}
	check.Equal(t, "rules that were tested", slices.Sorted(maps.Keys(tested)), slices.Sorted(maps.Keys(rules)))
}

// TestScannersLeaveOthersAlone expects no rule to find a secret in text that only looks like one.
func TestScannersLeaveOthersAlone(t *testing.T) {
	t.Parallel()
	rules := scannerRules(t)
	for _, text := range []string{
		"0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f", "40a599c3d1f2e4b5a6978877665544332211000f",
		"API keys begin with `snh_live_`, access tokens with `sna_live_…`", "snh_live_short", "sna_live_" + strings.Repeat("a", 37),
		"https://sininho.example/feeds/snf_live_….atom",
		"whsec_…", "whsec_short", "swt_…", "swt_" + strings.Repeat("a", 44), "answt_" + strings.Repeat("a", 43),
		"POST /webhooks/channels/{id}", "/publishers/acme/webhooks", "http://127.0.0.1:8080/api/v1/webhooks/channels/demo",
		`SECRET_KEY=$(openssl rand -base64 32)`, "SECRET_KEY=********", "SECRET_KEY_FILE=/run/secrets/sininho-key",
		"Set-Cookie: __Host-sininho=; Max-Age=0", "__Host-sininho-oauth=" + strings.Repeat("a", 43),
	} {
		if got := found(rules, text); len(got) > 0 {
			t.Errorf("text without a secret %q: got %v, want nothing found", text, got)
		}
	}
}
