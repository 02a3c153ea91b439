package server

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

func TestNATSURL(t *testing.T) {
	for value, wrong := range map[string]bool{
		"": false, "nats://localhost:4222": false,
		"tls://sininho:secret@a.example.com, nats://b.example.com:4222": false,
		"localhost:4222": true, "http://localhost": true, "nats://": true, "nats://a,,nats://b": true,
	} {
		_, err := ReadConfig(map[string]string{"NATS_URL": value})
		check.Equal(t, fmt.Sprintf("NATS_URL=%q is refused", value),
			hasProblem(err, "NATS_URL: must be an address such as nats://"), wrong)
	}
}

func TestObserverSettings(t *testing.T) {
	const address = "METRICS_ADDR: must be "
	for _, c := range []struct {
		settings map[string]string
		problem  string // "": none
	}{
		{map[string]string{}, ""},
		{map[string]string{"METRICS_ADDR": "127.0.0.1:9464"}, ""},
		{map[string]string{"METRICS_ADDR": ":0", "LISTEN_ADDR": ":0"}, ""},
		{map[string]string{"METRICS_ADDR": "9464"}, address + "an address such as"},
		{map[string]string{"METRICS_ADDR": "localhost:"}, address + "an address such as"},
		{map[string]string{"METRICS_ADDR": ":8080", "LISTEN_ADDR": ":8080"}, address + "another address than LISTEN_ADDR"},
		{map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:4318"}, ""},
		{map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "localhost:4318"}, "OTEL_EXPORTER_OTLP_ENDPOINT: must be"},
		{map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "x"}, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: must be"},
	} {
		_, err := ReadConfig(c.settings)
		got := hasProblem(err, "METRICS_ADDR") || hasProblem(err, "OTEL_")
		if got != (c.problem != "") || c.problem != "" && !hasProblem(err, c.problem) {
			t.Errorf("problems of %v: got %v, want %q", c.settings, err, c.problem)
		}
	}
	for want, c := range map[string]Config{
		"": {}, "http://a:1/v1/traces": {Observation: Observation{OTLPEndpoint: "http://a:1/"}},
		"http://b/x": {Observation: Observation{OTLPEndpoint: "http://a:1", OTLPTracesEndpoint: "http://b/x"}},
	} {
		check.Equal(t, "address of traces", c.tracesEndpoint(), want)
	}
}

func TestListenAddr(t *testing.T) {
	for value, wrong := range map[string]bool{
		":8080": false, "127.0.0.1:8080": false, "[::1]:80": false, ":0": false,
		"8080": true, "nonsense": true, "localhost:": true, ":http": true, ":99999": true,
	} {
		_, err := ReadConfig(map[string]string{"LISTEN_ADDR": value})
		check.Equal(t, "LISTEN_ADDR="+value+" is refused", hasProblem(err, "LISTEN_ADDR: must be an address such as"),
			wrong)
	}
}

func TestSettingsOfAnotherType(t *testing.T) {
	for setting, want := range map[string]string{
		"DATABASE_CONNECTIONS":   "DATABASE_CONNECTIONS: must be a whole number",
		"LIMIT_JOINS_PER_MINUTE": "LIMIT_JOINS_PER_MINUTE: must be a whole number",
	} {
		if _, err := ReadConfig(map[string]string{setting: "many"}); !hasProblem(err, want) {
			t.Errorf("%s=many: got error %v, want %q", setting, err, want)
		} else if n := strings.Count(err.Error(), setting+": "); n != 1 {
			t.Errorf("problems of %s=many: got %d in %v, want 1", setting, n, err)
		}
	}
}

// TestCheckPush expects a problem with credentials that Firebase's client would refuse when the server starts.
func TestCheckPush(t *testing.T) {
	// Google's client asks the cloud's metadata server only without this setting.
	t.Setenv("GOOGLE_APPLICATION_CREDENTIALS", filepath.Join(t.TempDir(), "missing.json"))
	for credentials, want := range map[string]string{
		"":   "FIREBASE_CREDENTIALS: is required outside Google Cloud",
		"{}": "FIREBASE_CREDENTIALS: must be the key of a service account",
	} {
		c := Config{Services: Services{Push: []string{"fcm"}},
			Firebase: Firebase{FirebaseProjectID: "p", FirebaseCredentials: credentials}}
		if err := c.CheckPush(t.Context()); !hasProblem(err, want) {
			t.Errorf("check with the credentials %q: got error %v, want %q", credentials, err, want)
		}
	}
}

