//go:build foreign

package foreign_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

func TestMain(m *testing.M) { servertest.Main(m) }

const channel = "demo/novidades"

// python runs a program with arguments and returns what it wrote.
func python(t *testing.T, program string, args ...string) string {
	t.Helper()
	interpreter := os.Getenv("PYTHON")
	if interpreter == "" {
		t.Fatal("PYTHON names no interpreter: run `make test-foreign`")
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, interpreter, append([]string{"-c", program}, args...)...).CombinedOutput()
	if err != nil {
		t.Errorf("python %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// latest returns the newest notification of the channel.
func latest(t *testing.T, s *servertest.Server) sininho.Notification {
	t.Helper()
	for n, err := range s.Client().Notifications.List(t.Context(), channel, sininho.ListOptions{}) {
		if err != nil {
			t.Fatalf("list the notifications: %v", err)
		}
		return n
	}
	t.Fatal("notifications of the channel: got none, want one")
	return sininho.Notification{}
}

func hook(t *testing.T, s *servertest.Server, in sininho.WebhookInput) string {
	t.Helper()
	made, err := s.Client().Webhooks.Create(t.Context(), channel, in)
	if err != nil {
		t.Fatalf("create a webhook: %v", err)
	}
	return made.URL
}

const notify = `
import sys, apprise
a = apprise.Apprise()
if not a.add(sys.argv[1]): sys.exit("Apprise does not read the address")
if not a.notify(title=sys.argv[2], body="O disco está cheio.\nFaltam 0 B & mais", notify_type="failure"): sys.exit("not sent")
`

// TestApprise sends by each address that the documentation gives.
func TestApprise(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	host, key := strings.TrimPrefix(s.URL, "http://"), s.APIKey
	plain := strings.TrimPrefix(hook(t, s, sininho.WebhookInput{Name: "a", Signing: sininho.SigningNone}), "http://")
	api := host + "/api/v1/channels/" + channel + "/notifications"
	for name, address := range map[string]string{
		"a webhook":         "json://" + plain,
		"a webhook, a form": "form://" + plain,
		"the API":           "json://" + api + "?+Authorization=Bearer%20" + key + "&:message=body&:version=&:type=&:attachments=",
		"ntfy with a user":  "ntfy://sininho:" + key + "@" + host + "/demo_novidades",
		"ntfy with a token": "ntfy://" + host + "/demo_novidades?auth=token&token=" + key,
		"Gotify":            "gotify://" + host + "/novidades:" + key,
		"Gotify, encoded":   "gotify://" + host + "/novidades%3A" + key,
	} {
		title := "Cópia falhada: " + name
		python(t, notify, address, title)
		n := latest(t, s)
		check.Equal(t, "notification by "+name, []string{n.Title, n.Body},
			[]string{title, "O disco está cheio.\nFaltam 0 B & mais"})
	}
}

const slack = `
import sys
from slack_sdk.webhook import WebhookClient
r = WebhookClient(sys.argv[1]).send(text="*Done* &amp; dusted", blocks=[
    {"type": "section", "text": {"type": "mrkdwn", "text": "*Done* &amp; dusted: <https://example.com/1|build>"}}])
print(r.status_code, r.body)
`

const discord = `
import sys
from discord_webhook import DiscordEmbed, DiscordWebhook
w = DiscordWebhook(url=sys.argv[1], content="**Done**", username="ci")
w.add_embed(DiscordEmbed(title="Build 1842", url="https://example.com/1", description="All *well*"))
w.add_file(file=b"log", filename="log.txt")
r = w.execute()
print(r.status_code, w.id.isdigit())
`

// TestClientsOfSlackAndDiscord sends messages by their own libraries.
func TestClientsOfSlackAndDiscord(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	address := hook(t, s, sininho.WebhookInput{Name: "s", Sender: sininho.SenderSlack})
	check.Equal(t, "response for slack_sdk", python(t, slack, address), fmt.Sprintf("%d ok", http.StatusOK))
	n := latest(t, s)
	check.Equal(t, "notification by slack_sdk", []string{n.Title, n.Body, n.Link},
		[]string{"Done & dusted: build", "", "https://example.com/1"})
	address = hook(t, s, sininho.WebhookInput{Name: "d", Sender: sininho.SenderDiscord})
	check.Equal(t, "response for discord-webhook", python(t, discord, address), fmt.Sprintf("%d True", http.StatusOK))
	n = latest(t, s)
	check.Equal(t, "notification by discord-webhook", []string{n.Title, n.Body, n.Link},
		[]string{"Done", "Build 1842\n\nAll well", "https://example.com/1"})
}
