package fcm

import (
	"encoding/json"
	"net/http"
)

// response is a prepared HTTP response.
type response struct {
	status int
	body   []byte
	header map[string]string
}

func (a *response) write(w http.ResponseWriter) {
	h := w.Header()
	for k, v := range a.header {
		h.Set(k, v)
	}
	h.Set("Content-Type", "application/json; charset=UTF-8")
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body)
}

// detail is one of the details of a google.rpc.Status.
type detail map[string]any

type violation struct {
	Field       string `json:"field,omitempty"`
	Description string `json:"description,omitempty"`
	Subject     string `json:"subject,omitempty"`
}

func fcmError(code string) detail {
	return detail{"@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", "errorCode": code}
}

func badRequest(v ...violation) detail {
	d := detail{"@type": "type.googleapis.com/google.rpc.BadRequest"}
	if len(v) > 0 {
		d["fieldViolations"] = v
	}
	return d
}

func errorInfo(reason string, metadata map[string]string) detail {
	return detail{
		"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason, "domain": "googleapis.com",
		"metadata": metadata,
	}
}

// refusal creates an error response in the form of Google's APIs.
func refusal(status int, code, message string, details ...detail) *response {
	type body struct {
		Code    int      `json:"code"`
		Message string   `json:"message"`
		Status  string   `json:"status"`
		Details []detail `json:"details,omitempty"`
	}
	b, err := json.MarshalIndent(map[string]body{"error": {status, message, code, details}}, "", "  ")
	if err != nil {
		panic(err) // only strings and numbers, which can always be marshaled
	}
	return &response{status: status, body: append(b, '\n')}
}

// invalid refuses a malformed message.
func invalid(field, description string) *response {
	return refusal(http.StatusBadRequest, "INVALID_ARGUMENT", description,
		badRequest(violation{Field: field, Description: description}))
}

// refused refuses a well-formed message whose content cannot be sent.
func refused(message string, v ...violation) *response {
	return refusal(http.StatusBadRequest, "INVALID_ARGUMENT", message, badRequest(v...), fcmError("INVALID_ARGUMENT"))
}

func unauthenticated(message, reason string) *response {
	a := refusal(http.StatusUnauthorized, "UNAUTHENTICATED",
		message+" Expected OAuth 2 access token, login cookie or other valid authentication credential. "+
			"See https://developers.google.com/identity/sign-in/web/devconsole-project.",
		errorInfo(reason, map[string]string{
			"service": "fcm.googleapis.com", "method": "google.firebase.fcm.v1.FcmService.SendMessage",
		}))
	a.header = map[string]string{"WWW-Authenticate": `Bearer realm="https://accounts.google.com/"`}
	return a
}

var (
	noCredentials    = unauthenticated("Request is missing required authentication credential.", "CREDENTIALS_MISSING")
	wrongCredentials = unauthenticated("Request had invalid authentication credentials.",
		"ACCESS_TOKEN_TYPE_UNSUPPORTED")
	internalError = refusal(http.StatusInternalServerError, "INTERNAL", "Internal error encountered.",
		fcmError("INTERNAL"))
	notRegistered = refusal(http.StatusNotFound, "NOT_FOUND", "Requested entity was not found.",
		fcmError("UNREGISTERED"))
)

// errorForms are the errors that a fault can have, by name: FCM's error codes, and three more that have the code of
// another but a different body.
var errorForms = map[string]*response{
	"UNREGISTERED": notRegistered,
	"SENDER_ID_MISMATCH": refusal(http.StatusForbidden, "PERMISSION_DENIED", "SenderId mismatch",
		fcmError("SENDER_ID_MISMATCH")),
	"INVALID_ARGUMENT": refused("Request contains an invalid argument.",
		violation{Field: "message.webpush.notification", Description: "Invalid value"}),
	"INVALID_TOKEN": refusal(http.StatusBadRequest, "INVALID_ARGUMENT",
		"The registration token is not a valid FCM registration token",
		fcmError("INVALID_ARGUMENT"),
		badRequest(violation{Field: "message.token", Description: "Invalid registration token"})),
	"THIRD_PARTY_AUTH_ERROR": refusal(http.StatusUnauthorized, "UNAUTHENTICATED",
		"Auth error from APNS or Web Push Service",
		fcmError("THIRD_PARTY_AUTH_ERROR")),
	"UNAUTHENTICATED": wrongCredentials,
	"QUOTA_EXCEEDED": refusal(http.StatusTooManyRequests, "RESOURCE_EXHAUSTED",
		"Resource has been exhausted (e.g. check quota).",
		detail{
			"@type":      "type.googleapis.com/google.rpc.QuotaFailure",
			"violations": []violation{{Subject: "device", Description: "Device message rate exceeded."}},
		},
		fcmError("QUOTA_EXCEEDED")),
	"RATE_LIMIT_EXCEEDED": refusal(http.StatusTooManyRequests, "RESOURCE_EXHAUSTED",
		"Quota exceeded for quota metric 'Send requests' and limit 'Send requests per minute' of service "+
			"'fcm.googleapis.com' for consumer 'project_number:123456789012'.",
		errorInfo("RATE_LIMIT_EXCEEDED", map[string]string{
			"service": "fcm.googleapis.com", "consumer": "projects/123456789012",
			"quota_metric": "fcm.googleapis.com/send_requests", "quota_limit": "SendsPerMinutePerProject",
			"quota_limit_value": "600000", "quota_unit": "1/min/{project}", "quota_location": "global",
		})),
	"INTERNAL": internalError,
	"UNAVAILABLE": refusal(http.StatusServiceUnavailable, "UNAVAILABLE", "The service is currently unavailable.",
		fcmError("UNAVAILABLE")),
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

// writeProblem responds to a script that sent an invalid request to /sent or /faults.
func writeProblem(w http.ResponseWriter, problem string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(http.StatusBadRequest)
	_ = json.NewEncoder(w).Encode(struct {
		Title  string `json:"title"`
		Status int    `json:"status"`
		Detail string `json:"detail"`
	}{"The stand-in does not understand this", http.StatusBadRequest, problem})
}
