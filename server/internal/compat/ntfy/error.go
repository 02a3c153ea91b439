package ntfy

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/sininho/sininho/server/internal/compat"
)

// refusal is an error of ntfy, with the numbers that its clients know.
type refusal struct {
	Code    int    `json:"code"`
	Status  int    `json:"http"`
	Message string `json:"error"`
	Link    string `json:"link,omitempty"`

	retryAfter string // the header
}

func (e *refusal) Error() string { return e.Message }

// because returns the refusal with its reason.
func (e *refusal) because(reason string) *refusal {
	explained := *e
	explained.Message += "; " + reason
	return &explained
}

// The refusals, with the numbers and words of ntfy 2.17. It has none for what is unavailable or full.
var (
	errRequest      = &refusal{Code: 40000, Status: 400, Message: "invalid request"}
	errEmail        = &refusal{Code: 40001, Status: 400, Message: "e-mail notifications are not enabled"}
	errDelayNoCache = &refusal{Code: 40002, Status: 400, Message: "cannot disable cache for delayed message"}
	errDelay        = &refusal{Code: 40004, Status: 400, Message: "invalid delay parameter: unable to parse delay"}
	errDelaySmall   = &refusal{Code: 40005, Status: 400, Message: "invalid delay parameter: too small, at least 10s"}
	errDelayLarge   = &refusal{Code: 40006, Status: 400, Message: "invalid delay parameter: too large, at most a year"}
	errPriority     = &refusal{Code: 40007, Status: 400, Message: "invalid priority parameter"}
	errSince        = &refusal{Code: 40008, Status: 400, Message: "invalid since parameter"}
	errTopic        = &refusal{Code: 40009, Status: 400, Message: "invalid request: topic invalid"}
	errAttachURL    = &refusal{Code: 40013, Status: 400, Message: "invalid request: attachment URL is invalid"}
	errAttachments  = &refusal{Code: 40014, Status: 400, Message: "invalid request: attachments not allowed"}
	errSocket       = &refusal{Code: 40016, Status: 400, Message: "invalid request: not the websocket protocol"}
	errMessageJSON  = &refusal{Code: 40017, Status: 400, Message: "invalid request: request body must be message JSON"}
	errActions      = &refusal{Code: 40018, Status: 400, Message: "invalid request: actions invalid"}
	errIcon         = &refusal{Code: 40021, Status: 400, Message: "invalid request: icon URL is invalid"}
	errCalls        = &refusal{Code: 40032, Status: 400, Message: "invalid request: calling is disabled"}
	errTemplate     = &refusal{Code: 40043, Status: 400, Message: "invalid request: could not parse template"}
	errUnauthorized = &refusal{Code: 40101, Status: 401, Message: "unauthorized"}
	errForbidden    = &refusal{Code: 40301, Status: 403, Message: "forbidden"}
	errNotFound     = &refusal{Code: 40401, Status: 404, Message: "page not found"}
	errTooLarge     = &refusal{Code: 41301, Status: 413, Message: "attachment too large, or bandwidth limit reached"}
	errTooMany      = &refusal{Code: 42901, Status: 429, Message: "limit reached: too many requests"}
	errInternal     = &refusal{Code: 50001, Status: 500, Message: "internal server error"}
	errUnavailable  = &refusal{Code: 50301, Status: 503, Message: "temporarily unavailable"}
	errStorage      = &refusal{Code: 50701, Status: 507, Message: "insufficient storage"}
)

// explain returns the refusal for an error. To a stranger, a channel that is private looks like one that does not
// exist, and both like a topic that ntfy protects.
func explain(r *http.Request, err error) *refusal {
	if e, ok := errors.AsType[*refusal](err); ok {
		return e
	}
	e, ok := errors.AsType[*compat.Error](err)
	if !ok {
		return errInternal
	}
	reason := strings.TrimSuffix(e.Detail, ".")
	signed := r.Header.Get("Authorization") != ""
	switch e.Status {
	case http.StatusUnauthorized:
		if signed {
			return errUnauthorized.because(reason)
		}
		return errForbidden.because("an API key is missing, as a Bearer token or a password")
	case http.StatusForbidden:
		return errForbidden.because(reason)
	case http.StatusNotFound:
		if signed {
			return errNotFound.because("there is no such channel or message, or not for this credential")
		}
		return errForbidden.because("there is no such channel, or it needs an API key")
	case http.StatusRequestEntityTooLarge:
		return errTooLarge
	case http.StatusTooManyRequests:
		limited := errTooMany.because(reason)
		limited.retryAfter = e.RetryAfter
		return limited
	case http.StatusServiceUnavailable:
		return errUnavailable
	case http.StatusInsufficientStorage:
		return errStorage.because(reason)
	case http.StatusInternalServerError:
		return errInternal
	default:
		return errRequest.because(reason)
	}
}

func write(w http.ResponseWriter, e *refusal) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	if e.Status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", `Basic realm="Sininho", charset="UTF-8"`)
	}
	if e.retryAfter != "" {
		h.Set("Retry-After", e.retryAfter)
	}
	w.WriteHeader(e.Status)
	_ = json.NewEncoder(w).Encode(e)
}

func writeJSON(w http.ResponseWriter, v any) error {
	w.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(w).Encode(v)
}

// asRefusal returns the refusal that err is, or else another one.
func asRefusal(err error, or *refusal) *refusal {
	if e, ok := errors.AsType[*refusal](err); ok {
		return e
	}
	return or
}
