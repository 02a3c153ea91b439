package gotify

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/sininho/sininho/server/internal/compat"
)

// refusal is an error of Gotify.
type refusal struct {
	Error       string `json:"error"`
	Code        int    `json:"errorCode"`
	Description string `json:"errorDescription"`
}

func malformed(detail string) error {
	return &compat.Error{Status: http.StatusBadRequest, Detail: detail}
}

// writeError responds with an error in Gotify's form.
func writeError(w http.ResponseWriter, r *http.Request, err error) {
	e, ok := errors.AsType[*compat.Error](err)
	if !ok {
		e = &compat.Error{Status: http.StatusInternalServerError, Detail: "The server failed."}
	}
	status, detail := e.Status, e.Detail
	switch {
	case status == http.StatusUnauthorized, r.Header.Get("Authorization") == "":
		status = http.StatusUnauthorized
		detail = "you need to provide a valid access token: CHANNEL:KEY with an API key, or the key alone"
	case status == http.StatusUnprocessableEntity:
		status = http.StatusBadRequest
	}
	if e.RetryAfter != "" {
		w.Header().Set("Retry-After", e.RetryAfter)
	}
	writeJSON(w, status, refusal{http.StatusText(status), status, detail})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}
