package httpapi

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

// TestResponsesForSlackAndDiscord posts as programs for Slack and Discord do, in each encoding, and checks what they
// check.
func TestResponsesForSlackAndDiscord(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Limits.Off = true })
	const form = "Content-Type: application/x-www-form-urlencoded"
	const parts = "Content-Type: multipart/form-data; boundary=b"
	file := "--b\r\nContent-Disposition: form-data; name=\"payload_json\"\r\n\r\n{\"content\":\"Done\"}\r\n" +
		"--b\r\nContent-Disposition: form-data; name=\"files[0]\"; filename=\"log.txt\"\r\n\r\nx\r\n--b--\r\n"
	for name, c := range map[string]struct {
		sender             core.WebhookSender
		query, media, body string
		status             int
		want               string
	}{
		"Slack":                     {core.SenderSlack, "", "", `{"text":"*Done*"}`, 200, "ok"},
		"a form of Slack":           {core.SenderSlack, "", form, "payload=%7B%22text%22%3A%22Done%22%7D", 200, "ok"},
		"a text for Slack":          {core.SenderSlack, "", "Content-Type: text/plain", "Done", 200, "ok"},
		"Discord":                   {core.SenderDiscord, "", "", `{"content":"**Done**"}`, 204, ""},
		"Discord, told not to wait": {core.SenderDiscord, "?wait=false", "", `{"content":"Done"}`, 204, ""},
		"a file for Discord":        {core.SenderDiscord, "", parts, file, 204, ""},
		"a form of Discord":         {core.SenderDiscord, "", form, "content=Done&username=ci", 204, ""},
		"Discord, waiting":          {core.SenderDiscord, "?thread_id=1&wait=true", "", `{"content":"Done"}`, 200, `"content":"Done"`},
	} {
		w.publishedEvents = nil
		media := c.media
		if media == "" {
			media = "Content-Type: application/json"
		}
		address := w.hook(sent{tool: name, sender: c.sender, signing: "none"}, "")
		a := w.send("POST", hooks+address+c.query, c.body, media)
		a.wantStatus(name, c.status)
		if got := a.Body.String(); got != c.want && (c.want == "" || !strings.Contains(got, c.want)) {
			t.Errorf("response to %s: got %q, want %q", name, got, c.want)
		}
		if len(w.publishedEvents) != 1 || w.publishedEvents[0].Title != "Done" {
			t.Errorf("notifications of %s: got %+v, want Done", name, w.publishedEvents)
		}
	}
	address := w.hook(sent{tool: "empty", sender: core.SenderSlack, signing: "none"}, "")
	w.send("POST", hooks+address, `{"text":" "}`, "Content-Type: application/json").wantStatus("a blank message", 422)
}

// Programs for Discord read the ids of a message as numbers.
func TestDiscordMessageHasNumbers(t *testing.T) {
	w := newWorld(t)
	address := w.hook(sent{tool: "Discord", sender: core.SenderDiscord, signing: "none"}, "")
	a := w.send("POST", hooks+address+"?wait=true", `{"embeds":[{"title":"Done"}]}`, "Content-Type: application/json")
	a.wantStatus("a message", 200)
	var got api.DiscordMessage
	a.mustDecode("a message", &got)
	for _, id := range []string{got.ID, got.ChannelID} {
		if id == "" || strings.Trim(id, "0123456789") != "" {
			t.Errorf("id in a message: got %q, want a number", id)
		}
	}
	check.Equal(t, "content of a message that has none", got.Content, "")
}

// The secret of a webhook may come as a password, because some senders have no field for a header.
func TestSecretAsPassword(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Limits.Off = true })
	const secret = "secret-secret"
	address := w.hook(sent{tool: "Radarr", sender: core.SenderRadarr, signing: "bearer"}, secret)
	const body = `{"eventType":"Test"}`
	basic := func(user, password string) string {
		return "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
	}
	for header, status := range map[string]int{
		basic("", secret): 202, basic("sininho", secret): 202, basic(secret, ""): 202,
		basic("", "x"): 401, basic(secret, "x"): 401, basic("", ""): 401, "Authorization: Digest " + secret: 401,
	} {
		w.send("POST", hooks+address, body, "Content-Type: application/json", header).wantStatus(header, status)
	}
}