// TestAnalyticsOff expects that settings of a mode that is not chosen are neither required nor sent to browsers.
func TestAnalyticsOff(t *testing.T) {
	for analytics, required := range map[string]bool{"": true, "posthog": true, "off": false} {
		settings := map[string]string{}
		if analytics != "" {
			settings["ANALYTICS"] = analytics
		}
		_, err := ReadConfig(settings)
		name := fmt.Sprintf("with ANALYTICS=%q POSTHOG_API_KEY is required", analytics)
		check.Equal(t, name, hasProblem(err, "POSTHOG_API_KEY: is required"), required)
		check.Equal(t, "GOOGLE_CLIENT_ID is required", hasProblem(err, "GOOGLE_CLIENT_ID: is required"), true)
	}
	_, err := ReadConfig(map[string]string{"ANALYTICS": "some"})
	check.Equal(t, "ANALYTICS=some is refused", hasProblem(err, "ANALYTICS: must be posthog or off"), true)
	public := Config{Services: Services{Analytics: "off"}, PostHog: PostHog{PostHogAPIKey: "phc"}}.publicSettings()
	check.Equal(t, "key of PostHog that browsers receive", public["POSTHOG_API_KEY"], "")
}

func TestOperatorEmails(t *testing.T) {
	for value, want := range map[string][]string{
		"":                                  nil,
		"eva@example.com":                   {"eva@example.com"},
		"eva@example.com, Rui@example.com ": {"eva@example.com", "Rui@example.com"},
	} {
		c, err := ReadConfig(map[string]string{"OPERATOR_EMAILS": value})
		if hasProblem(err, `OPERATOR_EMAILS: `) {
			t.Errorf("OPERATOR_EMAILS=%q: got error %v, want none", value, err)
		}
		got, err := c.operators()
		if err != nil {
			t.Errorf("operators of %q: %v", value, err)
		}
		check.Equal(t, "operators of "+value, got, want)
	}
	for _, value := range []string{
		"eva", "eva@example.com,", "Eva <eva@example.com>", "eva@example.com;rui@example.com",
	} {
		_, err := ReadConfig(map[string]string{"OPERATOR_EMAILS": value})
		if !hasProblem(err, `OPERATOR_EMAILS: invalid email address `) {
			t.Errorf("OPERATOR_EMAILS=%q: got error %v, want an invalid email address", value, err)
		}
	}
}

func hasProblem(err error, start string) bool {
	var wrong *ConfigError
	return errors.As(err, &wrong) &&
		slices.ContainsFunc(wrong.Problems, func(p string) bool { return strings.HasPrefix(p, start) })
}

func TestMailSettings(t *testing.T) {
	for _, c := range []struct {
		settings map[string]string
		problem  string // empty: no problem
	}{
		{map[string]string{}, ""},
		{map[string]string{"SMTP_URL": "smtp://u:p@mail.example.com:587", "MAIL_FROM": "Sininho <ola@example.com>",
			"SIGN_UP": "invitation"}, ""},
		{
			map[string]string{"SMTP_URL": "mail.example.com", "MAIL_FROM": "ola@example.com"},
			"SMTP_URL: is not an address such as",
		},
		{map[string]string{"SMTP_URL": "smtp://mail.example.com"}, "MAIL_FROM: is required with SMTP_URL"},
		{
			map[string]string{"SMTP_URL": "smtp://mail.example.com", "MAIL_FROM": "Sininho"},
			"MAIL_FROM: must be an email address",
		},
		{map[string]string{"SIGN_UP": "invitation"}, "SIGN_UP: invitation requires SMTP_URL"},
		{map[string]string{"SIGN_UP": "closed"}, "SIGN_UP: must be open or invitation"},
		{map[string]string{"PUBLISHERS": "invitation"}, ""},
		{map[string]string{"PUBLISHERS": "request"}, ""},
		{map[string]string{"PUBLISHERS": "nobody"}, "PUBLISHERS: must be open, invitation or request"},
		{map[string]string{"LIMIT_JOINS_PER_MINUTE": "0"}, "LIMIT_JOINS_PER_MINUTE: must be a number greater than 0"},
		{map[string]string{"ACCESS_TOKEN_DAYS": "30", "ACCESS_TOKEN_MAX_DAYS": "30"}, ""},
		{map[string]string{"ACCESS_TOKEN_DAYS": "0"}, "ACCESS_TOKEN_DAYS: must be a number greater than 0"},
		{
			map[string]string{"ACCESS_TOKEN_MAX_DAYS": "30"},
			"ACCESS_TOKEN_DAYS: must not be greater than ACCESS_TOKEN_MAX_DAYS",
		},
		{map[string]string{"ACCESS_TOKEN_MAX_DAYS": "3654"}, "ACCESS_TOKEN_MAX_DAYS: must not be greater than 3653"},
		{
			map[string]string{"LIMIT_INVITATIONS_PER_DAY": "0"},
			"LIMIT_INVITATIONS_PER_DAY: must be a number greater than 0",
		},
	} {
		_, err := ReadConfig(c.settings)
		for _, name := range []string{
			"SMTP_URL", "MAIL_FROM", "SIGN_UP", "PUBLISHERS", "LIMIT_JOINS_PER_MINUTE", "ACCESS_TOKEN_DAYS",
			"ACCESS_TOKEN_MAX_DAYS", "LIMIT_INVITATIONS_PER_DAY",
		} {
			check.Equal(t, fmt.Sprintf("settings %v have a problem with %s", c.settings, name), hasProblem(err, name),
				strings.HasPrefix(c.problem, name))
		}
		if c.problem != "" && !hasProblem(err, c.problem) {
			t.Errorf("settings %v: got error %v, want %q", c.settings, err, c.problem)
		}
	}
}

