package server

import (
	"encoding/base64"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

// exampleSettings returns the settings in .env.example, with those that are commented out if asked for.
func exampleSettings(t *testing.T, all bool) map[string]string {
	t.Helper()
	b, err := os.ReadFile("../.env.example")
	if err != nil {
		t.Fatalf("read a file: %v", err)
	}
	settings := map[string]string{}
	for _, line := range regexp.MustCompile(`(?m)^(#?)([A-Z0-9_]+)=(.*)$`).FindAllStringSubmatch(string(b), -1) {
		if all || line[1] == "" {
			settings[line[2]] = strings.Trim(line[3], "'")
		}
	}
	return settings
}

func problemsOf(err error) []string {
	var wrong *ConfigError
	if errors.As(err, &wrong) {
		return wrong.Problems
	}
	return nil
}

func TestTheExampleIsComplete(t *testing.T) {
	credentials := filepath.Join(t.TempDir(), "firebase.json")
	if err := os.WriteFile(credentials, []byte("{}"), 0o600); err != nil {
		t.Fatalf("write a file: %v", err)
	}
	for name, problem := range map[string]string{"required": "is required", "all": "is empty"} {
		settings := exampleSettings(t, name == "all")
		settings["FIREBASE_CREDENTIALS_FILE"] = credentials
		delete(settings, "ACME_CA_FILE") // of a private authority, which this machine does not have
		_, err := ReadConfig(settings)
		check.Equal(t, "problems of the "+name+" settings in .env.example", problemsOf(err),
			[]string{"DEMO_WEBHOOK_URL: " + problem, "SECRET_KEY: " + problem})
	}
	settings := exampleSettings(t, true)
	for _, s := range (Config{}).Settings() {
		_, itself := settings[s.Name]
		_, byFile := settings[s.Name+fileSuffix]
		check.Equal(t, s.Name+" is in .env.example", itself || byFile, true)
	}
}

// TestWhatCheckAsksFor sets only what the check of the settings asks for. The web app must then call the installation
// itself, not a server on the visitor's machine.
func TestWhatCheckAsksFor(t *testing.T) {
	examples := exampleSettings(t, false)
	examples["SECRET_KEY"] = base64.StdEncoding.EncodeToString(core.NewSecretKey())
	examples["DEMO_WEBHOOK_URL"] = "https://sininho.example.com/api/v1/webhooks/channels/x"
	settings := map[string]string{}
	_, err := ReadConfig(settings)
	for _, problem := range problemsOf(err) {
		name, _, _ := strings.Cut(problem, ":")
		settings[name] = examples[name]
	}
	config, err := ReadConfig(settings)
	if err != nil {
		t.Fatalf("settings that the check asks for: %v", err)
	}
	for _, name := range []string{"API_BASE_URL", "WAITLIST_API_BASE_URL"} {
		check.Equal(t, name, config.publicSettings()[name], "https://sininho.example.com/api/v1")
	}
	settings["LISTEN_ADDR"] = "localhost:8080"
	delete(settings, "PUBLIC_URL")
	if _, err := ReadConfig(settings); err != nil {
		t.Errorf("PUBLIC_URL is unset for a server that listens on this machine alone: got %v, want no error", err)
	}
}

func TestSettingsInFiles(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatalf("write a file: %v", err)
		}
		return path
	}
	config, err := ReadConfig(map[string]string{
		"GOOGLE_SECRET_FILE": file("google", "GOCSPX-from-a-file\n"), "GOOGLE_SECRET": "",
		"DATABASE_CONNECTIONS_FILE": file("connections", "7\r\n"),
		"SECRET_KEY":                "c2VncmVkbw==", "SECRET_KEY_FILE": file("key", "x"),
		"SMTP_URL_FILE": filepath.Join(dir, "missing"), "SIGN_UP": "invitation",
	})
	check.Equal(t, "GOOGLE_SECRET", config.GoogleSecret, "GOCSPX-from-a-file")
	check.Equal(t, "DATABASE_CONNECTIONS", config.DatabaseConns, 7)
	for _, want := range []string{"SECRET_KEY: is set twice", "SMTP_URL_FILE: open "} {
		if !hasProblem(err, want) {
			t.Errorf("settings in files: got %v, want %q", err, want)
		}
	}
	if hasProblem(err, "GOOGLE_SECRET") {
		t.Errorf("settings in files: got %v, want no problem with GOOGLE_SECRET", err)
	}
	sources := map[string]string{}
	for _, s := range config.Settings() {
		sources[s.Name] = s.Source
	}
	for name, want := range map[string]string{"GOOGLE_SECRET": filepath.Join(dir, "google"), "SIGN_UP": "environment",
		"LISTEN_ADDR": "default"} {
		check.Equal(t, "source of "+name, sources[name], want)
	}
}

// TestSecretsAreMasked sets every setting, and looks for the secrets among those that are shown.
func TestSecretsAreMasked(t *testing.T) {
	settings := exampleSettings(t, true)
	maps.Copy(settings, map[string]string{
		"SECRET_KEY":            base64.StdEncoding.EncodeToString(core.NewSecretKey()),
		"DATABASE_URL":          "postgres://u:password@db/sininho?sslpassword=password",
		"DATABASE_REPLICA_URLS": "postgres://password@one/sininho,postgres:///?host=two&password=password",
		"NATS_URL":              "nats://password@a:4222,nats://b:4222", "FIREBASE_CREDENTIALS": `{"key":"password"}`,
		"FIREBASE_CREDENTIALS_FILE": "", "ACME_CA_FILE": "",
	})
	config, err := ReadConfig(settings)
	check.Equal(t, "problems", problemsOf(err), []string{"DEMO_WEBHOOK_URL: is empty"})
	values := map[string]string{}
	for _, s := range config.Settings() {
		values[s.Name] = s.Value
		secrets := []string{"password", "GOCSPX", settings["SECRET_KEY"]}
		if slices.ContainsFunc(secrets, func(secret string) bool { return strings.Contains(s.Value, secret) }) {
			t.Errorf("%s is shown as %q, want no secret", s.Name, s.Value)
		}
	}
	for name, want := range map[string]string{
		"DATABASE_URL": "postgres://********@db/sininho", "SECRET_KEY": "********",
		"NATS_URL":              "nats://********@a:4222,nats://b:4222",
		"DATABASE_REPLICA_URLS": "********",
		"PUBLIC_URL":            "https://sininho.example.com", "TRUSTED_PROXIES": "127.0.0.1,::1",
	} {
		check.Equal(t, "shown "+name, values[name], want)
	}
}
