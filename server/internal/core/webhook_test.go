package core

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/lab/check"
)

// webhookStore has one webhook, for a channel of the caller.
type webhookStore struct {
	SuspensionStore
	WebhookStore
	EventStore
	Stream
	ChannelStore
	PublisherStore

	kept      SealedWebhook
	refused   string
	event     ReceivedEvent
	published []Notification
}

func (s *webhookStore) ChannelRef(context.Context, string, string) (ChannelRef, ID, error) {
	return ChannelRef{ID: ID{1}}, ID{2}, nil
}

func (s *webhookStore) CreateWebhook(
	_ context.Context, w SealedWebhook, key Idempotency,
) (SealedWebhook, Creation, error) {
	if key.Wanted() {
		return s.kept, Replayed, nil
	}
	s.kept = w
	return w, Created, nil
}

func (s *webhookStore) UpdateWebhook(
	_ context.Context, _, _ ID, _ time.Time, _ Idempotency, change func(*SealedWebhook) error,
) (SealedWebhook, Creation, error) {
	w := s.kept
	if err := change(&w); err != nil {
		return w, 0, err
	}
	s.kept = w
	return w, Created, nil
}

func (s *webhookStore) WebhookByAddress(_ context.Context, hash []byte) (SealedWebhook, ChannelRef, error) {
	if string(hash) != string(s.kept.AddressHash) {
		return SealedWebhook{}, ChannelRef{}, NotFound()
	}
	return s.kept, ChannelRef{ID: ID{1}}, nil
}

func (s *webhookStore) Webhook(context.Context, ID, ID) (SealedWebhook, error) { return s.kept, nil }

func (s *webhookStore) KeepEvent(_ context.Context, _ ID, e ReceivedEvent) (ReceivedEvent, Creation, error) {
	s.event, s.refused = e, e.Detail
	return e, Created, nil
}

func (s *webhookStore) PublishEvent(
	_ context.Context, _ ID, e ReceivedEvent, n Notification,
) (ReceivedEvent, Creation, error) {
	e.NotificationID = &n.ID
	s.event, s.published = e, append(s.published, n)
	return e, Created, nil
}

func (s *webhookStore) Event(context.Context, ID, string) (ReceivedEvent, error) { return s.event, nil }

// templates skips the payload `skip`, fails for `fail`, and otherwise uses the payload as title.
type templates struct{}

func (templates) Check(t WebhookTemplate) []FieldError {
	if t.Title == "bad" {
		return []FieldError{{Pointer: "#/template/title", Code: "template", Detail: Text{EN: "is bad", PT: "é mau"}}}
	}
	return nil
}

func (templates) Render(
	_ context.Context, _ WebhookSender, own *WebhookTemplate, payload []byte, _ map[string]string,
) (Rendered, error) {
	out := Rendered{ID: "own", Kind: "kind"}
	if string(payload) == "fail" {
		return out, Malformed(Text{EN: "It is broken.", PT: "Está partido."})
	}
	if string(payload) == "skip" {
		out.Skip = "not now"
		return out, nil
	}
	out.Notification = PublishInput{
		Title: string(payload), Link: "ftp://example.com/", Icon: "https://example.com/i.png",
	}
	if own != nil {
		out.Notification.Title = own.Title
	}
	return out, nil
}

// newWebhooks returns a service in production, with the templates above.
func newWebhooks(t *testing.T, store *webhookStore, now func() time.Time) *Webhooks {
	t.Helper()
	sealer, err := NewSealer(NewSecretKey())
	if err != nil {
		t.Fatalf("new sealer: %v", err)
	}
	newSecret := func() string { return RandomText(10) }
	return NewWebhooks(store, store, NewRules(LinkRules{}, EventRules{}, templates{}), sealer, newSecret, now)
}

// webhookOwner may edit the channel of the store.
var webhookOwner = Caller{Kind: CallerPublisher, PublisherID: ID{2}, Scopes: []Scope{ScopeChannels, ScopePublish}}

func createWebhook(t *testing.T, w *Webhooks, in WebhookInput) (made Webhook, secret string) {
	t.Helper()
	made, secret, creation, err := w.Create(t.Context(), webhookOwner, "p", "c", in, Idempotency{})
	Succeed(t, "create a webhook", err)
	check.Equal(t, "creation of a webhook", creation, Created)
	return made, secret
}

