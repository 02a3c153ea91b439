package core

import (
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/check"
)

func TestPreview(t *testing.T) {
	w := newWebhooks(t, &webhookStore{}, time.Now)
	long := strings.Repeat("e", 256)
	for name, test := range map[string]struct {
		sender  WebhookSender
		own     *WebhookTemplate
		body    string
		outcome WebhookOutcome
		title   string
	}{
		"plain":               {"", nil, `{"title":"x","externalId":"e"}`, OutcomePublished, "x"},
		"plain with a fault":  {SenderPlain, nil, `{"title":7}`, OutcomeRefused, ""},
		"plain with long id":  {SenderPlain, nil, `{"title":"x","externalId":"` + long + `"}`, OutcomeRefused, "x"},
		"sender's template":   {SenderGitHub, nil, "y", OutcomePublished, "y"},
		"own template":        {SenderGitHub, &WebhookTemplate{Title: "z"}, "y", OutcomePublished, "z"},
		"own template, plain": {SenderPlain, &WebhookTemplate{Title: "z"}, "y", OutcomePublished, "z"},
		"skipped":             {SenderGitHub, nil, "skip", OutcomeSkipped, ""},
		"failed":              {SenderGitHub, nil, "fail", OutcomeRefused, ""},
	} {
		in := WebhookPreview{test.sender, test.own, WebhookEvent{Body: []byte(test.body)}}
		e, rendered, err := w.Preview(t.Context(), webhookOwner, "p", "c", in)
		Succeed(t, "preview: "+name, err)
		check.Equal(t, "outcome: "+name, e.Outcome, test.outcome)
		check.Equal(t, "title: "+name, rendered.Title, test.title)
		check.Equal(t, "without a detail: "+name, e.Detail == "", test.outcome == OutcomePublished)
	}
	in := WebhookPreview{SenderGitHub, &WebhookTemplate{Title: "bad"}, WebhookEvent{Body: []byte("y")}}
	_, _, err := w.Preview(t.Context(), webhookOwner, "p", "c", in)
	CheckCode(t, "preview with an invalid template", err, CodeInvalid)
	stranger := webhookOwner
	stranger.PublisherID = ID{3}
	in = WebhookPreview{Event: WebhookEvent{Body: []byte(`{"title":"x"}`)}}
	_, _, err = w.Preview(t.Context(), stranger, "p", "c", in)
	CheckCode(t, "preview in another publisher's channel", err, CodeNotFound)
}

// A sender's template does not know which pages of the server a link may open.
func TestRenderedLinksToTheServerItselfAreRemoved(t *testing.T) {
	links := LinkRules{Origin: "https://example.com"}
	for link, want := range map[string]string{
		"https://example.com/login/device": "",
		"https://example.com/feed":         "https://example.com/feed",
		"https://example.net/login/device": "https://example.net/login/device",
	} {
		in := PublishInput{Link: link}
		leaveOut(&in, links)
		check.Equal(t, "remaining link of "+link, in.Link, want)
	}
}
