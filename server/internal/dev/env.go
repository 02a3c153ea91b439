package dev

import (
	"crypto/ecdh"
	"crypto/rand"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/sininho/sininho/server/internal/core"
)

// Operator is the email address of dev's operator.
const Operator = "operador@example.com"

// What dev's operator says about privacy and terms of use.
var (
	//go:embed privacy.md
	privacy string
	//go:embed terms.md
	terms string
)

// environment returns dev's settings, overridden by Config.Environment.
func (d *Dev) environment(databaseURL string) (map[string]string, error) {
	secretKey, err := keep(filepath.Join(d.config.Dir, "secret.key"),
		func() string { return base64.StdEncoding.EncodeToString(core.NewSecretKey()) })
	if err != nil {
		return nil, err
	}
	vapid, err := keep(filepath.Join(d.config.Dir, "vapid.public"), newVAPIDPublicKey)
	if err != nil {
		return nil, err
	}
	providers, err := json.Marshal([]map[string]string{{"id": providerID, "name": providerName,
		"issuer": d.StandIns.OIDC.URL(), "clientId": clientID, "clientSecret": clientSecret}})
	if err != nil {
		return nil, err
	}
	env := map[string]string{
		"DEMO_WEBHOOK_URL": d.URL + "/api/v1/webhooks/channels/demo", // replaced when the demo channel exists
		"SIGN_IN":          "google,oidc,email", "OIDC_PROVIDERS": string(providers),
		"GOOGLE_CLIENT_ID": clientID, "GOOGLE_SECRET": clientSecret,
		"GOOGLE_AUTH_URL":     d.StandIns.Google.URL() + "/authorize",
		"GOOGLE_TOKEN_URL":    d.StandIns.Google.URL() + "/token",
		"GOOGLE_USERINFO_URL": d.StandIns.Google.URL() + "/userinfo",
		"FIREBASE_API_KEY":    "dev", "FIREBASE_AUTH_DOMAIN": projectID + ".example.com",
		"FIREBASE_PROJECT_ID":          projectID,
		"FIREBASE_MESSAGING_SENDER_ID": "123456789012", "FIREBASE_APP_ID": "1:123456789012:web:0123456789abcdef",
		"FIREBASE_STORAGE_BUCKET": projectID + ".example.com", "FIREBASE_VAPID_PUBLIC_KEY": vapid,
		"FIREBASE_CREDENTIALS_FILE": d.StandIns.credentials, "FCM_ENDPOINT": d.StandIns.FCM.URL() + "/v1",
		"PUSH": "fcm,webpush", "WEB_PUSH_NETWORKS": "127.0.0.0/8", "WEB_PUSH_CHROME_URL": d.StandIns.Push.URL(),
		"COMPATIBLE_WITH": "ntfy,gotify",
		"POSTHOG_API_KEY": "dev", "POSTHOG_HOST": d.StandIns.PostHog.URL(),
		"PUBLIC_URL": d.URL, "LISTEN_ADDR": d.config.Addr,
		"DATABASE_URL": databaseURL, "SECRET_KEY": secretKey, "OPERATOR_EMAILS": Operator,
		"EVENT_ENDPOINTS_LOOPBACK": "true",
		"METRICS_ADDR":             "127.0.0.1:0",
		"SUPPORT_URL":              "mailto:" + Operator, "PRIVACY": privacy, "TERMS": terms,
		"SMTP_URL": d.StandIns.Mail.SMTPURL(), "MAIL_FROM": "Sininho <sininho@example.com>",
	}
	override(env, d.config.Environment)
	if _, chosen := d.config.Environment["SIGN_IN"]; !chosen && env["SMTP_URL"] == "" {
		env["SIGN_IN"] = "google,oidc" // no code can be sent
	}
	if d.config.LimitsOff {
		env["LIMITS"] = "false"
	}
	return env, nil
}

// override sets what the environment has, by a value or by a file.
func override(env, environment map[string]string) {
	for name := range environment {
		delete(env, name+"_FILE")
		delete(env, strings.TrimSuffix(name, "_FILE"))
	}
	maps.Copy(env, environment)
}

// newVAPIDPublicKey returns a public key for browsers to subscribe with; dev signs nothing with the private key.
func newVAPIDPublicKey() string {
	k, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		panic(err) // cannot fail: crypto/rand never returns an error
	}
	return base64.RawURLEncoding.EncodeToString(k.PublicKey().Bytes())
}

// keep reads a secret from a file, or creates it and writes the file.
func keep(path string, create func() string) (string, error) {
	b, err := os.ReadFile(path)
	if err == nil {
		return strings.TrimSpace(string(b)), nil
	}
	if !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	value := create()
	return value, os.WriteFile(path, []byte(value+"\n"), 0o600)
}

// writeEnv writes a file of shell variables with the addresses and credentials of dev, for scripts.
func (d *Dev) writeEnv() error {
	var b strings.Builder
	for _, line := range [][2]string{
		{"SININHO_URL", d.URL},
		{"SININHO_API_KEY", d.APIKey},
		{"DATABASE_URL", d.Settings.DatabaseURL},
		{"DEMO_WEBHOOK_URL", d.Settings.DemoWebhookURL},
		{"SIGNED_WEBHOOK_URL", d.SignedWebhook},
		{"SIGNED_WEBHOOK_SECRET", d.WebhookSecret},
		{"METRICS_URL", d.MetricsURL},
		{"STANDIN_FCM_URL", d.StandIns.FCM.URL()},
		{"STANDIN_GOOGLE_URL", d.StandIns.Google.URL()},
		{"STANDIN_MAIL_URL", d.StandIns.Mail.URL()},
		{"STANDIN_OIDC_URL", d.StandIns.OIDC.URL()},
		{"STANDIN_POSTHOG_URL", d.StandIns.PostHog.URL()},
		{"STANDIN_PUSH_URL", d.StandIns.Push.URL()},
		{"STANDIN_PUSH_FLAGS", strings.Join(d.StandIns.Push.Flags(), " ")},
		{"STANDIN_SMTP_URL", d.StandIns.Mail.SMTPURL()},
	} {
		b.WriteString(line[0] + "='" + strings.ReplaceAll(line[1], "'", `'\''`) + "'\n")
	}
	path := filepath.Join(d.config.Dir, "dev.env")
	if err := os.WriteFile(path+".tmp", []byte(b.String()), 0o600); err != nil {
		return err
	}
	return os.Rename(path+".tmp", path) // atomic, so that no reader sees half a file
}
