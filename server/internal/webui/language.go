package webui

import (
	"net/http"
	"slices"

	"github.com/sininho/sininho/server/internal/core"
)

// languageCookie holds the language that a person has chosen. The app sets it (webapp/src/lib/language.ts).
const languageCookie = "sininho_language"

// byLanguage are the headers that languageOf reads.
const byLanguage = "Accept-Language, Cookie"

// languageOf returns the language in which the app responds: that which was chosen, otherwise that of the browser.
func languageOf(r *http.Request) core.Language {
	if cookie, err := r.Cookie(languageCookie); err == nil && slices.Contains(languages, core.Language(cookie.Value)) {
		return core.Language(cookie.Value)
	}
	return core.PreferredLanguage(r.Header.Get("Accept-Language"))
}
