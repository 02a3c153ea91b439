package sininhotest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/webhook"
)

// hook is a webhook with what it keeps.
type hook struct {
	sininho.Webhook
	secrets []string                     // that are good
	events  []sininho.WebhookEventDetail // oldest first
}

func (s *Server) webhookRoutes(mux *http.ServeMux, path string) {
	mux.HandleFunc("GET "+path, s.locked(s.inChannel(s.listWebhooks)))
	mux.HandleFunc("POST "+path, s.locked(s.once(s.createWebhook)))
	mux.HandleFunc("POST "+path+"/preview", s.locked(s.inChannel(s.previewWebhook)))
	mux.HandleFunc(path+"/{id}", s.locked(s.inWebhook(s.oneWebhook)))
	mux.HandleFunc("POST "+path+"/{id}/rotate", s.locked(s.once(s.rotateWebhook)))
	mux.HandleFunc("GET "+path+"/{id}/events", s.locked(s.inWebhook(s.listEvents)))
	mux.HandleFunc("GET "+path+"/{id}/events/{eventId}", s.locked(s.inEvent(s.getEvent)))
	mux.HandleFunc("POST "+path+"/{id}/events/{eventId}/replay", s.locked(s.inEvent(s.replayEvent)))
	mux.HandleFunc("POST "+receivePath+"{id}", s.locked(s.receive))
}

// webhook finds one that a channel has.
func (s *Server) webhook(r *http.Request) (*channel, *hook) {
	c := s.store.channel(r.PathValue("publisherSlug") + "/" + r.PathValue("channelSlug"))
	if c == nil {
		return nil, nil
	}
	for _, h := range c.webhooks {
		if h.ID == r.PathValue("id") {
			return c, h
		}
	}
	return c, nil
}

func (s *Server) inWebhook(do func(http.ResponseWriter, *http.Request, *channel, *hook)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if c, h := s.webhook(r); h != nil {
			do(w, r, c, h)
			return
		}
		notFound(w)
	}
}

func (s *Server) listWebhooks(w http.ResponseWriter, r *http.Request, c *channel) {
	var all []sininho.Webhook
	for _, h := range c.webhooks {
		all = append(all, h.Webhook)
	}
	writePage(w, r, all)
}

func (s *Server) createWebhook(r *http.Request, body []byte) (int, any) {
	c := s.store.channel(r.PathValue("publisherSlug") + "/" + r.PathValue("channelSlug"))
	if c == nil {
		return refusal(http.StatusNotFound, "not_found", "There is no such channel.")
	}
	var in struct {
		sininho.Webhook
		Secret string
	}
	_ = json.Unmarshal(body, &in)
	h := &hook{Webhook: in.Webhook}
	if h.Sender == "" {
		h.Sender = sininho.SenderPlain
	}
	if h.Signing == "" {
		h.Signing = signingOf(h.Sender)
	}
	h.ID, h.URL, h.Signed, h.CreatedAt = newID(), s.newWebhookURL(), h.Signing != sininho.SigningNone, now()
	c.webhooks = append(c.webhooks, h)
	return http.StatusCreated, h.withSecret(h.newSecret(in.Secret))
}

// signingOf is how a sender signs.
func signingOf(sender sininho.WebhookSender) sininho.WebhookSigning {
	switch sender {
	case sininho.SenderPlain:
		return sininho.SigningStandard
	case sininho.SenderAlertmanager, sininho.SenderGrafana:
		return sininho.SigningBearer
	}
	return sininho.WebhookSigning(sender)
}

// newSecret takes the secret that was given, or makes and tells one.
func (h *hook) newSecret(given string) (told string) {
	if !h.Signed {
		return ""
	}
	if given == "" {
		given = webhook.NewSecret()
		told = given
	}
	h.secrets = append([]string{given}, h.secrets[:min(len(h.secrets), 1)]...)
	return told
}

func (s *Server) newWebhookURL() string {
	return s.URL + receivePath + strings.ReplaceAll(newID(), "-", "")
}

func (h *hook) withSecret(secret string) sininho.WebhookSecret {
	return sininho.WebhookSecret{
		ID: h.ID, Name: h.Name, URL: h.URL, Signed: h.Signed, Signing: h.Signing, Sender: h.Sender, Secret: secret, CreatedAt: h.CreatedAt,
	}
}

func (s *Server) oneWebhook(w http.ResponseWriter, r *http.Request, c *channel, h *hook) {
	if changed(w, r, h.Webhook) {
		return
	}
	switch r.Method {
	case http.MethodPatch:
		h.Webhook = merged(r, h.Webhook)
	case http.MethodDelete:
		c.webhooks = slices.DeleteFunc(c.webhooks, func(other *hook) bool { return other == h })
		w.WriteHeader(http.StatusNoContent)
		return
	}
	writeVersion(w, h.Webhook)
}

func (s *Server) rotateWebhook(r *http.Request, body []byte) (int, any) {
	_, h := s.webhook(r)
	if h == nil {
		return refusal(http.StatusNotFound, "not_found", "There is no such webhook.")
	}
	var in api.WebhookRotation
	_ = json.Unmarshal(body, &in)
	switch {
	case in.What == api.WebhookRotationWhatAddress:
		h.URL = s.newWebhookURL()
		return http.StatusOK, h.withSecret("")
	case !h.Signed:
		return unknown("what", "is what an unsigned webhook does not have")
	}
	return http.StatusOK, h.withSecret(h.newSecret(value(in.Secret)))
}
