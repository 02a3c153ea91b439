package fcm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// maxPayload is the maximum size of a message in bytes without its address. FCM measures only what it passes on, which
// is slightly less, so a message that keeps this limit also keeps FCM's.
const maxPayload = 4096

// maxBody is the maximum number of bytes read of any request.
const maxBody = 64 << 10

// sendRequest is the body of messages:send. FCM accepts both the names of protocol buffers and their JSON names.
type sendRequest struct {
	Message       json.RawMessage `json:"message"`
	ValidateOnly  bool            `json:"validate_only"`
	ValidateOnly2 bool            `json:"validateOnly"`
}

// message is a v1 message. Parts for other platforms than the web are not checked.
type message struct {
	Name         string            `json:"name"`
	FID          string            `json:"fid"`
	Token        string            `json:"token"`
	Topic        string            `json:"topic"`
	Condition    string            `json:"condition"`
	Data         map[string]string `json:"data"`
	Notification *notification     `json:"notification"`
	Webpush      *webpush          `json:"webpush"`
	Android      json.RawMessage   `json:"android"`
	APNS         json.RawMessage   `json:"apns"`
	Options      *options          `json:"fcm_options"`
	Options2     *options          `json:"fcmOptions"`
}

type notification struct {
	Title string `json:"title"`
	Body  string `json:"body"`
	Image string `json:"image"`
}

type webpush struct {
	Headers      map[string]string `json:"headers"`
	Data         map[string]string `json:"data"`
	Notification map[string]any    `json:"notification"`
	Options      *options          `json:"fcm_options"`
	Options2     *options          `json:"fcmOptions"`
}

type options struct {
	Link            string `json:"link"`
	AnalyticsLabel  string `json:"analytics_label"`
	AnalyticsLabel2 string `json:"analyticsLabel"`
}

// link returns the URL that a click on the message opens, or an empty string.
func (m *message) link() string {
	if m.Webpush == nil {
		return ""
	}
	for _, o := range []*options{m.Webpush.Options, m.Webpush.Options2} {
		if o != nil && o.Link != "" {
			return o.Link
		}
	}
	return ""
}

// readMessage reads the body of messages:send and validates it as FCM does. A refused message is returned with the
// error response. The raw message is compact JSON.
func readMessage(body []byte) (m message, raw []byte, validateOnly bool, refusal *response) {
	var request sendRequest
	if refusal = decodeStrictly(body, &request, ""); refusal != nil {
		return m, nil, false, refusal
	}
	if len(request.Message) == 0 || string(request.Message) == "null" {
		return m, nil, false, invalid("message", "The message is not set.")
	}
	if refusal = decodeStrictly(request.Message, &m, "message"); refusal != nil {
		return m, nil, false, refusal
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, request.Message); err != nil {
		return m, nil, false, invalid("", err.Error())
	}
	return m, compact.Bytes(), request.ValidateOnly || request.ValidateOnly2, m.judge(compact.Len() - len(m.address()))
}

// address returns whom the message is for: an installation id, or a token.
func (m *message) address() string { return m.FID + m.Token }

// judge returns nil if FCM would accept the message.
func (m *message) judge(size int) *response {
	switch {
	case m.Topic != "" || m.Condition != "":
		return refused("The stand-in sends to installations and tokens only, not to topics or conditions.")
	case m.FID != "" && m.Token != "":
		return invalid("message.token", "Only one recipient of the message may be set.")
	case m.address() == "":
		return refused("Recipient of the message is not set.",
			violation{Field: "message", Description: "Recipient of the message is not set."})
	case size > maxPayload:
		return refused("Message is too big") // like FCM's, the BadRequest names no field
	}
	if link := m.link(); link != "" {
		if u, err := url.Parse(link); err != nil || u.Scheme != "https" || u.Host == "" {
			return refused("Request contains an invalid argument.",
				violation{
					Field:       "message.webpush.fcm_options.link",
					Description: "The link must be a valid HTTPS URL: " + link,
				})
		}
	}
	for key := range m.Data {
		if reserved(key) {
			return refused("Invalid data payload key: "+key,
				violation{Field: "message.data", Description: "Invalid data payload key: " + key})
		}
	}
	return nil
}

// reserved reports whether FCM reserves the key of a data entry.
func reserved(key string) bool {
	return key == "from" || key == "message_type" || strings.HasPrefix(key, "google.") || strings.HasPrefix(key, "gcm.")
}

// decodeStrictly reads JSON into a struct, and refuses unknown fields and wrong types with FCM's messages.
func decodeStrictly(b []byte, into any, at string) *response {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if err == nil && d.More() {
		err = errors.New("unexpected data after the value")
	}
	if err == nil {
		return nil
	}
	var wrongType *json.UnmarshalTypeError
	if errors.As(err, &wrongType) {
		field := strings.Trim(at+"."+wrongType.Field, ".")
		return invalid(field, fmt.Sprintf("Invalid value at '%s' (%s), %s", field, wrongType.Type, wrongType.Value))
	}
	if _, name, ok := strings.Cut(err.Error(), "unknown field "); ok {
		place := ""
		if at != "" {
			place = " at '" + at + "'"
		}
		return invalid(at, "Invalid JSON payload received. Unknown name "+name+place+": Cannot find field.")
	}
	return refusal(http.StatusBadRequest, "INVALID_ARGUMENT", "Invalid JSON payload received. "+err.Error())
}
