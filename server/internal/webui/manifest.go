package webui

import (
	"encoding/json"
	"io"
	"net/http"
	"regexp"
)

const manifestName = "manifest.webmanifest"

// channelAddress matches publisherSlug/channelSlug.
var channelAddress = regexp.MustCompile(`^[a-z0-9-]{1,64}/[a-z0-9-]{1,64}$`)

// serveManifest serves the manifest of the app, which with the parameter receive begins on the page of a channel: on an
// iPhone the app on the home screen shares nothing with the browser, and so knows what was to be received.
func (a *app) serveManifest(w http.ResponseWriter, r *http.Request) {
	channel := r.URL.Query().Get("receive")
	if !channelAddress.MatchString(channel) {
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
	manifest["start_url"] = "/channels/" + channel + "?receive=true"
	changed, _ := json.Marshal(manifest) // it was parsed from JSON
	w.Header().Set("Vary", byLanguage)
	newFile(manifestName, inMemory(changed)).serve(w, r, cacheControl(manifestName))
}
