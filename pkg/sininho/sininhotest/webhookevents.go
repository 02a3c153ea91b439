package sininhotest

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/pkg/sininho"
)

// receivePath is where others post.
const receivePath = "/api/v1/webhooks/channels/"

func (s *Server) listEvents(w http.ResponseWriter, r *http.Request, _ *channel, h *hook) {
	newest := []sininho.WebhookEvent{}
	for _, e := range slices.Backward(h.events) {
		newest = append(newest, e.WebhookEvent)
	}
	writePage(w, r, newest)
}

func (s *Server) inEvent(do func(http.ResponseWriter, *channel, *hook, *sininho.WebhookEventDetail)) http.HandlerFunc {
	return s.inWebhook(func(w http.ResponseWriter, r *http.Request, c *channel, h *hook) {
		if e := h.event(r.PathValue("eventId")); e != nil {
			do(w, c, h, e)
			return
		}
		notFound(w)
	})
}

func (h *hook) event(id string) *sininho.WebhookEventDetail {
	for i := range h.events {
		if h.events[i].ID == id {
			return &h.events[i]
		}
	}
	return nil
}

func (s *Server) getEvent(w http.ResponseWriter, _ *channel, _ *hook, e *sininho.WebhookEventDetail) {
	writeJSON(w, http.StatusOK, e)
}

func (s *Server) replayEvent(w http.ResponseWriter, c *channel, h *hook, e *sininho.WebhookEventDetail) {
	s.carryOut(c, h, e)
	writeJSON(w, http.StatusOK, e.WebhookEvent)
}

// carryOut publishes what was posted, unless it was published before.
func (s *Server) carryOut(c *channel, h *hook, e *sininho.WebhookEventDetail) {
	if e.Outcome == sininho.WebhookPublished {
		return
	}
	var in sininho.PublishInput
	if in, e.Outcome, e.Detail = rendered(h.Sender, h.Template, e.Payload); e.Outcome != sininho.WebhookPublished {
		return
	}
	body, _ := json.Marshal(in)
	_, n := s.add(c, body)
	e.NotificationID = n.ID
}

// rendered reads a plain payload. Senders' templates are rendered by servers alone.
func rendered(sender sininho.WebhookSender, own *sininho.WebhookTemplate, payload []byte) (in sininho.PublishInput, outcome sininho.WebhookOutcome, detail string) {
	if own != nil || (sender != "" && sender != sininho.SenderPlain) {
		return in, sininho.WebhookSkipped, "sininhotest renders no templates; it takes plain payloads."
	}
	var members struct {
		Title, Body, Image, Icon, Link, ExternalID string
		Importance                                 sininho.Importance
		Data                                       map[string]string
	}
	if err := json.Unmarshal(payload, &members); err != nil {
		return in, sininho.WebhookRefused, "A member is no text."
	}
	in = sininho.PublishInput{
		Title: members.Title, Body: members.Body, Image: members.Image, Icon: members.Icon, Link: members.Link,
		ExternalID: members.ExternalID, Importance: members.Importance, Data: members.Data,
	}
	body, _ := json.Marshal(in)
	if fault := publishFault(body); fault != nil {
		var details []string
		for _, f := range fault.Errors {
			details = append(details, f.Pointer+" "+f.Detail+".")
		}
		return in, sininho.WebhookRefused, strings.Join(details, " ")
	}
	return in, sininho.WebhookPublished, ""
}

func (s *Server) previewWebhook(w http.ResponseWriter, r *http.Request, _ *channel) {
	in := decoded[struct {
		Sender   sininho.WebhookSender
		Template *sininho.WebhookTemplate
		Payload  json.RawMessage
	}](r)
	made, outcome, detail := rendered(in.Sender, in.Template, in.Payload)
	preview := sininho.WebhookPreview{Outcome: outcome, Detail: detail}
	if outcome == sininho.WebhookPublished {
		n := sininho.RenderedNotification{Importance: sininho.Normal}
		text, _ := json.Marshal(made)
		_ = json.Unmarshal(text, &n)
		preview.Notification = &n
	}
	writeJSON(w, http.StatusOK, preview)
}

// receive is what others post to.
func (s *Server) receive(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	for _, c := range s.store.channels {
		for _, h := range c.webhooks {
			if h.URL == s.URL+r.URL.Path {
				s.take(w, r, c, h, body)
				return
			}
		}
	}
	notFound(w)
}

func (s *Server) take(w http.ResponseWriter, r *http.Request, c *channel, h *hook, body []byte) {
	if !h.verified(r.Header, body) {
		writeProblem(w, problem(http.StatusUnauthorized, "signature", "The signature is missing, too old or not right."))
		return
	}
	id := r.Header.Get("webhook-id")
	if id == "" {
		id = newID()
	}
	e := h.event(id)
	known := e != nil
	if !known {
		h.events = append(h.events, sininho.WebhookEventDetail{
			WebhookEvent: sininho.WebhookEvent{ID: id, Kind: r.Header.Get("X-Github-Event"), ReceivedAt: now()},
			Payload:      body, Headers: map[string]string{},
		})
		e = &h.events[len(h.events)-1]
	}
	h.LastEventAt = now()
	s.carryOut(c, h, e)
	receipt := api.WebhookReceipt{Outcome: api.WebhookOutcome(e.Outcome), Duplicate: known}
	if e.Detail != "" {
		receipt.Detail = &e.Detail
	}
	writeJSON(w, http.StatusAccepted, struct {
		api.WebhookReceipt
		NotificationID string `json:"notificationId,omitzero"`
	}{receipt, e.NotificationID})
}
