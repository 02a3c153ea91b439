package chat_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/sininho/sininho/server/internal/chat"
)

func TestSlackMarkup(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain":                             "plain",
		"*bold* _italic_ ~gone~":            "bold italic gone",
		"*_both_*":                          "both",
		"(*bold*), *a b*.":                  "(bold), a b.",
		"snake_case_name and 2*3*4":         "snake_case_name and 2*3*4",
		"* not bold * and *open":            "* not bold * and *open",
		"*over a\nline*":                    "*over a\nline*",
		"`*code*` and ```\n*block*\n```":    "*code* and *block*",
		"&lt;b&gt; &amp;amp; & <3":          "<b> &amp; & <3",
		"<https://a.example/x_y_z>":         "https://a.example/x_y_z",
		"*<https://a.example|Title>* done":  "Title done",
		"<mailto:ana@example.com|Ana>":      "Ana",
		"<tel:+351210000000>":               "+351210000000",
		"<@U1|ana> in <#C1|general>":        "@ana in #general",
		"<!subteam^S1|@team>":               "@team",
		"<!date^1392734382^{date}|18 Feb>":  "18 Feb",
		"a < b and c > d":                   "a < b and c > d",
		"<script>alert(1)</script>":         "<script>alert(1)</script>",
		"<javascript:alert(1)|here>":        "<javascript:alert(1)|here>",
		"\uE000<https://a.example|A>\uE000": "A",
	} {
		if got := chat.Slack(map[string]any{"text": text}); joined(got) != want {
			t.Errorf("Slack text %q: got %q, want %q", text, joined(got), want)
		}
	}
	raw := chat.Slack(map[string]any{"text": "*a* &lt;", "mrkdwn": false})
	if raw.Title != "*a* <" {
		t.Errorf("text without markup: got %q, want its asterisks", raw.Title)
	}
}

func TestDiscordMarkup(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"**bold** *it* _it_ __under__ ~~gone~~ ||hidden||": "bold it it under gone hidden",
		"***all***":                    "all",
		"snake_case 2*3*4 \\*literal*": "snake_case 2*3*4 *literal*",
		"# Heading\n-# small\n#tag":    "Heading\nsmall\n#tag",
		"```go\nx := \"**\"\n```":      `x := "**"`,
		"[label](https://a.example/)":  "label",
		"[x](javascript:alert(1))":     "[x](javascript:alert(1))",
		"<https://a.example/a_b_c>":    "https://a.example/a_b_c",
		"<:ok:123> <a:go:4> <@!5>done": ":ok: :go: done",
		"at <t:0:F>":                   "at 1970-01-01 00:00 UTC",
	} {
		if got := chat.Discord(map[string]any{"content": text}); joined(got) != want {
			t.Errorf("Discord content %q: got %q, want %q", text, joined(got), want)
		}
	}
}

func joined(m chat.Message) string {
	return strings.TrimSuffix(m.Title+"\n"+m.Body, "\n")
}

func TestFirstLinkIsTheNotifications(t *testing.T) {
	t.Parallel()
	got := chat.Slack(map[string]any{"text": "<https://a.example|A> and <https://b.example|B> and <https://a.example|again>"})
	want := chat.Message{Title: "A and B (https://b.example) and again", Link: "https://a.example"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("links of a message (-want +got):\n%s", diff)
	}
}

// A message of the other program is read as what it is: people paste addresses into the wrong field.
func TestMessagesOfTheOther(t *testing.T) {
	t.Parallel()
	if got := chat.Slack(map[string]any{"content": "**a**"}).Title; got != "a" {
		t.Errorf("content for Discord at Slack: got %q, want a", got)
	}
	if got := chat.Discord(map[string]any{"text": "<https://a.example|a>"}).Title; got != "a" {
		t.Errorf("text for Slack at Discord: got %q, want a", got)
	}
	for _, read := range []func(map[string]any) chat.Message{chat.Slack, chat.Discord} {
		if diff := cmp.Diff(chat.Message{}, read(map[string]any{"a": 1})); diff != "" {
			t.Errorf("payload without a message (-want +got):\n%s", diff)
		}
	}
}

func TestNestingIsBounded(t *testing.T) {
	t.Parallel()
	rich := map[string]any{"type": "text", "text": "deep"}
	container := map[string]any{"type": 10, "content": "deep"}
	for range 5_000 {
		rich = map[string]any{"type": "rich_text_section", "elements": []any{rich}}
		container = map[string]any{"type": 17, "components": []any{container}}
	}
	blocks := []any{map[string]any{"type": "rich_text", "elements": []any{rich}}}
	if got := joined(chat.Slack(map[string]any{"blocks": blocks})); got != "" {
		t.Errorf("text below too many levels of Slack: got %q, want none", got)
	}
	if got := joined(chat.Discord(map[string]any{"components": []any{container}})); got != "" {
		t.Errorf("text below too many levels of Discord: got %q, want none", got)
	}
}

// Each of these would take minutes if the time were not proportional to the size.
func TestHostileTexts(t *testing.T) {
	t.Parallel()
	const size = 256 << 10
	for _, part := range []string{"*a ", "**a ", "_", "<", "<https://a|", "`", "```", "[a](", "\\", "||", "&lt;", "\uE000", "> "} {
		text := strings.Repeat(part, size/len(part))
		for name, read := range map[string]func(map[string]any) chat.Message{"Slack": chat.Slack, "Discord": chat.Discord} {
			if got := read(map[string]any{"text": text, "content": text}); !utf8.ValidString(joined(got)) {
				t.Errorf("%q repeated for %s: got invalid UTF-8", part, name)
			}
		}
	}
	var attachments []any
	for range 5_000 {
		attachments = append(attachments, map[string]any{"text": "the same", "title_link": "https://a.example"})
	}
	if got := chat.Slack(map[string]any{"attachments": attachments}); joined(got) != "the same" {
		t.Errorf("5,000 equal attachments: got %d bytes, want one text", len(joined(got)))
	}
}

func FuzzMessages(f *testing.F) {
	f.Add([]byte(`{"text":"*a* <https://b|c>","blocks":[{"type":"section","text":{"type":"mrkdwn","text":"x"}}]}`))
	f.Add([]byte(`{"attachments":[{"fields":[{"title":1,"value":[]}],"blocks":{}}]}`))
	f.Add([]byte(`{"content":"[a](https://b) <t:1:R>","embeds":[{"author":{},"fields":[null]}],"components":[1]}`))
	f.Fuzz(func(t *testing.T, payload []byte) {
		var object map[string]any
		if json.Unmarshal(payload, &object) != nil {
			return
		}
		for name, m := range map[string]chat.Message{"Slack": chat.Slack(object), "Discord": chat.Discord(object)} {
			for _, address := range []string{m.Link, m.Image} {
				if address != "" && !strings.HasPrefix(address, "http") {
					t.Errorf("address in %q for %s: got %q, want one of the web", payload, name, address)
				}
			}
		}
	})
}
