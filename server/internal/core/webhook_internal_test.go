package core

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sininho/sininho/pkg/mend"
	"github.com/sininho/sininho/server/lab/check"
)

// A sender's template does not know which pages of the server a link may open.
func TestRenderedLinksToTheServerItselfAreRemoved(t *testing.T) {
	links := LinkRules{Origin: "https://example.com"}
	for link, want := range map[string]string{
		"https://example.com/login/device": "",
		"https://example.com/feed":         "https://example.com/feed",
		"https://example.net/login/device": "https://example.net/login/device",
	} {
		in := PublishInput{Link: link}
		in.mend(links, &mend.Adjustments{})
		check.Equal(t, "remaining link of "+link, in.Link, want)
	}
}

func TestStoredReasonIsTruncated(t *testing.T) {
	got := reason(Invalid(FieldError{Pointer: strings.Repeat("é", 2*maxReason)}))
	check.Equal(t, "characters of the reason", utf8.RuneCountInString(got), maxReason)
	check.Equal(t, "a reason of the longest kind", oneLine(strings.Repeat("é", maxReason)), strings.Repeat("é", maxReason))
	check.Equal(t, "a reason that cannot be stored", oneLine("a\x00b\xff"), "a\uFFFDb\uFFFD")
}

// TestBodyHashIsOfWhatWasSigned reads one signed body in two ways, by headers that no signature covers.
func TestBodyHashIsOfWhatWasSigned(t *testing.T) {
	to := Webhook{Signing: SigningGitHub}
	one := WebhookEvent{Signed: []byte("signed"), Body: []byte(`{"title":"a"}`)}.bodyHash(to)
	other := WebhookEvent{Signed: []byte("signed"), Body: []byte(`{"title":"b"}`)}.bodyHash(to)
	check.Equal(t, "hash of the same signed body, read in another way", other, one)
}

// TestEventIDs knows which id was signed.
func TestEventIDs(t *testing.T) {
	for name, c := range map[string]struct {
		signing WebhookSigning
		e       WebhookEvent
		own     string
		want    string
	}{
		"signed":                  {SigningStandard, WebhookEvent{ID: "header"}, "own", "header"},
		"signed without a header": {SigningStandard, WebhookEvent{}, "own", "own"},
		"of the payload":          {SigningGitHub, WebhookEvent{ID: "header"}, "own", "own"},
		"of the header":           {SigningGitHub, WebhookEvent{ID: "header"}, "", "header"},
		"of a cut payload": {SigningGitHub, WebhookEvent{Cut: true, Body: []byte("b")}, "own",
			"own-" + mend.Digest("b")},
		"of a cut payload without one": {SigningGitHub, WebhookEvent{ID: "header", Cut: true}, "", "header"},
	} {
		check.Equal(t, "id "+name, c.e.id(Webhook{Signing: c.signing}, c.own), c.want)
	}
	for _, signing := range []WebhookSigning{SigningStandard, SigningNone} {
		if id := (WebhookEvent{}).id(Webhook{Signing: signing}, ""); len(id) != 36 {
			t.Errorf("id without any: got %q, want a new one", id)
		}
	}
}

// TestPayloadsThatAreKept bounds what strangers can store.
func TestPayloadsThatAreKept(t *testing.T) {
	for name, c := range map[string]struct {
		to   Webhook
		body string
		want bool
	}{
		"unsigned":            {Webhook{Signing: SigningNone}, strings.Repeat("a", 32<<10), true},
		"unsigned and long":   {Webhook{Signing: SigningNone}, strings.Repeat("a", 32<<10+1), false},
		"signed":              {Webhook{}, strings.Repeat("a", 256<<10), true},
		"signed and too long": {Webhook{}, strings.Repeat("a", 256<<10+1), false},
		"no text":             {Webhook{}, "\xff", false},
		"with a NUL":          {Webhook{}, "a\x00", false},
		"of a demonstration":  {Webhook{Channel: ChannelRef{Demonstration: true}}, "a", false},
	} {
		check.Equal(t, "whether it is kept: "+name, WebhookEvent{Body: []byte(c.body)}.kept(c.to) != nil, c.want)
	}
}
