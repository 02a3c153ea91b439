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

// webhookStore has one webhook, of a channel of the caller.
type webhookStore struct {
	WebhookStore
	EventStore
	ChannelStore
	PublisherStore

	kept    SealedWebhook
	refused string
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

func (s *webhookStore) RefuseEvent(_ context.Context, _ ID, _, detail string, _ time.Time) error {
	s.refused = detail
	return nil
}

func TestRotate(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	sealer, err := NewSealer(NewSecretKey())
	if err != nil {
		t.Fatal(err)
	}
	store := &webhookStore{}
	w := &Webhooks{Store: store, Sealer: sealer, NewSecret: func() string { return RandomText(10) }, Now: func() time.Time { return now }}
	caller := Caller{Kind: CallerPublisher, PublisherID: ID{2}, Scopes: []Scope{ScopeChannels, ScopePublish}}
	made, first, _, err := w.Create(t.Context(), caller, "p", "c", WebhookInput{Name: "w", Signed: true}, Idempotency{})
	if err != nil || !made.Signed || first == "" {
		t.Fatalf("%+v %v", made, err)
	}
	if again, secret, creation, err := w.Create(t.Context(), caller, "p", "c", WebhookInput{Name: "w", Signed: true}, Idempotency{Key: "k"}); err != nil ||
		creation != Replayed || secret != "" || again.Address != made.Address || !again.Signed {
		t.Errorf("repeated: %+v %q %v %v", again, secret, creation, err)
	}
	good := func(what, address string, want ...string) {
		t.Helper()
		if found, err := w.Find(t.Context(), address); err != nil || !slices.Equal(found.Secrets, want) {
			t.Errorf("%s: %q, want %q (%v)", what, found.Secrets, want, err)
		}
	}
	good("new", made.Address, first)
	_, second, _, err := w.Rotate(t.Context(), caller, "p", "c", made.ID, RotateSecret, Idempotency{})
	if err != nil || second == "" || second == first {
		t.Fatal(second, err)
	}
	good("rotated", made.Address, second, first)
	moved, none, _, err := w.Rotate(t.Context(), caller, "p", "c", made.ID, RotateAddress, Idempotency{})
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

	open, secret, _, err := w.Create(t.Context(), caller, "p", "c", WebhookInput{Name: "open"}, Idempotency{})
	if err != nil || open.Signed || secret != "" {
		t.Errorf("unsigned: %+v %q %v", open, secret, err)
	}
	if _, _, _, err := w.Rotate(t.Context(), caller, "p", "c", open.ID, RotateSecret, Idempotency{}); !IsCode(err, CodeInvalid) {
		t.Error("a secret for an unsigned one:", err)
	}
	if _, err := w.Rename(t.Context(), caller, "p", "c", open.ID, "\u200b", nil); !IsCode(err, CodeInvalid) {
		t.Error("a name that shows nothing:", err)
	}
	if _, err := w.Rename(t.Context(), caller, "p", "c", open.ID, "n", &now); err != nil {
		t.Error("renamed as seen:", err)
	}
	then := now.Add(-time.Second)
	if _, err := w.Rename(t.Context(), caller, "p", "c", open.ID, "n", &then); !IsCode(err, CodeChanged) {
		t.Error("not as seen:", err)
	}
}

func TestReceiveRefuses(t *testing.T) {
	bad := func([]string, []byte) error { return errors.New("bad") }
	good := func([]string, []byte) error { return nil }
	for name, test := range map[string]struct {
		verify     WebhookVerifier
		body, want string
	}{
		"badly signed":  {bad, `{"title":"x"}`, ""},
		"no title":      {good, `{}`, "The request has 1 fault. #/title is blank."},
		"two faults":    {good, `{"link":"x"}`, "The request has 2 faults. #/title is blank. #/link is not an https address."},
		"not an object": {good, `1`, "The body is not a JSON object."},
		"a NUL":         {good, `{"title":"x","data":{"\u0000":7}}`, "The request has 1 fault. #/data/\uFFFD is not a text."},
	} {
		store := &webhookStore{}
		w := &Webhooks{Store: store, Now: time.Now}
		if _, _, err := w.Receive(t.Context(), Webhook{Signed: true}, WebhookEvent{Body: []byte(test.body)}, test.verify); err == nil || store.refused != test.want {
			t.Errorf("%s: kept %q, want %q (%v)", name, store.refused, test.want, err)
		}
	}
	if got := reason(Invalid(FieldError{Pointer: strings.Repeat("é", 2*maxReason)})); utf8.RuneCountInString(got) != maxReason {
		t.Errorf("%d characters", utf8.RuneCountInString(got))
	}
}

func TestFunnelAddsUp(t *testing.T) {
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
		f := Funnel{Targeted: test.targeted}
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
		var e *Error
		if errors.As(test.patch.Validate(LinkRules{}), &e) {
			for _, f := range e.Fields {
				bad = append(bad, f.Pointer)
			}
		}
		if !slices.Equal(bad, test.bad) {
			t.Errorf("%s: %q, want %q", name, bad, test.bad)
		}
	}
}