func TestPublicSettingsOfTheWaitingList(t *testing.T) {
	for url, want := range map[string]string{"": "closed", "smtp://localhost": "open"} {
		c, _ := ReadConfig(map[string]string{"SMTP_URL": url, "MAIL_FROM": "ola@example.com"})
		got := c.publicSettings()
		check.Equal(t, fmt.Sprintf("WAITLIST with SMTP_URL=%q", url), got["WAITLIST"], want)
		check.Equal(t, fmt.Sprintf("SIGN_UP with SMTP_URL=%q", url), got["SIGN_UP"], "open")
		check.Equal(t, fmt.Sprintf("PUBLISHERS with SMTP_URL=%q", url), got["PUBLISHERS"], "open")
		check.Equal(t, "public SMTP_URL", got["SMTP_URL"], "")
	}
}

func TestAPIAddressesFollowPublicURL(t *testing.T) {
	const local, public = "http://localhost:8080/api/v1", "https://sininho.example.com/api/v1"
	for _, c := range []struct {
		settings      map[string]string
		api, waitlist string
	}{
		{map[string]string{"LISTEN_ADDR": "localhost:8080"}, local, local},
		{map[string]string{"PUBLIC_URL": "https://sininho.example.com"}, public, public},
		{map[string]string{"PUBLIC_URL": "https://sininho.example.com/"}, public, public},
		{map[string]string{"PUBLIC_URL": "https://Sininho.example.com:443", "API_BASE_URL": ""}, public, public},
		{map[string]string{"PUBLIC_URL": "https://sininho.example.com",
			"API_BASE_URL": "https://SININHO.example.com:443/api/v1"}, public, public},
		{map[string]string{"PUBLIC_URL": "https://sininho.example.com",
			"WAITLIST_API_BASE_URL": "https://espera.example.com/api/v1"}, public, "https://espera.example.com/api/v1"},
	} {
		config, err := ReadConfig(c.settings)
		for _, name := range []string{"PUBLIC_URL", "API_BASE_URL", "WAITLIST_API_BASE_URL"} {
			if hasProblem(err, name) {
				t.Errorf("%v: %s is refused: %v", c.settings, name, err)
			}
		}
		got := config.publicSettings()
		check.Equal(t, fmt.Sprintf("API_BASE_URL of %v", c.settings), got["API_BASE_URL"], c.api)
		check.Equal(t, fmt.Sprintf("WAITLIST_API_BASE_URL of %v", c.settings), got["WAITLIST_API_BASE_URL"], c.waitlist)
	}
}

