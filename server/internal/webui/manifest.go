package webui

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"

	"github.com/sininho/sininho/server/internal/core"
)

const manifestName = "manifest.webmanifest"

// channelAddress matches publisherSlug/channelSlug.
const channelAddress = `[a-z0-9-]{1,64}/[a-z0-9-]{1,64}`

var (
	oneChannel = regexp.MustCompile(`^` + channelAddress + `$`)
	channels   = regexp.MustCompile(`^` + channelAddress + `(,` + channelAddress + `){0,9}$`)
)

// startOf returns where the app on the home screen begins, or "" for where it always does. On an iPhone it shares
// nothing with the browser, and so knows what was to be received: a channel, or what somebody else has set the phone up
// with.
func startOf(query url.Values) string {
	if channel := query.Get("receive"); oneChannel.MatchString(channel) {
		return "/channels/" + channel + "?receive=true"
	}
	if !channels.MatchString(query.Get("channels")) {
		return ""
	}
	start := url.Values{"channels": query["channels"][:1]}
	if language := query.Get("language"); slices.Contains(languages, core.Language(language)) {
		start.Set("language", language)
	}
	if query.Get("text") == "large" {
		start.Set("text", "large")
	}
	return "/start?" + start.Encode()
}

// serveManifest serves the manifest of the app, with the page on which it begins.
func (a *app) serveManifest(w http.ResponseWriter, r *http.Request) {
	start := startOf(r.URL.Query())
	if start == "" {
		a.serveFile(w, r, manifestName)
		return
	}
	var manifest map[string]any
	plain, err := io.ReadAll(a.file(manifestName, languageOf(r)).plain())
	if err == nil {
		err = json.Unmarshal(plain, &manifest)
	}
	if err != nil {
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	manifest["start_url"] = start
	changed, _ := json.Marshal(manifest) // it was parsed from JSON
	w.Header().Set("Vary", byLanguage)
	newFile(manifestName, inMemory(changed)).serve(w, r, cacheControl(manifestName))
}
