package fcm

import "net/http"

// allowBrowsers allows calls from pages of any origin.
func allowBrowsers(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Access-Control-Allow-Origin", "*")
		header.Set("Access-Control-Allow-Methods", "POST, PATCH, DELETE")
		header.Set("Access-Control-Allow-Private-Network", "true")
		if ask := r.Header.Get("Access-Control-Request-Headers"); ask != "" {
			header.Set("Access-Control-Allow-Headers", ask)
		}
		h(w, r)
	}
}
