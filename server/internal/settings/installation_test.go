package settings

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sininho/sininho/server"
)

const publicURL = "https://sininho.example.com"

// with returns values of flags: those that have no default, and those of a test, of which empty ones are left out.
func with(given map[string]string) map[string]string {
	all := map[string]string{"PUBLIC_URL": publicURL, "SMTP_URL": "smtps://u:a-secret@mail.example.com"}
	for name, value := range given {
		if value == "" {
			delete(all, name)
			continue
		}
		all[name] = value
	}
	return all
}

// read returns the settings as a server reads them from the file.
func read(t *testing.T, content []byte) map[string]string {
	t.Helper()
	variables, err := Read(write(t, string(content)))
	if err != nil {
		t.Fatalf("read the settings: %v", err)
	}
	if _, err := server.ReadConfig(variables); err != nil {
		t.Errorf("settings as a server reads them: got %v, want none missing:\n%s", err, content)
	}
	return variables
}

func TestNew(t *testing.T) {
	credentials := filepath.Join(t.TempDir(), "firebase.json")
	if err := os.WriteFile(credentials, []byte("{}"), 0o600); err != nil {
		t.Fatalf("write a file: %v", err)
	}
	firebase := map[string]string{"PUSH": "both", "FIREBASE_API_KEY": "k", "FIREBASE_AUTH_DOMAIN": "d",
		"FIREBASE_PROJECT_ID": "p", "FIREBASE_STORAGE_BUCKET": "b", "FIREBASE_MESSAGING_SENDER_ID": "1",
		"FIREBASE_APP_ID": "a", "FIREBASE_VAPID_PUBLIC_KEY": "v", "FIREBASE_CREDENTIALS_FILE": credentials}
	for name, c := range map[string]struct{ given, want map[string]string }{
		"defaults": {map[string]string{}, map[string]string{"LISTEN_ADDR": "127.0.0.1:8080", "PUSH": "webpush",
			"TRUSTED_PROXIES": "127.0.0.1,::1", "ANALYTICS": "off", "SIGN_IN": "email"}},
		"Google": {map[string]string{"SIGN_IN": "google", "GOOGLE_CLIENT_ID": "id", "GOOGLE_SECRET": "s", "SMTP_URL": ""},
			map[string]string{"GOOGLE_CLIENT_ID": "id", "SMTP_URL": "", "MAIL_FROM": ""}},
		"OpenID": {map[string]string{"SIGN_IN": "oidc,email", "OIDC_ISSUER": "https://id.example.com", "OIDC_CLIENT_ID": "c",
			"OIDC_CLIENT_SECRET": "s"}, map[string]string{"SIGN_IN": "oidc,email", "OIDC_ISSUER": "",
			"OIDC_PROVIDERS": `[{"clientId":"c","clientSecret":"s","id":"sso","issuer":"https://id.example.com",` +
				`"name":"id.example.com"}]`}},
		"this machine": {map[string]string{"PUBLIC_URL": "http://localhost:9000", "DATA_DIR": "/x"},
			map[string]string{"LISTEN_ADDR": "localhost:9000", "TRUSTED_PROXIES": "", "DATA_DIR": "/x"}},
		"certificate": {map[string]string{"TLS": "auto"},
			map[string]string{"TLS": "auto", "LISTEN_ADDR": ":443", "TRUSTED_PROXIES": ""}},
		"mail": {map[string]string{"SMTP_URL": "smtp://u:p%23@mail.example.com"},
			map[string]string{"MAIL_FROM": "Sininho <sininho@sininho.example.com>"}},
		"analytics": {map[string]string{"ANALYTICS": "posthog", "POSTHOG_API_KEY": "phc"},
			map[string]string{"POSTHOG_HOST": "https://eu.i.posthog.com"}},
		"Firebase": {firebase, map[string]string{"PUSH": "webpush,fcm", "FIREBASE_APP_ID": "a"}},
	} {
		t.Run(name, func(t *testing.T) {
			content, err := New(with(c.given), nil)
			if err != nil {
				t.Fatalf("settings: %v", err)
			}
			got := read(t, content)
			for setting, want := range c.want {
				if got[setting] != want {
					t.Errorf("%s: got %q, want %q", setting, got[setting], want)
				}
			}
		})
	}
}

// TestFresh expects another secret each time.
func TestFresh(t *testing.T) {
	first, err1 := New(with(nil), nil)
	second, err2 := New(with(nil), nil)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatalf("settings: %v", err)
	}
	if read(t, first)["SECRET_KEY"] == read(t, second)["SECRET_KEY"] {
		t.Error("SECRET_KEY of two installations: got the same, want fresh ones")
	}
}