func rotateWebhook(t *testing.T, w *Webhooks, id ID, in WebhookRotation) (rotated Webhook, secret string, err error) {
	t.Helper()
	rotated, secret, _, err = w.Rotate(t.Context(), webhookOwner, "p", "c", id, in, Idempotency{})
	return rotated, secret, err
}

func checkSecrets(t *testing.T, what string, w *Webhooks, address string, want ...string) {
	t.Helper()
	found, err := w.Find(t.Context(), address)
	Succeed(t, "find the webhook: "+what, err)
	check.Equal(t, "valid secrets: "+what, found.Secrets, want)
}

func TestCreateWebhookRepeatedly(t *testing.T) {
	w := newWebhooks(t, &webhookStore{}, time.Now)
	first, secret := createWebhook(t, w, WebhookInput{Name: "w"})
	check.Equal(t, "signed", first.Signed(), true)
	if secret == "" {
		t.Error("secret of a new webhook: got none, want one")
	}
	key := Idempotency{Key: "k"}
	again, secret, creation, err := w.Create(t.Context(), webhookOwner, "p", "c", WebhookInput{Name: "w"}, key)
	Succeed(t, "repeat the request", err)
	check.Equal(t, "creation of a repeated request", creation, Replayed)
	check.Equal(t, "secret in the replayed response", secret, "")
	check.Equal(t, "address in the replayed response", again.Address, first.Address)
	check.Equal(t, "signed in the replayed response", again.Signed(), true)
}

func TestRotateWebhook(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	w := newWebhooks(t, &webhookStore{}, func() time.Time { return now })
	made, first := createWebhook(t, w, WebhookInput{Name: "w"})
	checkSecrets(t, "a new webhook", w, made.Address, first)
	_, second, err := rotateWebhook(t, w, made.ID, WebhookRotation{What: RotateSecret})
	Succeed(t, "rotate the secret", err)
	if second == "" || second == first {
		t.Fatalf("rotated secret: got %q, want another than %q", second, first)
	}
	checkSecrets(t, "after a rotation", w, made.Address, second, first)

	moved, secret, err := rotateWebhook(t, w, made.ID, WebhookRotation{What: RotateAddress})
	Succeed(t, "rotate the address", err)
	check.Equal(t, "secret returned with a new address", secret, "")
	if moved.Address == made.Address {
		t.Errorf("rotated address: got %q again, want another", moved.Address)
	}
	_, err = w.Find(t.Context(), made.Address)
	CheckCode(t, "find by the old address", err, CodeNotFound)
	now = now.Add(secretKept - time.Second)
	checkSecrets(t, "just before the old secret expires", w, moved.Address, second, first)
	now = now.Add(time.Second)
	checkSecrets(t, "after the old secret expired", w, moved.Address, second)
}

func TestUnsignedWebhook(t *testing.T) {
	w := newWebhooks(t, &webhookStore{}, time.Now)
	open, secret := createWebhook(t, w, WebhookInput{Name: "open", Signing: SigningNone})
	check.Equal(t, "signed", open.Signed(), false)
	check.Equal(t, "secret of an unsigned webhook", secret, "")
	_, _, err := rotateWebhook(t, w, open.ID, WebhookRotation{What: RotateSecret})
	CheckCode(t, "rotate the secret of an unsigned webhook", err, CodeInvalid)
}

func TestUpdateWebhook(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	w := newWebhooks(t, &webhookStore{}, func() time.Time { return now })
	made, _ := createWebhook(t, w, WebhookInput{Name: "w"})
	update := func(name string, seen *time.Time) error {
		_, err := w.Update(t.Context(), webhookOwner, "p", "c", made.ID, WebhookPatch{Name: &name}, seen)
		return err
	}
	CheckCode(t, "update with an invisible name", update("\u200b", nil), CodeInvalid)
	CheckCode(t, "update the current version", update("n", &now), "")
	CheckCode(t, "update another version", update("n", new(now.Add(-time.Second))), CodeChanged)
}

