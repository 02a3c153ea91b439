package core_test

import (
	"strings"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

// TestPlainPayload reads what programs post that know no member of a notification, and lists what was changed.
func TestPlainPayload(t *testing.T) {
	w := newWorld(t)
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
		in := core.WebhookPreview{Event: core.WebhookEvent{Body: []byte(body)}}
		e, rendered, err := w.webhooks.Preview(t.Context(), w.owner, "metro", "avisos", in)
		core.Succeed(t, "preview "+body, err)
		var adjusted []string
		for _, each := range e.Adjusted {
			adjusted = append(adjusted, each.Pointer+" "+each.Reason)
		}
		check.Equal(t, "preview of "+body, [3]string{rendered.Title, rendered.Body, strings.Join(adjusted, "; ")}, want)
	}
}
