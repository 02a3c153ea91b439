package webui

import (
	"bytes"
	"encoding/json"
)

// publicSettings lists the only settings that ever reach a browser, in the order in which they are served. Never add
// Google's client secret, secret keys or database addresses.
var publicSettings = []string{
	"DEMO_WEBHOOK_URL",
	"FIREBASE_API_KEY",
	"FIREBASE_AUTH_DOMAIN",
	"FIREBASE_PROJECT_ID",
	"FIREBASE_MESSAGING_SENDER_ID",
	"FIREBASE_APP_ID",
	"FIREBASE_STORAGE_BUCKET",
	"FIREBASE_VAPID_PUBLIC_KEY",
	"PUSH",
	"WEB_PUSH_PUBLIC_KEY",
	"ANALYTICS",
	"POSTHOG_API_KEY",
	"POSTHOG_HOST",
	"API_BASE_URL",
	"WAITLIST_API_BASE_URL",
	"LINK_SCHEMES",
	"SUPPORT_URL",
	"PRIVACY",
	"TERMS",
	"WAITLIST",
	"SIGN_UP",
	"PUBLISHERS",
}

// settingsScript returns /config.js. It is a plain script, because a service worker can read its settings only with
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

// quoted returns a JavaScript string literal that is also safe within a script element: json.Marshal escapes <, >, &
// and Unicode line separators.
func quoted(text string) []byte {
	literal, err := json.Marshal(text)
	if err != nil {
		panic(err) // cannot happen: every string can be marshaled
	}
	return literal
}