func TestFaults(t *testing.T) {
	for _, c := range []struct {
		given map[string]string
		want  []string
	}{
		{map[string]string{"PUBLIC_URL": "", "SMTP_URL": ""}, []string{"--url is needed", "--smtp is needed"}},
		{map[string]string{"SIGN_IN": "oidc"}, []string{"--oidc-issuer is needed", "--oidc-client-secret is needed"}},
		{map[string]string{"SIGN_IN": "google,email"}, []string{"--google-client-id is needed"}},
		{map[string]string{"SIGN_IN": "both"}, []string{`--sign-in must be email or passkey or oidc or google, not "both"`}},
		{map[string]string{"GOOGLE_SECRET": "s"}, []string{"--google-secret is only for SIGN_IN=google"}},
		{map[string]string{"PUSH": "fcm"}, []string{"--firebase-api-key is needed", "--firebase-credentials is needed"}},
		{map[string]string{"PUSH": "apns"}, []string{`--push must be webpush or fcm, not "apns"`}},
		{map[string]string{"TLS": "both"}, []string{`--tls must be off or auto, not "both"`}},
		{map[string]string{"PUBLIC_URL": "https://192.0.2.1", "TLS": "auto"}, []string{"PUBLIC_URL: must be an https"}},
		{map[string]string{"FIREBASE_APP_ID": "a"}, []string{"--firebase-app-id is only for PUSH=fcm"}},
		{map[string]string{"SIGN_IN": "google", "SMTP_URL": "", "MAIL_FROM": "a@example.com"}, []string{"--mail-from is only for SMTP_URL"}},
		{map[string]string{"PUBLIC_URL": " "}, []string{"--url must not be empty"}},
		{map[string]string{"PUBLIC_URL": "http://example.com"}, []string{"PUBLIC_URL: must be an https address"}},
		{map[string]string{"SMTP_URL": "mail.example.com"}, []string{"SMTP_URL: is not an address"}},
	} {
		_, err := New(with(c.given), nil)
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("faults of %v: got %v, want %q", c.given, err, want)
			}
		}
		if err != nil && strings.Contains(err.Error(), "a-secret") {
			t.Errorf("faults of %v: got %v, want no secret in it", c.given, err)
		}
	}
}

// TestAsk expects questions for what is needed and has no default, and that only secrets are hidden.
func TestAsk(t *testing.T) {
	asked := map[string]bool{}
	ask := func(question string, secret bool) (string, error) {
		asked[question] = secret
		if strings.HasPrefix(question, "Address at which") {
			return publicURL + "\n", nil
		}
		if secret && strings.HasPrefix(question, "Mail server") {
			return "smtp://mail.example.com", nil
		}
		return "answer", nil
	}
	content, err := New(map[string]string{"SIGN_IN": "email,google"}, ask)
	if err != nil {
		t.Fatalf("settings: %v", err)
	}
	got := read(t, content)
	if got["PUBLIC_URL"] != publicURL || got["GOOGLE_SECRET"] != "answer" || len(asked) != 4 {
		t.Errorf("answers: got %v after %v, want those of 4 questions", got, asked)
	}
	for question, secret := range asked {
		if want := strings.Contains(question, "secret") || strings.Contains(question, "Mail server"); secret != want {
			t.Errorf("question %q is for a secret: got %t, want %t", question, secret, want)
		}
	}
	wrong := errors.New("end of input")
	if _, err := New(nil, func(string, bool) (string, error) { return "", wrong }); !errors.Is(err, wrong) {
		t.Errorf("without answers: got %v, want %v", err, wrong)
	}
}

// TestEntries expects that each setting and flag is there once, and exists.
func TestEntries(t *testing.T) {
	known := map[string]bool{}
	for _, s := range (server.Config{}).Settings() {
		known[s.Name], known[s.Name+"_FILE"] = true, true
	}
	flags, before := map[string]bool{}, map[string]bool{}
	for _, e := range entries {
		if known[e.Setting] == e.answer || before[e.Setting] || e.Flag != "" && flags[e.Flag] {
			t.Errorf("%s, --%s: got one that is unknown or twice", e.Setting, e.Flag)
		}
		choice, _, _ := strings.Cut(e.With, "=")
		if choice != "" && !before[choice] {
			t.Errorf("%s is needed with %s, which comes later or never", e.Setting, e.With)
		}
		flags[e.Flag], before[e.Setting] = true, true
	}
}
