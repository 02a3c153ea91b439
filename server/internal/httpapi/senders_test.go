package httpapi

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/pkg/webhook"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

var update = flag.Bool("update", false, "rewrite testdata/senders.golden")

// sent is a request of testdata/senders.txtar.
type sent struct {
	tool     string
	sender   core.WebhookSender
	signing  string
	template string
	header   http.Header
	body     string
}

func readSenders(t *testing.T) (all []sent) {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/senders.txtar")
	if err != nil {
		t.Fatalf("read the requests: %v", err)
	}
	for _, file := range archive.Files {
		name := strings.Fields(file.Name)
		head, body, _ := strings.Cut(string(file.Data), "\n\n")
		s := sent{tool: name[0], sender: core.WebhookSender(name[1]), signing: name[2], header: http.Header{},
			body: strings.TrimSuffix(body, "\n")}
		for line := range strings.SplitSeq(head, "\n") {
			key, value, _ := strings.Cut(line, ": ")
			if key == "Template" {
				s.template = value
				continue
			}
			s.header.Set(key, value)
		}
		if strings.HasPrefix(s.header.Get("Content-Type"), "multipart/") {
			s.body = strings.ReplaceAll(s.body, "\n", "\r\n")
		}
		all = append(all, s)
	}
	return all
}

// hook creates the webhook of a sender, and returns its address.
func (w *world) hook(s sent, secret string) string {
	w.t.Helper()
	address := w.webhook(s.tool, secret)
	hook := w.hooks[string(core.HashSecret(address))]
	hook.Sender, hook.Signing = s.sender, core.WebhookSigning(strings.Replace(s.signing, "svix", "standard", 1))
	if hook.Signing == core.SigningNone {
		hook.SecretSealed = nil
	}
	if s.template != "" {
		hook.Template = &core.WebhookTemplate{Title: s.template}
	}
	w.hooks[string(core.HashSecret(address))] = hook
	return address
}

// sign adds the signature as the tool makes it.
func (s sent) sign(secret string) []string {
	signed := http.Header{}
	switch s.signing {
	case "svix":
		for name, values := range signings[core.SigningStandard](secret, s.body, start) {
			signed.Set(strings.Replace(strings.ToLower(name), "webhook-", "svix-", 1), values[0])
		}
	case "none":
	default:
		signed = signings[core.WebhookSigning(s.signing)](secret, s.body, start)
	}
	var list []string
	for _, h := range []http.Header{s.header, signed} {
		for name := range h {
			list = append(list, name+": "+h.Get(name))
		}
	}
	if s.header.Get("Content-Type") == "" {
		list = append(list, "Content-Type: ")
	}
	return list
}

// TestRealSenders posts what 40 and more tools send, byte by byte. None of it may be lost; what becomes of each is in
// testdata/senders.golden.
func TestRealSenders(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Limits.Off = true })
	secret := webhook.NewSecret()
	var results strings.Builder
	all := readSenders(t)
	for _, s := range all {
		w.publishedEvents, w.events = nil, map[string]core.ID{}
		a := w.send("POST", hooks+w.hook(s, secret)+"/?source="+s.tool, s.body, s.sign(secret)...)
		if a.wantStatus(s.tool, 202); a.Code != 202 {
			continue
		}
		var got api.WebhookReceipt
		a.mustDecode(s.tool, &got)
		if got.Outcome != "published" || len(w.publishedEvents) != 1 {
			t.Errorf("%s: got the outcome %s and %d notifications, want one", s.tool, got.Outcome, len(w.publishedEvents))
			continue
		}
		n := w.publishedEvents[0]
		fmt.Fprintf(&results, "%s\n    %s\n", s.tool, n.Title)
		for _, pair := range [][2]string{{"body", n.Body}, {"link", n.Link}, {"importance", string(n.Importance)}} {
			if pair[1] != "" && pair[1] != "normal" {
				fmt.Fprintf(&results, "    %s %q\n", pair[0], pair[1])
			}
		}
		if got.Adjusted != nil {
			for _, each := range *got.Adjusted {
				fmt.Fprintf(&results, "    adjusted %s %s\n", each.Pointer, each.Reason)
			}
		}
	}
	if len(all) < 40 {
		t.Errorf("tools: got %d, want at least 40", len(all))
	}
	compareGolden(t, "testdata/senders.golden", results.String())
}

func compareGolden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatalf("write %s: %v", path, err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("read %s: %v", path, err)
	}
	check.Equal(t, path, strings.Split(got, "\n"), strings.Split(string(want), "\n"))
}

