package core

import (
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/mend"
	"github.com/sininho/sininho/server/lab/check"
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
		"plain":                {"", nil, `{"title":"x","externalId":"e"}`, OutcomePublished, "x"},
		"plain with a number":  {SenderPlain, nil, `{"title":7}`, OutcomePublished, "7"},
		"plain without a text": {SenderPlain, nil, `{"title":" ","data":{}}`, OutcomeRefused, ""},
		"plain with long id":   {SenderPlain, nil, `{"title":"x","externalId":"` + long + `"}`, OutcomePublished, "x"},
		"sender's template":    {SenderGitHub, nil, "y", OutcomePublished, "y"},
		"own template":         {SenderGitHub, &WebhookTemplate{Title: "z"}, "y", OutcomePublished, "z"},
		"own template, plain":  {SenderPlain, &WebhookTemplate{Title: "z"}, "y", OutcomePublished, "z"},
		"skipped":              {SenderGitHub, nil, "skip", OutcomeSkipped, ""},
		"failed":               {SenderGitHub, nil, "fail", OutcomeRefused, ""},
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

// TestPlainPayload reads what programs post that know no member of a notification, and lists what was changed.
func TestPlainPayload(t *testing.T) {
	w := newWebhooks(t, &webhookStore{}, time.Now)
	for body, want := range map[string][3]string{
		`{"title":"a","message":"b","type":"info"}`:                        {"a", "b", ""},
		`{"subject":"a","text":"b"}`:                                       {"a", "b", ""},
		`{"title":null,"subject":"a","body":" ","message":"b","text":"c"}`: {"a", "b", ""},
		`{"message":"a\nb"}`:                                               {"a", "b", "#/title was missing, and is the first line of the body"},
		`{"text":"a"}`:                                                     {"a", "", "#/title was missing, and is the first line of the body"},
		`{"title":"a","body":{"b":1}}`:                                     {"a", `{"b":1}`, "#/body is not a text; its JSON is"},
		`{"title":"a","data":7}`:                                           {"a", "", "#/data is not an object, and was dropped"},
		`{"title":"a\u0000\u001b[1mb","link":"http://localhost/"}`: {"a b", "",
			"#/title had 5 characters of terminal control or text direction, removed; " +
				"#/link was dropped, because it leads to the machine of whoever opens it"},
	} {
		in := WebhookPreview{SenderPlain, nil, WebhookEvent{Body: []byte(body)}}
		e, rendered, err := w.Preview(t.Context(), webhookOwner, "p", "c", in)
		Succeed(t, "preview "+body, err)
		var adjusted []string
		for _, each := range e.Adjusted {
			adjusted = append(adjusted, each.Pointer+" "+each.Reason)
		}
		check.Equal(t, "preview of "+body, [3]string{rendered.Title, rendered.Body, strings.Join(adjusted, "; ")}, want)
	}
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
		in.mend(links, &mend.Adjustments{})
		check.Equal(t, "remaining link of "+link, in.Link, want)
	}
}
