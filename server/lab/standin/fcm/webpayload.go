package fcm

import (
	"encoding/json"
	"maps"
)

// senderID is the project's number, as browsers see it.
const senderID = "123456789012"

// payload is what FCM pushes to a browser, in the form that the service worker of firebase-js-sdk reads.
type payload struct {
	From         string            `json:"from"`
	MessageID    string            `json:"fcmMessageId"`
	Priority     string            `json:"priority"`
	Notification map[string]any    `json:"notification,omitempty"`
	Data         map[string]string `json:"data,omitempty"`
	Options      *payloadOptions   `json:"fcmOptions,omitempty"`
}

type payloadOptions struct {
	Link           string `json:"link,omitempty"`
	AnalyticsLabel string `json:"analytics_label,omitempty"`
}

// webPayload creates the payload of a message, in which the web's part overrides the common part.
func webPayload(raw []byte, id string) ([]byte, error) {
	var m message
	if err := json.Unmarshal(raw, &m); err != nil {
		return nil, err
	}
	p := payload{From: senderID, MessageID: id, Priority: "normal", Data: m.Data, Notification: webNotification(m)}
	if m.Webpush != nil {
		if len(m.Webpush.Data) > 0 {
			p.Data = maps.Clone(m.Data)
			if p.Data == nil {
				p.Data = map[string]string{}
			}
			maps.Copy(p.Data, m.Webpush.Data)
		}
		if m.Webpush.Headers["Urgency"] == "high" {
			p.Priority = "high"
		}
	}
	o := payloadOptions{Link: m.link(), AnalyticsLabel: m.analyticsLabel()}
	if o != (payloadOptions{}) {
		p.Options = &o
	}
	return json.Marshal(p)
}

func webNotification(m message) map[string]any {
	n := map[string]any{}
	if m.Notification != nil {
		for key, value := range map[string]string{
			"title": m.Notification.Title, "body": m.Notification.Body, "image": m.Notification.Image,
		} {
			if value != "" {
				n[key] = value
			}
		}
	}
	if m.Webpush != nil {
		maps.Copy(n, m.Webpush.Notification)
	}
	return n
}

func (m *message) analyticsLabel() string {
	all := []*options{m.Options, m.Options2}
	if m.Webpush != nil {
		all = []*options{m.Webpush.Options, m.Webpush.Options2, m.Options, m.Options2}
	}
	for _, o := range all {
		if o != nil && o.AnalyticsLabel+o.AnalyticsLabel2 != "" {
			return o.AnalyticsLabel + o.AnalyticsLabel2
		}
	}
	return ""
}