// TestAPIOnAnotherOrigin expects an API_BASE_URL on another origin than PUBLIC_URL to be refused: the session cookie is
// sent only to that host, and no other origin may call the API.
func TestAPIOnAnotherOrigin(t *testing.T) {
	for _, settings := range []map[string]string{
		{"API_BASE_URL": "https://sininho.example.com/api/v1"},
		{"PUBLIC_URL": "https://sininho.example.com", "API_BASE_URL": "https://api.example.com/api/v1"},
		{"PUBLIC_URL": "https://sininho.example.com", "API_BASE_URL": "http://sininho.example.com/api/v1"},
		{"PUBLIC_URL": "https://sininho.example.com", "API_BASE_URL": "https://sininho.example.com:8443/api/v1"},
	} {
		if _, err := ReadConfig(settings); !hasProblem(err, "API_BASE_URL: must be at PUBLIC_URL's origin") {
			t.Errorf("settings %v: got error %v, want a problem with the origin", settings, err)
		}
	}
	_, err := ReadConfig(map[string]string{"PUBLIC_URL": "sininho.example.com"})
	if hasProblem(err, "API_BASE_URL") || !hasProblem(err, "PUBLIC_URL: must be an http or https address") {
		t.Errorf("PUBLIC_URL without a scheme: %v, want a problem with PUBLIC_URL alone", err)
	}
}

// TestPublicURL expects a problem with every PUBLIC_URL that is not an origin that browsers trust.
func TestPublicURL(t *testing.T) {
	for _, address := range []string{
		"https://sininho.example.com", "https://sininho.example.com:8443/", "http://localhost:8080",
		"http://127.0.0.1:8080", "http://[::1]:8080", "https://192.0.2.1", "https://[2001:db8::1]:65535", "https://sininho",
		"https://xn--sininho-8za.example.com.", "https://1.example.com",
	} {
		if _, err := ReadConfig(map[string]string{"PUBLIC_URL": address}); hasProblem(err, "PUBLIC_URL") {
			t.Errorf("PUBLIC_URL=%q: got error %v, want none", address, err)
		}
	}
	for address, want := range map[string]string{
		"":                                         "is required",
		"http://sininho.example.com":               "must be an https address",
		"http://192.168.1.5:8080":                  "must be an https address",
		"http://localhost.example.com":             "must be an https address",
		"https://*.example.com":                    "must have the name or the IP address of a host",
		"https://-sininho.example.com":             "must have the name or the IP address of a host",
		"https://sininho..example.com":             "must have the name or the IP address of a host",
		"https://" + strings.Repeat("a", 64):       "must have the name or the IP address of a host",
		"https://192.168.1.256":                    "must have the name or the IP address of a host",
		"https://sininho.exämple.com":              "must be ASCII",
		"https://[fe80::1%25eth0]":                 "must be ASCII",
		"https://sininho.example.com:99999":        "must have a port from 1 to 65535",
		"https://sininho.example.com:0":            "must have a port from 1 to 65535",
		"https://sininho.example.com:":             "must have a port from 1 to 65535",
		"https://sininho.example.com/app":          "must be an origin",
		"https://sininho.example.com//":            "must be an origin",
		"https://sininho.example.com/?a=b":         "must be an origin",
		"https://sininho.example.com?":             "must be an origin",
		"https://sininho.example.com/#top":         "must be an origin",
		"https://ana@sininho.example.com":          "must be an origin",
		"https://ana:segredo@sininho.example.com/": "must be an origin",
	} {
		if _, err := ReadConfig(map[string]string{"PUBLIC_URL": address}); !hasProblem(err, "PUBLIC_URL: "+want) {
			t.Errorf("PUBLIC_URL=%q: got error %v, want one that says %q", address, err, want)
		}
	}
}

const hexDigits = "0123456789abcdef"

func TestSecretKey(t *testing.T) {
	for value, want := range map[string]string{
		"c2VncmVkbw==": "must be 32 bytes in base64",
		base64.StdEncoding.EncodeToString(make([]byte, 32)):                   "must be random",
		base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("segredo"), 5)): "must be 32 bytes in base64",
		base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("k"), 32)):      "must be random",
		base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("ab"), 16)):     "must be random, but has only 2 different",
		base64.StdEncoding.EncodeToString([]byte(hexDigits + hexDigits)):      "must be random, but has only 16 different",
	} {
		if _, err := ReadConfig(map[string]string{"SECRET_KEY": value}); !hasProblem(err, "SECRET_KEY: "+want) {
			t.Errorf("SECRET_KEY=%q: got error %v, want one that says %q", value, err, want)
		}
	}
	for range 1000 {
		good := base64.StdEncoding.EncodeToString(core.NewSecretKey())
		if _, err := ReadConfig(map[string]string{"SECRET_KEY": good}); hasProblem(err, "SECRET_KEY") {
			t.Errorf("a random SECRET_KEY: got error %v, want none", err)
		}
	}
}

