package settings

import (
	"encoding/base64"
	"encoding/json"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sininho/sininho/server/internal/core"
)

// Entry is a setting that a new installation gets.
type Entry struct {
	Setting string
	Flag    string // of `init`; "": it is never asked for
	About   string // in the file, in the help of the flag and when it is asked for
	// With is the choice that needs the setting, such as PUSH=fcm, or another setting that does; "": always.
	With   string
	Modes  []string // what may be chosen
	Secret bool

	// needed is the choice with which a setting must be given although it has a standard.
	needed string
	answer bool // it is no setting itself, but a part of a later one

	several  bool                 // whether several modes may be chosen, with commas between, or both of two
	standard func(answers) string // nil: it must be given where it is needed
	resolve  func(given string) (string, error)
}

// answers are the values of settings so far.
type answers map[string]string

// has reports whether the answers make a choice, or have a setting.
func (a answers) has(choice string) bool {
	setting, mode, isMode := strings.Cut(choice, "=")
	if !isMode {
		return a[setting] != ""
	}
	return slices.Contains(strings.Split(a[setting], ","), mode)
}

func always(value string) func(answers) string { return func(answers) string { return value } }

// unset is the standard of settings that may be left out.
var unset = always("")

// entries are in the order of the file. A choice precedes what needs it.
var entries = []Entry{
	{Setting: "PUBLIC_URL", Flag: "url", About: "Address at which people reach the installation, such as " +
		"https://sininho.example.com"},
	{Setting: "TLS", Flag: "tls", Modes: []string{"off", "auto"}, standard: always("off"),
		About: "Certificate for https, got and renewed on ports 443 and 80; off leaves it to a proxy"},
	{Setting: "LISTEN_ADDR", Flag: "listen", About: "Address that the server listens on", standard: listenAddr},
	{Setting: "TRUSTED_PROXIES", Flag: "trusted-proxies", standard: trustedProxies,
		About: "Addresses from which your proxy connects, separated by commas"},
	{Setting: "DATA_DIR", Flag: "data", About: "Directory of the server's own PostgreSQL", resolve: filepath.Abs,
		standard: always("sininho-data")},
	{Setting: "SECRET_KEY", standard: newSecretKey,
		About: "Encrypts stored secrets, which cannot be read without it. Keep a copy apart from backups"},
	{Setting: "SIGN_IN", Flag: "sign-in", About: "How people sign in",
		Modes: []string{"email", "passkey", "oidc", "google"}, several: true, standard: always("email")},
	{Setting: "GOOGLE_CLIENT_ID", Flag: "google-client-id", With: "SIGN_IN=google", About: "Client ID at Google"},
	{Setting: "GOOGLE_SECRET", Flag: "google-secret", With: "SIGN_IN=google", About: "Client secret at Google",
		Secret: true},
	{Setting: "OIDC_ISSUER", Flag: "oidc-issuer", With: "SIGN_IN=oidc", answer: true,
		About: "Address of the OpenID provider, such as https://id.example.com"},
	{Setting: "OIDC_NAME", Flag: "oidc-name", With: "SIGN_IN=oidc", answer: true, standard: issuerName,
		About: "Name of the OpenID provider, on its button"},
	{Setting: "OIDC_CLIENT_ID", Flag: "oidc-client-id", With: "SIGN_IN=oidc", answer: true,
		About: "Client ID at the OpenID provider"},
	{Setting: "OIDC_CLIENT_SECRET", Flag: "oidc-client-secret", With: "SIGN_IN=oidc", answer: true,
		About: "Client secret at the OpenID provider", Secret: true},
	{Setting: "OIDC_PROVIDERS", With: "SIGN_IN=oidc", standard: providers,
		About: "OpenID providers; the redirect address there is that of Sininho with " + callback},
	{Setting: "PUSH", Flag: "push", About: "What takes pushes", Modes: []string{"webpush", "fcm"}, several: true,
		standard: always("webpush")},
	{Setting: "FIREBASE_API_KEY", Flag: "firebase-api-key", With: "PUSH=fcm", About: "apiKey of the firebaseConfig"},
	{Setting: "FIREBASE_AUTH_DOMAIN", Flag: "firebase-auth-domain", With: "PUSH=fcm",
		About: "authDomain of the firebaseConfig"},
	{Setting: "FIREBASE_PROJECT_ID", Flag: "firebase-project-id", With: "PUSH=fcm",
		About: "projectId of the firebaseConfig"},
	{Setting: "FIREBASE_STORAGE_BUCKET", Flag: "firebase-storage-bucket", With: "PUSH=fcm",
		About: "storageBucket of the firebaseConfig"},
	{Setting: "FIREBASE_MESSAGING_SENDER_ID", Flag: "firebase-messaging-sender-id", With: "PUSH=fcm",
		About: "messagingSenderId of the firebaseConfig"},
	{Setting: "FIREBASE_APP_ID", Flag: "firebase-app-id", With: "PUSH=fcm", About: "appId of the firebaseConfig"},
	{Setting: "FIREBASE_VAPID_PUBLIC_KEY", Flag: "firebase-vapid-public-key", With: "PUSH=fcm",
		About: "Key of Firebase's Web Push certificates"},
	{Setting: "FIREBASE_CREDENTIALS_FILE", Flag: "firebase-credentials", With: "PUSH=fcm", resolve: filepath.Abs,
		About: "File with the key of Firebase's service account"},
	{Setting: "ANALYTICS", Flag: "analytics", About: "Where analytics are sent", Modes: []string{"off", "posthog"},
		standard: always("off")},
	{Setting: "POSTHOG_API_KEY", Flag: "posthog-api-key", With: "ANALYTICS=posthog",
		About: "Project API key of PostHog"},
	{Setting: "POSTHOG_HOST", Flag: "posthog-host", With: "ANALYTICS=posthog", About: "Address of PostHog",
		standard: always("https://eu.i.posthog.com")},
	{Setting: "SMTP_URL", Flag: "smtp", standard: unset, needed: "SIGN_IN=email", Secret: true,
		About: "Mail server, such as smtps://smtp.example.com:465, with user:password@ before the host"},
	{Setting: "MAIL_FROM", Flag: "mail-from", With: "SMTP_URL", About: "Sender of the emails", standard: mailFrom},
	{Setting: "OPERATOR_EMAILS", Flag: "operators", standard: unset,
		About: "People who may moderate: the addresses that they sign in with, separated by commas"},
}