func TestWebhookInput(t *testing.T) {
	yes, no := true, false
	key := "whsec_" + strings.Repeat("A", 32)
	for name, test := range map[string]struct {
		in      WebhookInput
		signing WebhookSigning
		sender  WebhookSender
		fault   string // the first one
	}{
		"nothing":    {WebhookInput{}, SigningStandard, SenderPlain, ""},
		"signed":     {WebhookInput{Signed: &yes}, SigningStandard, SenderPlain, ""},
		"not signed": {WebhookInput{Signed: &no, Sender: SenderGitHub}, SigningNone, SenderGitHub, ""},
		"github":     {WebhookInput{Sender: SenderGitHub}, SigningGitHub, SenderGitHub, ""},
		"gitlab":     {WebhookInput{Sender: SenderGitLab, Signed: &yes}, SigningGitLab, SenderGitLab, ""},
		"stripe": {
			WebhookInput{Sender: SenderStripe, Secret: "whsec_" + "not base64"}, SigningStripe, SenderStripe, "",
		},
		"sentry":       {WebhookInput{Sender: SenderSentry}, SigningSentry, SenderSentry, ""},
		"alertmanager": {WebhookInput{Sender: SenderAlertmanager}, SigningBearer, SenderAlertmanager, ""},
		"grafana":      {WebhookInput{Sender: SenderGrafana}, SigningBearer, SenderGrafana, ""},
		"another signing": {
			WebhookInput{Sender: SenderGrafana, Signing: SigningStandard, Secret: key}, SigningStandard,
			SenderGrafana, "",
		},
		"none both ways": {WebhookInput{Signed: &no, Signing: SigningNone}, SigningNone, SenderPlain, ""},
		"unsigned with a signing": {
			WebhookInput{Signed: &no, Signing: SigningGitHub}, SigningGitHub, SenderPlain, "#/signed exclusive",
		},
		"signed with none": {
			WebhookInput{Signed: &yes, Signing: SigningNone}, SigningNone, SenderPlain, "#/signed exclusive",
		},
		"unsigned with a secret": {
			WebhookInput{Signing: SigningNone, Secret: "12345678"}, SigningNone, SenderPlain, "#/secret exclusive",
		},
		"not a key":   {WebhookInput{Secret: "12345678"}, SigningStandard, SenderPlain, "#/secret secret"},
		"a short key": {WebhookInput{Secret: key[:30]}, SigningStandard, SenderPlain, "#/secret secret"},
		"not a header value": {
			WebhookInput{Signing: SigningBearer, Secret: "1234 678"}, SigningBearer, SenderPlain, "#/secret secret",
		},
		"a line break": {
			WebhookInput{Sender: SenderGitLab, Secret: "1234\n678"}, SigningGitLab, SenderGitLab, "#/secret secret",
		},
		"a blank secret": {
			WebhookInput{Sender: SenderGitHub, Secret: "        "}, SigningGitHub, SenderGitHub, "#/secret blank",
		},
		"an invalid template": {
			WebhookInput{Template: &WebhookTemplate{Title: "bad"}}, SigningStandard, SenderPlain,
			"#/template/title template",
		},
	} {
		test.in.Name = "w"
		check.Equal(t, "signing: "+name, test.in.signing(), test.signing)
		check.Equal(t, "sender: "+name, test.in.sender(), test.sender)
		fault := ""
		if faults := test.in.Validate(NewRules(LinkRules{}, EventRules{}, templates{}), time.Now()); len(faults) > 0 {
			fault = faults[0].Pointer + " " + faults[0].Code
		}
		check.Equal(t, "first fault: "+name, fault, test.fault)
	}
}

func TestGivenSecretsAreNotReturned(t *testing.T) {
	store := &webhookStore{}
	w := newWebhooks(t, store, time.Now)
	made, secret := createWebhook(t, w, WebhookInput{Name: "w", Sender: SenderStripe, Secret: "whsec_theirs"})
	check.Equal(t, "secret returned by Create", secret, "")
	_, secret, err := rotateWebhook(t, w, made.ID, WebhookRotation{What: RotateSecret, Secret: "whsec_new"})
	Succeed(t, "rotate to a given secret", err)
	check.Equal(t, "secret returned by Rotate", secret, "")
	checkSecrets(t, "after the rotation", w, made.Address, "whsec_new", "whsec_theirs")
	if strings.Contains(string(store.kept.SecretSealed), "new") {
		t.Errorf("the stored secret %q contains the plain text", store.kept.SecretSealed)
	}
	_, _, err = rotateWebhook(t, w, made.ID, WebhookRotation{What: RotateAddress, Secret: "whsec_new"})
	CheckCode(t, "rotate the address with a secret", err, CodeInvalid)
	_, _, err = rotateWebhook(t, w, made.ID, WebhookRotation{What: RotateSecret, Secret: "\x00"})
	CheckCode(t, "rotate to an invalid secret", err, CodeInvalid)
}