func TestSupportURL(t *testing.T) {
	for _, address := range []string{
		"", "mailto:ajuda@example.com", "mailto:ajuda@example.com?subject=Sininho", "https://example.com/ajuda",
	} {
		if _, err := ReadConfig(map[string]string{"SUPPORT_URL": address}); hasProblem(err, "SUPPORT_URL") {
			t.Errorf("%q is refused: %v", address, err)
		}
	}
	for _, address := range []string{
		"ajuda@example.com", "mailto:", "mailto:ajuda", "https:", "javascript:alert(1)", "tel:112",
	} {
		if _, err := ReadConfig(map[string]string{"SUPPORT_URL": address}); !hasProblem(err, "SUPPORT_URL: ") {
			t.Errorf("%q is accepted: %v", address, err)
		}
	}
}

// TestPolicies expects the web app to get the address of a policy, or of the page that shows its text.
func TestPolicies(t *testing.T) {
	file := filepath.Join(t.TempDir(), "termos.md")
	if err := os.WriteFile(file, []byte("# Termos\n\nSeja gentil.\n"), 0o600); err != nil {
		t.Fatalf("write a file: %v", err)
	}
	c, err := ReadConfig(map[string]string{"PRIVACY": "https://example.com/privacidade", "TERMS_FILE": file})
	if hasProblem(err, "PRIVACY") || hasProblem(err, "TERMS") {
		t.Errorf("an address and the file of a text are refused: %v", err)
	}
	public := c.publicSettings()
	check.Equal(t, "PRIVACY for browsers", public["PRIVACY"], "https://example.com/privacidade")
	check.Equal(t, "TERMS for browsers", public["TERMS"], "/terms")
	check.Equal(t, "texts", c.policyTexts(), map[string]string{"terms": "# Termos\n\nSeja gentil."})
	for _, s := range c.Settings() {
		if s.Name == "TERMS" {
			check.Equal(t, "shown TERMS", s.Value, "# Termos …")
		}
	}
	if _, given := (Config{}).publicSettings()["PRIVACY"]; given {
		t.Error("PRIVACY for browsers: got one, want none without the setting")
	}
	for policy, want := range map[string]string{
		"mailto:eva@example.com": "must be an https address, or a text", "/privacidade": "must be an https address",
		"javascript:alert(1)": "must be an https address", "dados \xff": "must be a text in UTF-8",
	} {
		if _, err := ReadConfig(map[string]string{"PRIVACY": policy}); !hasProblem(err, "PRIVACY: "+want) {
			t.Errorf("PRIVACY=%q: got error %v, want one that says %q", policy, err, want)
		}
	}
}

// TestWaitlistConfig expects only the settings that the waiting list needs when it is served alone.
func TestWaitlistConfig(t *testing.T) {
	_, err := ReadWaitlistConfig(map[string]string{})
	for _, name := range []string{"DATABASE_URL: is required", "SECRET_KEY: is required", "SMTP_URL: is required"} {
		if !hasProblem(err, name) {
			t.Errorf("settings of the waiting list: got error %v, want %q", err, name)
		}
	}
	settings := map[string]string{
		"DATABASE_URL": "postgres://localhost/x", "SECRET_KEY": base64.StdEncoding.EncodeToString(core.NewSecretKey()),
		"SMTP_URL": "smtp://localhost", "MAIL_FROM": "ola@example.com", "PUBLIC_URL": "https://sininho.example.com",
	}
	if _, err := ReadWaitlistConfig(settings); err != nil {
		t.Errorf("read the settings: %v", err)
	}
	settings["LIMIT_JOINS_PER_MINUTE"] = "none"
	if _, err := ReadWaitlistConfig(settings); !hasProblem(err, "LIMIT_JOINS_PER_MINUTE") {
		t.Errorf("read the settings: %v", err)
	}
}

func TestReplicaAddresses(t *testing.T) {
	const one, other = "postgres://u:p@one/sininho", "postgres://u:p@other:5433/sininho"
	for value, want := range map[string][]string{
		"": nil, one: {one}, one + ", " + other + " ": {one, other},
	} {
		c, err := ReadConfig(map[string]string{"DATABASE_REPLICA_URLS": value})
		if hasProblem(err, "DATABASE_REPLICA_URLS: ") {
			t.Errorf("DATABASE_REPLICA_URLS=%q: got error %v, want none", value, err)
		}
		check.Equal(t, "addresses in "+value, c.DatabaseReplicas, want)
	}
	for _, value := range []string{"other", one + ",", one + ",other"} {
		_, err := ReadConfig(map[string]string{"DATABASE_REPLICA_URLS": value})
		if !hasProblem(err, "DATABASE_REPLICA_URLS: must be addresses such as ") {
			t.Errorf("DATABASE_REPLICA_URLS=%q: got error %v, want a problem with the addresses", value, err)
		}
	}
}

