package server

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/lab/check"
)

const acme = `{"id":"acme","name":"Acme","issuer":"https://id.example.com","clientId":"c","clientSecret":"s"}`

// TestSignInModes expects each way to need its own settings and no others.
func TestSignInModes(t *testing.T) {
	needs := map[string]string{"GOOGLE_CLIENT_ID": "google", "GOOGLE_SECRET": "google", "OIDC_PROVIDERS": "oidc",
		"SMTP_URL": "email"}
	for _, signIn := range []string{"", "google", "oidc", "email", "google, email", "email,oidc", "google,oidc,email", "passkey",
		"google,passkey"} {
		settings := map[string]string{}
		if signIn != "" {
			settings["SIGN_IN"] = signIn
		}
		_, err := ReadConfig(settings)
		chosen := strings.Split(strings.ReplaceAll(signIn, " ", ""), ",")
		if signIn == "" {
			chosen = []string{"google"}
		}
		for setting, way := range needs {
			check.Equal(t, fmt.Sprintf("with SIGN_IN=%q %s is required", signIn, setting),
				hasProblem(err, setting+": is required"), slices.Contains(chosen, way))
		}
	}
}

func TestSignInFaults(t *testing.T) {
	for settings, want := range map[[2]string]string{
		{"", "facebook"}:                        "SIGN_IN: must be google, oidc, email, passkey, or several",
		{"", "google,"}:                         "SIGN_IN: must be google, oidc, email, passkey, or several",
		{"x", "oidc"}:                           "OIDC_PROVIDERS: must be a JSON list such as",
		{"[]", "oidc"}:                          "OIDC_PROVIDERS: must be a JSON list such as",
		{"{}", "oidc"}:                          "OIDC_PROVIDERS: must be a JSON list such as",
		{"[" + acme + "]]", "oidc"}:             "OIDC_PROVIDERS: must be a JSON list such as",
		{"[" + acme + "," + acme + "]", "oidc"}: "OIDC_PROVIDERS: provider 2: has the id or the issuer of another",
		{"[" + strings.Replace(acme, `"acme"`, `"A/b"`, 1) + "]", "oidc"}:       "provider 1: id must be 1 to 32",
		{"[" + strings.Replace(acme, `"Acme"`, `""`, 1) + "]", "oidc"}:          "provider 1: name must have 1 to 40",
		{"[" + strings.Replace(acme, "https:", "http:", 1) + "]", "oidc"}:       "provider 1: issuer must be an https address",
		{"[" + strings.Replace(acme, `"s"`, `""`, 1) + "]", "oidc"}:             "provider 1: clientId and clientSecret are required",
		{"[" + strings.Replace(acme, "clientId", "client_id", 1) + "]", "oidc"}: `unknown field "client_id"`,
		{"[" + strings.Replace(acme, `https://id.example.com","clientId"`,
			`https://login.microsoftonline.com/common/v2.0","trustEmail":true,"clientId"`, 1) + "]", "oidc"}: "one organization",
	} {
		_, err := ReadConfig(map[string]string{"OIDC_PROVIDERS": settings[0], "SIGN_IN": settings[1]})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("faults of %q: got %v, want %q", settings, err, want)
		}
	}
	for address, refused := range map[string]bool{"https://192.0.2.1": true, "http://127.0.0.1:8080": true,
		"http://[::1]:8080": true, "http://localhost:8080": false, "https://sininho.example.com": false} {
		_, err := ReadConfig(map[string]string{"PUBLIC_URL": address, "SIGN_IN": "passkey"})
		check.Equal(t, "passkeys at "+address+" are refused", hasProblem(err, "PUBLIC_URL: must have the name"), refused)
	}
	_, err := ReadConfig(map[string]string{"OIDC_PROVIDERS": "x", "SIGN_IN": "google"})
	check.Equal(t, "OIDC_PROVIDERS is refused without oidc", hasProblem(err, "OIDC_PROVIDERS"), false)
}