// Entries returns the settings that may be given by flags.
func Entries() []Entry {
	return slices.DeleteFunc(slices.Clone(entries), func(e Entry) bool { return e.Flag == "" })
}

func newSecretKey(answers) string { return base64.StdEncoding.EncodeToString(core.NewSecretKey()) }

// listenAddr is on this machine, where the proxy is; without one it is where TLS or PUBLIC_URL say.
func listenAddr(a answers) string {
	if a.has("TLS=auto") {
		return ":443"
	}
	u, err := url.Parse(a["PUBLIC_URL"])
	if err == nil && u.Scheme == "http" && u.Port() != "" {
		return net.JoinHostPort(u.Hostname(), u.Port())
	}
	return "127.0.0.1:8080"
}

func trustedProxies(a answers) string {
	if strings.HasPrefix(a["PUBLIC_URL"], "https:") && a.has("TLS=off") {
		return "127.0.0.1,::1"
	}
	return ""
}

// callback is the path to which the OpenID provider sends browsers back.
const (
	providerID = "sso"
	callback   = "/api/v1/auth/oidc/" + providerID + "/callback"
)

func issuerName(a answers) string {
	u, err := url.Parse(a["OIDC_ISSUER"])
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// providers has the one provider of the answers.
func providers(a answers) string {
	list, err := json.Marshal([]map[string]string{{"id": providerID, "name": a["OIDC_NAME"],
		"issuer": a["OIDC_ISSUER"], "clientId": a["OIDC_CLIENT_ID"], "clientSecret": a["OIDC_CLIENT_SECRET"]}})
	if err != nil {
		panic(err) // cannot fail: only texts
	}
	return string(list)
}

func mailFrom(a answers) string {
	u, err := url.Parse(a["PUBLIC_URL"])
	if err != nil {
		return ""
	}
	return "Sininho <sininho@" + u.Hostname() + ">"
}