// TestModes expects the settings of Firebase to be required only where Firebase takes pushes.
func TestModes(t *testing.T) {
	for push, required := range map[string]bool{"": true, "fcm": true, "fcm, webpush": true, "webpush": false} {
		settings := map[string]string{}
		if push != "" {
			settings["PUSH"] = push
		}
		c, err := ReadConfig(settings)
		for _, name := range []string{"FIREBASE_API_KEY", "FIREBASE_VAPID_PUBLIC_KEY"} {
			check.Equal(t, fmt.Sprintf("with PUSH=%q %s is required", push, name), hasProblem(err, name+": is required"), required)
		}
		check.Equal(t, fmt.Sprintf("with PUSH=%q pushes by Web Push", push), c.pushesBy("webpush"),
			strings.Contains(push, "webpush"))
	}
	for setting, want := range map[[2]string]string{
		{"PUSH", "apns"}:                           "PUSH: must be fcm, webpush, or both",
		{"PUSH", "fcm,"}:                           "PUSH: must be fcm, webpush, or both",
		{"WEB_PUSH_PRIVATE_KEY", "x"}:              "WEB_PUSH_PRIVATE_KEY: must be a private key on P-256",
		{"WEB_PUSH_NETWORKS", "10.0.0.0/99"}:       `WEB_PUSH_NETWORKS: invalid address or network "10.0.0.0/99"`,
		{"WEB_PUSH_QUOTA_PER_MINUTE", "0"}:         "WEB_PUSH_QUOTA_PER_MINUTE: must be a number greater than 0",
		{"WEB_PUSH_CHROME_URL", "fcm.example.com"}: "WEB_PUSH_CHROME_URL: must be an address",
	} {
		_, err := ReadConfig(map[string]string{setting[0]: setting[1], "PUSH": cmp.Or(map[string]string{
			"PUSH": setting[1]}[setting[0]], "webpush")})
		check.Equal(t, fmt.Sprintf("%s=%s is refused", setting[0], setting[1]), hasProblem(err, want), true)
	}
	// What only an unused mode needs may be wrong.
	_, err := ReadConfig(map[string]string{"WEB_PUSH_PRIVATE_KEY": "x", "PUSH": "fcm"})
	check.Equal(t, "WEB_PUSH_PRIVATE_KEY is refused with PUSH=fcm", hasProblem(err, "WEB_PUSH_PRIVATE_KEY"), false)
}

func TestContact(t *testing.T) {
	for want, c := range map[string]Config{
		"mailto:security@example.com": {Installation: Installation{SecurityContact: "mailto:security@example.com",
			SupportURL: "https://example.com/help", PublicURL: "https://sininho.example.com"}},
		"https://example.com/help":    {Installation: Installation{SupportURL: "https://example.com/help"}},
		"https://sininho.example.com": {Installation: Installation{PublicURL: "https://sininho.example.com"}},
		"mailto:operator@localhost":   {Installation: Installation{PublicURL: "http://localhost:8080"}},
	} {
		check.Equal(t, "contact for push services", c.contact(), want)
	}
}

// TestBlankSettings expects a required setting of white space to be reported as empty.
func TestBlankSettings(t *testing.T) {
	for _, name := range []string{"SECRET_KEY", "DATABASE_URL", "DEMO_WEBHOOK_URL", "GOOGLE_CLIENT_ID", "GOOGLE_SECRET"} {
		for _, blank := range []string{" ", "\t \n"} {
			if _, err := ReadConfig(map[string]string{name: blank}); !hasProblem(err, name+": is empty") {
				t.Errorf("%s=%q: got %v, want that it is empty", name, blank, err)
			}
		}
	}
}

// TestLinkSchemes refuses schemes whose links run scripts or read files.
func TestLinkSchemes(t *testing.T) {
	for schemes, bad := range map[string]bool{
		"": false, "ssh": false, "ssh, matrix,web+coffee": false, "javascript": true, "ssh,data": true, "SSH": true,
		"file": true, "ssh://": true,
	} {
		if _, err := ReadConfig(map[string]string{"LINK_SCHEMES": schemes}); hasProblem(err, "LINK_SCHEMES") != bad {
			t.Errorf("LINK_SCHEMES=%q: got %v, want a problem: %t", schemes, err, bad)
		}
	}
}
