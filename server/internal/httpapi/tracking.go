package httpapi

import "net/http"

// trackingRefused tells whether the browser asks that nothing of this request be counted, by Do Not Track or by Global
// Privacy Control.
func trackingRefused(r *http.Request) bool {
	return r.Header.Get("DNT") == "1" || r.Header.Get("Sec-GPC") == "1"
}
