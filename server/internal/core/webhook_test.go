package core

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// webhookStore has one webhook, for a channel of the caller.
type webhookStore struct {
	WebhookStore
	EventStore
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

func (s *webhookStore) CreateWebhook(_ context.Context, w SealedWebhook, key Idempotency) (SealedWebhook, Creation, error) {
	if key.Wanted() {
		return s.kept, Replayed, nil
	}
	s.kept = w
	return w, Created, nil
}

func (s *webhookStore) UpdateWebhook(_ context.Context, _, _ ID, _ time.Time, _ Idempotency, change func(*SealedWebhook) error) (SealedWebhook, Creation, error) {
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

func (s *webhookStore) PublishEvent(_ context.Context, _ ID, e ReceivedEvent, n Notification) (ReceivedEvent, Creation, error) {
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

func (templates) Render(_ context.Context, _ WebhookSender, own *WebhookTemplate, payload []byte, _ map[string]string) (Rendered, error) {
	out := Rendered{ID: "own", Kind: "kind"}
	if string(payload) == "fail" {
		return out, Malformed(Text{EN: "It is broken.", PT: "Está partido."})
	}
	if string(payload) == "skip" {
		out.Skip = "not now"
		return out, nil
	}
	out.Notification = PublishInput{Title: string(payload), Link: "http://example.com/", Icon: "https://example.com/i.png"}
	if own != nil {
		out.Notification.Title = own.Title
	}
	return out, nil
}

// newWebhooks returns a service in production, with the templates above.
func newWebhooks(t *testing.T, store *webhookStore, now func() time.Time, nudge func()) *Webhooks {
	t.Helper()
	sealer, err := NewSealer(NewSecretKey())
	if err != nil {
		t.Fatalf("new sealer: %v", err)
	}
	newSecret := func() string { return RandomText(10) }
	return NewWebhooks(store, NewRules(LinkRules{}, EventRules{}, templates{}), sealer, newSecret, nudge, now)
}

func TestRotate(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	store := &webhookStore{}
	w := newWebhooks(t, store, func() time.Time { return now }, func() {})
	caller := Caller{Kind: CallerPublisher, PublisherID: ID{2}, Scopes: []Scope{ScopeChannels, ScopePublish}}
	made, first, _, err := w.Create(t.Context(), caller, "p", "c", WebhookInput{Name: "w"}, Idempotency{})
	if err != nil || !made.Signed() || first == "" {
		t.Fatalf("%+v %v", made, err)
	}
	if again, secret, creation, err := w.Create(t.Context(), caller, "p", "c", WebhookInput{Name: "w"}, Idempotency{Key: "k"}); err != nil ||
		creation != Replayed || secret != "" || again.Address != made.Address || !again.Signed() {
		t.Errorf("repeated: %+v %q %v %v", again, secret, creation, err)
	}
	good := func(what, address string, want ...string) {
		t.Helper()
		if found, err := w.Find(t.Context(), address); err != nil || !slices.Equal(found.Secrets, want) {
			t.Errorf("%s: %q, want %q (%v)", what, found.Secrets, want, err)
		}
	}
	good("new", made.Address, first)
	_, second, _, err := w.Rotate(t.Context(), caller, "p", "c", made.ID, WebhookRotation{What: RotateSecret}, Idempotency{})
	if err != nil || second == "" || second == first {
		t.Fatal(second, err)
	}
	good("rotated", made.Address, second, first)
	moved, none, _, err := w.Rotate(t.Context(), caller, "p", "c", made.ID, WebhookRotation{What: RotateAddress}, Idempotency{})
	if err != nil || none != "" || moved.Address == made.Address {
		t.Errorf("another address: %+v %q %v", moved, none, err)
	}
	if _, err := w.Find(t.Context(), made.Address); !IsCode(err, CodeNotFound) {
		t.Error("the old address:", err)
	}
	now = now.Add(secretKept - time.Second)
	good("just before a day is over", moved.Address, second, first)
	now = now.Add(time.Second)
	good("a day later", moved.Address, second)

	open, secret, _, err := w.Create(t.Context(), caller, "p", "c", WebhookInput{Name: "open", Signing: SigningNone}, Idempotency{})
	if err != nil || open.Signed() || secret != "" {
		t.Errorf("unsigned: %+v %q %v", open, secret, err)
	}
	if _, _, _, err := w.Rotate(t.Context(), caller, "p", "c", open.ID, WebhookRotation{What: RotateSecret}, Idempotency{}); !IsCode(err, CodeInvalid) {
		t.Error("a secret for an unsigned one:", err)
	}
	if _, err := w.Update(t.Context(), caller, "p", "c", open.ID, WebhookPatch{Name: new("\u200b")}, nil); !IsCode(err, CodeInvalid) {
		t.Error("a name that shows nothing:", err)
	}
	if _, err := w.Update(t.Context(), caller, "p", "c", open.ID, WebhookPatch{Name: new("n")}, &now); err != nil {
		t.Error("renamed as seen:", err)
	}
	then := now.Add(-time.Second)
	if _, err := w.Update(t.Context(), caller, "p", "c", open.ID, WebhookPatch{Name: new("n")}, &then); !IsCode(err, CodeChanged) {
		t.Error("not as seen:", err)
	}
}

func TestReceiveRefuses(t *testing.T) {
	bad := func([]string) error { return errors.New("bad") }
	good := func([]string) error { return nil }
	for name, test := range map[string]struct {
		verify     WebhookVerifier
		body, want string
	}{
		"badly signed":  {bad, `{"title":"x"}`, ""},
		"no title":      {good, `{}`, "The request has 1 fault. #/title is blank."},
		"two faults":    {good, `{"link":"x"}`, "The request has 2 faults. #/title is blank. #/link must be an https address, such as https://example.com/page."},
		"not an object": {good, `1`, "The body is not a JSON object."},
		"a NUL":         {good, `{"title":"x","data":{"\u0000":7}}`, "The request has 2 faults. #/data/\uFFFD is not a text. #/data has the key \"\\x00\"; keys have at most 64 letters, digits, '_', '.' and '-'."},
	} {
		store := &webhookStore{}
		w := newWebhooks(t, store, time.Now, func() {})
		if _, _, err := w.Receive(t.Context(), Webhook{Sender: SenderPlain}, WebhookEvent{Body: []byte(test.body)}, test.verify); err == nil || store.refused != test.want {
			t.Errorf("%s: kept %q, want %q (%v)", name, store.refused, test.want, err)
		}
	}
	if got := reason(Invalid(FieldError{Pointer: strings.Repeat("é", 2*maxReason)})); utf8.RuneCountInString(got) != maxReason {
		t.Errorf("%d characters", utf8.RuneCountInString(got))
	}
}

func TestWebhookInput(t *testing.T) {
	yes, no := true, false
	key := "whsec_" + strings.Repeat("A", 32)
	for name, test := range map[string]struct {
		in      WebhookInput
		signing WebhookSigning
		sender  WebhookSender
		bad     string
	}{
		"nothing":              {WebhookInput{}, SigningStandard, SenderPlain, ""},
		"signed":               {WebhookInput{Signed: &yes}, SigningStandard, SenderPlain, ""},
		"not signed":           {WebhookInput{Signed: &no, Sender: SenderGitHub}, SigningNone, SenderGitHub, ""},
		"github":               {WebhookInput{Sender: SenderGitHub}, SigningGitHub, SenderGitHub, ""},
		"gitlab":               {WebhookInput{Sender: SenderGitLab, Signed: &yes}, SigningGitLab, SenderGitLab, ""},
		"stripe":               {WebhookInput{Sender: SenderStripe, Secret: "whsec_" + "not base64"}, SigningStripe, SenderStripe, ""},
		"sentry":               {WebhookInput{Sender: SenderSentry}, SigningSentry, SenderSentry, ""},
		"alertmanager":         {WebhookInput{Sender: SenderAlertmanager}, SigningBearer, SenderAlertmanager, ""},
		"grafana":              {WebhookInput{Sender: SenderGrafana}, SigningBearer, SenderGrafana, ""},
		"another signing":      {WebhookInput{Sender: SenderGrafana, Signing: SigningStandard, Secret: key}, SigningStandard, SenderGrafana, ""},
		"none both ways":       {WebhookInput{Signed: &no, Signing: SigningNone}, SigningNone, SenderPlain, ""},
		"contradiction":        {WebhookInput{Signed: &no, Signing: SigningGitHub}, SigningGitHub, SenderPlain, "#/signed exclusive"},
		"other contradiction":  {WebhookInput{Signed: &yes, Signing: SigningNone}, SigningNone, SenderPlain, "#/signed exclusive"},
		"a secret for nothing": {WebhookInput{Signing: SigningNone, Secret: "12345678"}, SigningNone, SenderPlain, "#/secret exclusive"},
		"no key":               {WebhookInput{Secret: "12345678"}, SigningStandard, SenderPlain, "#/secret secret"},
		"a short key":          {WebhookInput{Secret: key[:30]}, SigningStandard, SenderPlain, "#/secret secret"},
		"no header":            {WebhookInput{Signing: SigningBearer, Secret: "1234 678"}, SigningBearer, SenderPlain, "#/secret secret"},
		"a line break":         {WebhookInput{Sender: SenderGitLab, Secret: "1234\n678"}, SigningGitLab, SenderGitLab, "#/secret secret"},
		"a blank secret":       {WebhookInput{Sender: SenderGitHub, Secret: "        "}, SigningGitHub, SenderGitHub, "#/secret blank"},
		"a template":           {WebhookInput{Template: &WebhookTemplate{Title: "bad"}}, SigningStandard, SenderPlain, "#/template/title template"},
	} {
		test.in.Name = "w"
		if got := test.in.signing(); got != test.signing || test.in.sender() != test.sender {
			t.Errorf("%s: %s of %s", name, got, test.in.sender())
		}
		bad := ""
		rules := NewRules(LinkRules{}, EventRules{}, templates{})
		if faults := test.in.Validate(rules, time.Now()); len(faults) > 0 {
			bad = faults[0].Pointer + " " + faults[0].Code
		}
		if bad != test.bad {
			t.Errorf("%s: %q, want %q", name, bad, test.bad)
		}
	}
}

func TestGivenSecretsAreNotTold(t *testing.T) {
	store := &webhookStore{}
	w := newWebhooks(t, store, time.Now, func() {})
	caller := Caller{Kind: CallerPublisher, PublisherID: ID{2}, Scopes: []Scope{ScopeChannels, ScopePublish}}
	made, told, _, err := w.Create(t.Context(), caller, "p", "c", WebhookInput{Name: "w", Sender: SenderStripe, Secret: "whsec_theirs"}, Idempotency{})
	if err != nil || told != "" {
		t.Fatal(told, err)
	}
	if _, told, _, err = w.Rotate(t.Context(), caller, "p", "c", made.ID, WebhookRotation{What: RotateSecret, Secret: "whsec_new"}, Idempotency{}); err != nil || told != "" {
		t.Error(told, err)
	}
	if found, err := w.Find(t.Context(), made.Address); err != nil || !slices.Equal(found.Secrets, []string{"whsec_new", "whsec_theirs"}) {
		t.Errorf("%q %v", found.Secrets, err)
	}
	if strings.Contains(string(store.kept.SecretSealed), "new") {
		t.Error("it is not sealed")
	}
	if _, _, _, err := w.Rotate(t.Context(), caller, "p", "c", made.ID, WebhookRotation{What: RotateAddress, Secret: "whsec_new"}, Idempotency{}); !IsCode(err, CodeInvalid) {
		t.Error("with an address:", err)
	}
	if _, _, _, err := w.Rotate(t.Context(), caller, "p", "c", made.ID, WebhookRotation{What: RotateSecret, Secret: "\x00"}, Idempotency{}); !IsCode(err, CodeInvalid) {
		t.Error("no text:", err)
	}
}

func TestReceiveAndReplay(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	nudged := 0
	store := &webhookStore{}
	w := newWebhooks(t, store, func() time.Time { return now }, func() { nudged++ })
	caller := Caller{Kind: CallerPublisher, PublisherID: ID{2}, Scopes: []Scope{ScopeChannels, ScopePublish}}
	made, _, _, err := w.Create(t.Context(), caller, "p", "c", WebhookInput{Name: "w", Sender: SenderGitHub, Signing: SigningNone}, Idempotency{})
	if err != nil {
		t.Fatal(err)
	}
	receive := func(body string) (ReceivedEvent, error) {
		e, _, err := w.Receive(t.Context(), made, WebhookEvent{ID: "header", Headers: map[string]string{"a": "b"}, Body: []byte(body)}, nil)
		return e, err
	}
	e, err := receive("a title")
	if n := store.published; err != nil || e.Outcome != OutcomePublished || e.ID != "own" || e.Kind != "kind" || e.Headers["a"] != "b" || string(e.Payload) != "a title" ||
		len(n) != 1 || n[0].Title != "a title" || n[0].Link != "" || n[0].Icon == "" || nudged != 1 {
		t.Errorf("%+v %+v %v", e, n, err)
	}
	if again, err := w.Replay(t.Context(), caller, "p", "c", made.ID, "own"); err != nil || again.NotificationID != e.NotificationID || len(store.published) != 1 {
		t.Errorf("what was published is replayed: %+v %v", again, err)
	}
	if e, err := receive("skip"); err != nil || e.Outcome != OutcomeSkipped || e.Detail != "not now" || nudged != 1 {
		t.Errorf("%+v %v", e, err)
	}
	now = now.Add(time.Hour)
	if e, err := w.Replay(t.Context(), caller, "p", "c", made.ID, "own"); err != nil || e.Outcome != OutcomeSkipped || !e.ReceivedAt.Equal(now.Add(-time.Hour)) {
		t.Errorf("%+v %v", e, err)
	}
	if _, err := receive("fail"); !IsCode(err, CodeMalformed) || store.event.Outcome != OutcomeRefused || store.refused != "It is broken." {
		t.Errorf("%+v %v", store.event, err)
	}
	if _, err := receive(" "); !IsCode(err, CodeInvalid) || !strings.Contains(store.refused, "#/title is blank") {
		t.Errorf("%+v %v", store.event, err)
	}
	store.event = ReceivedEvent{ID: "own", Outcome: OutcomeRefused}
	if _, err := w.Replay(t.Context(), caller, "p", "c", made.ID, "own"); !IsCode(err, CodeInvalid) {
		t.Error("without its payload:", err)
	}
	for body, kept := range map[string]bool{"\xff": false, "a\x00": false, strings.Repeat("a", maxUnsignedKept): true, strings.Repeat("a", maxUnsignedKept+1): false} {
		if _, _ = receive(body); (store.event.Payload != nil) != kept {
			t.Errorf("%d bytes: kept %t", len(body), !kept)
		}
	}
	signed := Webhook{Signing: SigningStandard, Sender: SenderGitHub}
	good := func([]string) error { return nil }
	if e, _, err := w.Receive(t.Context(), signed, WebhookEvent{ID: "signed", Body: []byte("x")}, good); err != nil || e.ID != "signed" {
		t.Errorf("a signed id: %+v %v", e, err)
	}
	if _, err := receive("x"); err != nil || store.event.ID != "own" {
		t.Errorf("the sender's id: %+v %v", store.event, err)
	}
}

func TestPreview(t *testing.T) {
	w := newWebhooks(t, &webhookStore{}, time.Now, func() {})
	caller := Caller{Kind: CallerPublisher, PublisherID: ID{2}, Scopes: []Scope{ScopeChannels, ScopePublish}}
	preview := func(sender WebhookSender, own *WebhookTemplate, body string) (ReceivedEvent, PublishInput, error) {
		return w.Preview(t.Context(), caller, "p", "c", WebhookPreview{sender, own, WebhookEvent{Body: []byte(body)}})
	}
	for name, test := range map[string]struct {
		sender  WebhookSender
		own     *WebhookTemplate
		body    string
		outcome WebhookOutcome
		title   string
	}{
		"plain":        {"", nil, `{"title":"x","externalId":"e"}`, OutcomePublished, "x"},
		"plain bad":    {SenderPlain, nil, `{"title":7}`, OutcomeRefused, ""},
		"long id":      {SenderPlain, nil, `{"title":"x","externalId":"` + strings.Repeat("e", 256) + `"}`, OutcomeRefused, "x"},
		"sender":       {SenderGitHub, nil, "y", OutcomePublished, "y"},
		"own":          {SenderGitHub, &WebhookTemplate{Title: "z"}, "y", OutcomePublished, "z"},
		"own of plain": {SenderPlain, &WebhookTemplate{Title: "z"}, "y", OutcomePublished, "z"},
		"skipped":      {SenderGitHub, nil, "skip", OutcomeSkipped, ""},
		"failed":       {SenderGitHub, nil, "fail", OutcomeRefused, ""},
	} {
		e, in, err := preview(test.sender, test.own, test.body)
		if err != nil || e.Outcome != test.outcome || in.Title != test.title || (e.Detail == "") != (e.Outcome == OutcomePublished) {
			t.Errorf("%s: %+v %+v %v", name, e, in, err)
		}
	}
	if _, _, err := preview(SenderGitHub, &WebhookTemplate{Title: "bad"}, "y"); !IsCode(err, CodeInvalid) {
		t.Error(err)
	}
	caller.PublisherID = ID{3}
	if _, _, err := preview("", nil, `{"title":"x"}`); !IsCode(err, CodeNotFound) {
		t.Error("another's:", err)
	}
}

// A sender's template does not know which pages of the server may be linked to.
func TestRenderedLinksToTheServerItselfAreLeftOut(t *testing.T) {
	links := LinkRules{Origin: "https://example.com"}
	for link, want := range map[string]string{
		"https://example.com/login/device": "",
		"https://example.com/feed":         "https://example.com/feed",
		"https://example.net/login/device": "https://example.net/login/device",
	} {
		in := PublishInput{Link: link}
		if leaveOut(&in, links); in.Link != want {
			t.Errorf("the link %s became %q, want %q", link, in.Link, want)
		}
	}
}

func TestDeliverySummaryAddsUp(t *testing.T) {
	for name, test := range map[string]struct {
		targeted, accepted, failed int64
		expanded                   bool
		pending                    int64
		finished                   bool
	}{
		"nothing yet":      {0, 0, 0, false, 0, false},
		"nobody":           {0, 0, 0, true, 0, true},
		"being found":      {3, 2, 1, false, 0, false},
		"some are pending": {5, 2, 1, true, 2, false},
		"done":             {3, 2, 1, true, 0, true},
	} {
		f := DeliverySummary{Targeted: test.targeted}
		f.Count("", "", 0)
		f.Count(Accepted, "", test.accepted)
		f.Count(Failed, CauseInvalid, test.failed)
		f.Close(test.expanded)
		if f.Pending != test.pending || f.Finished != test.finished {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

func TestChannelPatch(t *testing.T) {
	blank, nul, http := " ", "\x00", "http://example.com/i.png"
	for name, test := range map[string]struct {
		patch ChannelPatch
		bad   []string
	}{
		"nothing":    {ChannelPatch{}, nil},
		"no icon":    {ChannelPatch{Icon: Patch[string]{Set: true}}, nil},
		"everything": {ChannelPatch{Name: &blank, Description: &nul, Icon: Patch[string]{Set: true, Value: &http}}, []string{"#/name", "#/description", "#/icon"}},
	} {
		var bad []string
		for _, f := range test.patch.Validate(NewRules(LinkRules{}, EventRules{}, nil), time.Now()) {
			bad = append(bad, f.Pointer)
		}
		if !slices.Equal(bad, test.bad) {
			t.Errorf("%s: %q, want %q", name, bad, test.bad)
		}
	}
}
