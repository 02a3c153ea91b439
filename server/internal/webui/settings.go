package webui

import (
	"bytes"
	"encoding/json"
)

// publicSettings are the only ones that ever reach a browser, in the order in which they are served. Google's client
// secret, keys and database addresses must never be added.
var publicSettings = []string{
	"DEMO_WEBHOOK_URL",
	"FIREBASE_API_KEY",
	"FIREBASE_AUTH_DOMAIN",
	"FIREBASE_PROJECT_ID",
	"FIREBASE_MESSAGING_SENDER_ID",
	"FIREBASE_APP_ID",
	"FIREBASE_STORAGE_BUCKET",
	"FIREBASE_VAPID_PUBLIC_KEY",
	"POSTHOG_API_KEY",
	"POSTHOG_HOST",
	"API_BASE_URL",
	"WAITLIST_API_BASE_URL",
	"SUPPORT_URL",
	"WAITLIST",
	"SIGN_UP",
}

// settingsScript is /config.js: a plain script, because the service worker can read its settings only by
// importScripts, before its first event.
func settingsScript(env map[string]string) []byte {
	var script bytes.Buffer
	script.WriteString("globalThis.SININHO_ENV = Object.freeze({")
	separator := "\n  "
	for _, name := range publicSettings {
		value, given := env[name]
		if !given {
			continue
		}
		script.WriteString(separator)
		script.Write(quoted(name))
		script.WriteString(": ")
		script.Write(quoted(value))
		separator = ",\n  "
	}
	script.WriteString("\n});\n")
	return script.Bytes()
}

// quoted escapes for a script too: <, >, & and the line separators of Unicode.
func quoted(text string) []byte {
	literal, err := json.Marshal(text)
	if err != nil {
		panic(err) // no string fails to marshal
	}
	return literal
}
