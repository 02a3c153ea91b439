package sininhotest

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/sininho/sininho/pkg/mend"
	"github.com/sininho/sininho/pkg/rules"
	"github.com/sininho/sininho/pkg/sininho"
	standard "github.com/sininho/sininho/pkg/webhook"
)

type webhook struct {
	sininho.Webhook
	channel *sininho.Channel
	secrets []string          // the latest first, of which two are valid
	events  map[string]string // the ids of notifications, by those of the events
}

func (s *Server) createWebhook(r *request) any {
	in := decode[sininho.Webhook](r)
	in.Sender, in.Signing = cmp.Or(in.Sender, sininho.SenderPlain), cmp.Or(in.Signing, sininho.SigningStandard)
	in.ID, in.CreatedAt, in.Signed = newID(), s.now(), in.Signing == sininho.SigningStandard
	if in.Sender != sininho.SenderPlain || in.Template != nil || !in.Signed && in.Signing != sininho.SigningNone {
		panic(notCovered(r.Request))
	}
	var found rules.Faults
	found.Name("#/name", in.Name, rules.MaxName)
	refuse(found)
	w := &webhook{Webhook: in, channel: r.channel, events: map[string]string{}}
	s.webhooks = append(s.webhooks, w)
	r.status = http.StatusCreated
	return s.renew(w, true, in.Signed)
}

// renew gives a webhook a new address or secret. Nothing else shows the secret.
func (s *Server) renew(w *webhook, address, secret bool) sininho.WebhookSecret {
	if address {
		w.URL = s.URL + base + "/webhooks/channels/" + rand.Text()
	}
	out := converted[sininho.WebhookSecret](w.Webhook)
	if secret {
		out.Secret = standard.NewSecret()
		w.secrets = append([]string{out.Secret}, w.secrets...)
	}
	return out
}

func (s *Server) rotateWebhook(r *request) any {
	w, isAddress := s.webhook(r), decode[struct{ What string }](r).What == "address"
	if !isAddress && !w.Signed {
		refuse(rules.Faults{{Pointer: "#/what", Code: "unsigned", Detail: rules.Text{EN: "has no secret"}}})
	}
	return s.renew(w, isAddress, !isAddress)
}

// webhook returns the one that the path names.
func (s *Server) webhook(r *request) *webhook {
	return find(s.webhooks, func(w *webhook) bool { return w.ID == r.PathValue("id") && w.channel == r.channel })
}

func (s *Server) getWebhook(r *request) any { return s.webhook(r).Webhook }

func (s *Server) listWebhooks(r *request) any {
	var all []sininho.Webhook
	for _, w := range s.webhooks {
		if w.channel == r.channel {
			all = append(all, w.Webhook)
		}
	}
	return page(r, all, nil)
}

func (s *Server) deleteWebhook(r *request) any {
	gone := s.webhook(r)
	s.webhooks = slices.DeleteFunc(s.webhooks, func(w *webhook) bool { return w == gone })
	r.status = http.StatusNoContent
	return nil
}

// receive publishes the JSON object that a sender posts to a webhook.
func (s *Server) receive(r *request) any {
	w := find(s.webhooks, func(w *webhook) bool { return w.URL == s.URL+r.URL.Path })
	if _, err := standard.Verify(r.Header, r.body, w.secrets[:min(len(w.secrets), 2)]); w.Signed && err != nil {
		panic(refusal(http.StatusUnauthorized, "signature", "The signature is missing, too old or wrong."))
	}
	var posted rules.Notification
	if json.Unmarshal(r.body, &posted) != nil {
		panic(notCovered(r.Request))
	}
	mended, adjusted := mend.Notification(posted, links)
	refuse(mended.Faults(links, s.now()))
	id := cmp.Or(standard.EventID(r.Header), newID())
	published, known := w.events[id]
	if !known {
		n, _ := s.add(w.channel, converted[sininho.PublishInput](mended), "webhook")
		w.events[id], w.LastEventAt, published = n.ID, s.now(), n.ID
	}
	r.status = http.StatusAccepted
	receipt := map[string]any{"outcome": sininho.WebhookPublished, "notificationId": published, "duplicate": known}
	if len(adjusted) > 0 {
		receipt["adjusted"] = adjusted
	}
	return receipt
}
