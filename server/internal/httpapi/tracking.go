package httpapi

import "net/http"

// trackingRefused reports whether the browser asks not to be tracked, by Do Not Track or Global Privacy Control.
func trackingRefused(r *http.Request) bool {
	return r.Header.Get("DNT") == "1" || r.Header.Get("Sec-GPC") == "1"
}