// TestEncodingsOfSenders posts the same report in the encodings in which senders write it.
func TestEncodingsOfSenders(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Limits.Off = true })
	const title = "Ação nº 1"
	utf16 := func(s string) string {
		text := "\xff\xfe"
		for _, r := range s {
			text += string([]byte{byte(r), byte(r >> 8)})
		}
		return text
	}
	latin1 := func(s string) string {
		var text []byte
		for _, r := range s {
			text = append(text, byte(r))
		}
		return string(text)
	}
	object := `{"title":"` + title + `"}`
	for name, c := range map[string]struct{ media, body string }{
		"a byte-order mark":    {"application/json", "\xEF\xBB\xBF" + object},
		"no media type":        {"", object},
		"text/plain":           {"text/plain", object},
		"UTF-16":               {"application/json; charset=utf-16", utf16(object)},
		"undeclared UTF-16":    {"text/plain", utf16(object)},
		"a text in UTF-16":     {"text/plain", utf16(title + "\n")},
		"Latin-1":              {"application/json; charset=ISO-8859-1", latin1(object)},
		"a text in Latin-1":    {"text/plain", latin1(title)},
		"an odd charset":       {`application/json; charset="utf8mb4"`, object},
		"a broken media type":  {"application/json;;charset", object},
		"a form":               {"application/x-www-form-urlencoded", "title=A%C3%A7%C3%A3o+n%C2%BA+1"},
		"a form with UTF-8":    {"application/x-www-form-urlencoded; charset=utf-8", "title=" + strings.ReplaceAll(title, " ", "+")},
		"a text as a form":     {"application/x-www-form-urlencoded", title},
		"a JSON text":          {"application/json", `"` + title + `"`},
		"control characters":   {"application/json", "{\"title\":\"\x1b[1m" + title + "\x1b[0m\"}"},
		"white space around":   {"application/json", "\n\t " + object + "\r\n"},
		"a list of one object": {"application/json", "[" + object + "]"},
	} {
		w.publishedEvents = nil
		s := sent{tool: name, sender: core.SenderPlain, signing: "none"}
		w.send("POST", hooks+w.hook(s, ""), c.body, "Content-Type: "+c.media).wantStatus(name, 202)
		if len(w.publishedEvents) != 1 || w.publishedEvents[0].Title != title {
			t.Errorf("%s: got %+v, want the title %s", name, w.publishedEvents, title)
		}
	}
}

// TestStormOfAlerts posts more alerts than a payload may have, which Alertmanager does not repeat after a 413.
func TestStormOfAlerts(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Limits.Off = true })
	secret := webhook.NewSecret()
	for _, sender := range []core.WebhookSender{core.SenderAlertmanager, core.SenderGrafana} {
		address := w.hook(sent{tool: string(sender), sender: sender, signing: "bearer"}, secret)
		for description, size := range map[string]int{"short alerts": 100, "long alerts": 5000} {
			w.publishedEvents, w.events = nil, map[string]core.ID{}
			body := storm(600, size)
			a := w.send("POST", hooks+address, body, "Authorization: Bearer "+secret)
			a.wantStatus(description+" of "+string(sender), 202)
			if len(w.publishedEvents) != 1 || !strings.Contains(w.publishedEvents[0].Title, "(600 alerts)") {
				t.Errorf("%s of %s, %d KiB: got %.300s, %.300v; want one notification of 600 alerts", description, sender,
					len(body)>>10, a.Body, w.publishedEvents)
			}
		}
	}
	address := w.hook(sent{tool: "again", sender: core.SenderAlertmanager, signing: "bearer"}, secret)
	w.events = map[string]core.ID{}
	other := strings.ReplaceAll(storm(600, 100), "host-599", "host-600")
	for i, body := range []string{storm(600, 100), storm(600, 100), other} {
		w.publishedEvents = nil
		w.send("POST", hooks+address, body, "Authorization: Bearer "+secret).wantStatus("storm", 202)
		check.Equal(t, fmt.Sprintf("notifications of storm %d", i), len(w.publishedEvents), []int{1, 0, 1}[i])
	}
}

func storm(n, size int) string {
	var alerts []map[string]any
	for i := range n {
		host := fmt.Sprintf("host-%d", i)
		alerts = append(alerts, map[string]any{"status": "firing", "fingerprint": fmt.Sprintf("%016x", i),
			"startsAt": "2026-03-01T10:00:00Z", "endsAt": "0001-01-01T00:00:00Z",
			"labels":      map[string]string{"alertname": "Down", "instance": host, "job": "node", "severity": "page"},
			"annotations": map[string]string{"description": host + strings.Repeat("x", size)}})
	}
	body, err := json.Marshal(map[string]any{"receiver": "s", "status": "firing", "alerts": alerts, "version": "4",
		"commonLabels": map[string]string{"alertname": "Down"}, "groupKey": "g", "truncatedAlerts": 0})
	if err != nil {
		panic(err)
	}
	return string(body)
}
