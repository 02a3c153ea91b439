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

func (s *Server) webhookRoutes(mux *http.ServeMux, path string) {
	mux.HandleFunc("GET "+path, s.locked(s.inChannel(s.listWebhooks)))
	mux.HandleFunc("POST "+path, s.locked(s.once(s.createWebhook)))
	mux.HandleFunc(path+"/{id}", s.locked(s.inWebhook(s.oneWebhook)))
	mux.HandleFunc("POST "+path+"/{id}/rotate", s.locked(s.inWebhook(s.rotateWebhook)))
	mux.HandleFunc("GET "+path+"/{id}/events", s.locked(s.inWebhook(
		func(w http.ResponseWriter, r *http.Request, _ *channel, _ *sininho.Webhook) {
			writePage(w, r, []sininho.WebhookEvent{}) // nothing can be posted here
		})))
}

func (s *Server) inWebhook(h func(http.ResponseWriter, *http.Request, *channel, *sininho.Webhook)) http.HandlerFunc {
	return s.inChannel(func(w http.ResponseWriter, r *http.Request, c *channel) {
		for _, hook := range c.webhooks {
			if hook.ID == r.PathValue("id") {
				h(w, r, c, hook)
				return
			}
		}
		notFound(w)
	})
}

func (s *Server) listWebhooks(w http.ResponseWriter, r *http.Request, c *channel) {
	var all []sininho.Webhook
	for _, hook := range c.webhooks {
		all = append(all, *hook)
	}
	writePage(w, r, all)
}

func (s *Server) createWebhook(r *http.Request, body []byte) (int, any) {
	c := s.store.channel(r.PathValue("publisherSlug") + "/" + r.PathValue("channelSlug"))
	if c == nil {
		return refusal(http.StatusNotFound, "not_found", "There is no such channel.")
	}
	var in api.WebhookInput
	_ = json.Unmarshal(body, &in)
	hook := &sininho.Webhook{ID: newID(), Name: in.Name, URL: s.newWebhookURL(), Signed: in.Signed == nil || *in.Signed, CreatedAt: now()}
	c.webhooks = append(c.webhooks, hook)
	return http.StatusCreated, withSecret(*hook)
}

func (s *Server) newWebhookURL() string {
	return s.URL + "/api/v1/webhooks/channels/" + strings.ReplaceAll(newID(), "-", "")
}

func withSecret(hook sininho.Webhook) sininho.WebhookSecret {
	out := sininho.WebhookSecret{ID: hook.ID, Name: hook.Name, URL: hook.URL, Signed: hook.Signed, CreatedAt: hook.CreatedAt}
	if hook.Signed {
		out.Secret = webhook.NewSecret()
	}
	return out
}

func (s *Server) oneWebhook(w http.ResponseWriter, r *http.Request, c *channel, hook *sininho.Webhook) {
	if changed(w, r, *hook) {
		return
	}
	switch r.Method {
	case http.MethodPatch:
		*hook = merged(r, *hook)
	case http.MethodDelete:
		c.webhooks = slices.DeleteFunc(c.webhooks, func(other *sininho.Webhook) bool { return other == hook })
		w.WriteHeader(http.StatusNoContent)
		return
	}
	writeVersion(w, *hook)
}

func (s *Server) rotateWebhook(w http.ResponseWriter, r *http.Request, _ *channel, hook *sininho.Webhook) {
	if decoded[api.WebhookRotation](r).What == api.WebhookRotationWhat(sininho.RotateAddress) {
		hook.URL = s.newWebhookURL()
	}
	writeJSON(w, http.StatusOK, withSecret(*hook))
}
