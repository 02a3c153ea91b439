package servertest_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

// alertmanagerConfig makes Alertmanager repeat its notifications every second.
const alertmanagerConfig = `
route: {receiver: sininho, group_by: [alertname], group_wait: 0s, group_interval: 1s, repeat_interval: 1s}
receivers:
  - name: sininho
    webhook_configs:
      - url: %s
        send_resolved: true
        http_config: {authorization: {type: Bearer, credentials: %q}}
`

var listens = regexp.MustCompile(`address=(127\.0\.0\.1:\d+)`)

// alertmanager runs Alertmanager with a configuration until the test ends, and returns its address.
func alertmanager(t *testing.T, text string) string {
	t.Helper()
	program, err := exec.LookPath("prometheus-alertmanager")
	if err != nil {
		program, err = exec.LookPath("alertmanager") // its name outside Debian
	}
	if err != nil {
		t.Fatalf("Alertmanager is not installed: run `make test-go`, which installs it (%v)", err)
	}
	dir := t.TempDir()
	config := filepath.Join(dir, "alertmanager.yml")
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatalf("write a file: %v", err)
	}
	cmd := exec.CommandContext(context.Background(), program, "--config.file="+config, "--storage.path="+dir,
		"--web.listen-address=127.0.0.1:0", "--cluster.listen-address=")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	log, err := cmd.StderrPipe()
	if err != nil {
		t.Fatalf("open the standard error: %v", err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatalf("start the program: %v", err)
	}
	addresses := make(chan string, 1)
	read := make(chan string, 1)
	go func() {
		var all strings.Builder
		lines := bufio.NewScanner(log)
		for lines.Scan() {
			_, _ = all.WriteString(lines.Text() + "\n")
			if found := listens.FindStringSubmatch(lines.Text()); found != nil {
				select {
				case addresses <- found[1]:
				default:
				}
			}
		}
		read <- all.String()
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		said := <-read
		if err := cmd.Wait(); err != nil || t.Failed() {
			t.Logf("Alertmanager: %v\n%s", err, said)
		}
	})
	select {
	case address := <-addresses:
		return "http://" + address
	case <-time.After(2 * time.Minute):
		t.Fatal("Alertmanager did not start to listen within two minutes")
		return ""
	}
}

// alert posts an alert to Alertmanager; an ended one counts as resolved.
func alert(t *testing.T, address string, ended bool) {
	t.Helper()
	a := map[string]any{
		"labels":       map[string]string{"alertname": "DiskFull", "instance": "db:9100", "severity": "critical"},
		"annotations":  map[string]string{"summary": "The disk of db is full", "description": "99 % of /var is used."},
		"startsAt":     time.Now().Add(-time.Hour).UTC().Truncate(time.Hour),
		"generatorURL": "https://prometheus.example.com/graph",
	}
	if ended {
		a["endsAt"] = time.Now().Add(-time.Second)
	}
	body, err := json.Marshal([]any{a})
	if err != nil {
		t.Fatalf("encode JSON: %v", err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address+"/api/v2/alerts",
		bytes.NewReader(body))
	if err != nil {
		t.Fatalf("new request: %v", err)
	}
	req.Header.Set("Content-Type", "application/json")
	call(t, req, "", http.StatusOK, nil)
}

// alertmanagerCount returns a counter of Alertmanager by the integration that it is of.
func alertmanagerCount(t *testing.T, address, counter, integration string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+"/metrics", nil)
	if err != nil {
		t.Fatalf("new request: %v", err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatalf("request %s %s: %v", req.Method, req.URL, err)
	}
	defer res.Body.Close() // the body has been read in full
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("read the body: %v", err)
	}
	found := regexp.MustCompile(`(?m)^` + counter + `\{integration="` + integration + `"[^}]*\} (\d+)`).
		FindSubmatch(b)
	if found == nil {
		return 0
	}
	n, _ := strconv.Atoi(string(found[1]))
	return n
}

// TestAlertmanager makes Debian's Alertmanager fire at a webhook repeatedly, and then resolve.
func TestAlertmanager(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	var hook made
	withKey(t, ana, s, http.MethodPost, hooksPath, map[string]any{"name": "Alertmanager", "sender": "alertmanager"},
		http.StatusCreated, &hook)
	check.Equal(t, "signing of an Alertmanager webhook", hook.Signing, "bearer")
	address := alertmanager(t, fmt.Sprintf(alertmanagerConfig, hook.URL, hook.Secret))
	events := func() (data []received) {
		var list struct{ Data []received }
		withKey(t, ana, s, http.MethodGet, hooksPath+"/"+hook.ID+"/events", nil, http.StatusOK, &list)
		return list.Data
	}
	alert(t, address, false)
	eventually.True(t, "the alert", func() bool { return len(events()) == 1 })
	eventually.True(t, "repetitions", func() bool {
		return alertmanagerCount(t, address, "alertmanager_notifications_total", "webhook") >= 3
	})
	got := events()
	if len(got) != 1 || got[0].Kind != "firing" || got[0].Outcome != "published" {
		t.Fatalf("webhook events of a firing alert: got %+v, want one, firing and published", got)
	}
	check.Equal(t, "notification of a firing alert", notificationOf(t, ana, got[0].NotificationID), notification{
		Title: "Firing: DiskFull – The disk of db is full", Body: "99 % of /var is used.",
		Link: "https://prometheus.example.com/graph", Importance: "important"},
		cmpopts.IgnoreFields(notification{}, "ExternalID", "Icon"))
	alert(t, address, true)
	eventually.True(t, "the end of the alert", func() bool { return len(events()) == 2 })
	if got = events(); got[0].Kind != "resolved" || got[0].Outcome != "published" {
		t.Fatalf("webhook events of a resolved alert: got %+v, want the latest resolved and published", got)
	}
	check.Equal(t, "title of a resolved alert", notificationOf(t, ana, got[0].NotificationID).Title,
		"Resolved: DiskFull – The disk of db is full")
}

// chatConfig makes Alertmanager post as to Slack and to Discord, in its own words.
const chatConfig = `
route: {receiver: chats, group_by: [alertname], group_wait: 0s, group_interval: 1h, repeat_interval: 1h}
receivers:
  - name: chats
    slack_configs:
      - api_url: %s
        title_link: https://alerts.example.com/
        text: '{{ .CommonAnnotations.summary }}'
        fields: [{title: Severity, value: '{{ .CommonLabels.severity }}'}]
    discord_configs:
      - webhook_url: %s
`

// TestAlertmanagerForSlackAndDiscord makes Debian's Alertmanager post as to Slack, whose response it compares with ok,
// and as to Discord.
func TestAlertmanagerForSlackAndDiscord(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	hooks := map[string]made{}
	for _, sender := range []string{"slack", "discord"} {
		var hook made
		withKey(t, ana, s, http.MethodPost, hooksPath, object{"name": sender, "sender": sender}, http.StatusCreated, &hook)
		check.Equal(t, "signing and secret of "+sender, []string{hook.Signing, hook.Secret}, []string{"none", ""})
		hooks[sender] = hook
	}
	address := alertmanager(t, fmt.Sprintf(chatConfig, hooks["slack"].URL, hooks["discord"].URL))
	alert(t, address, false)
	for sender, want := range map[string]notification{
		"slack": {Title: "[FIRING:1] DiskFull (db:9100 critical)", Link: "https://alerts.example.com/",
			Body: "The disk of db is full\n\nSeverity: critical", Importance: "normal"},
		"discord": {Title: "[FIRING:1] DiskFull (db:9100 critical)", Importance: "normal"},
	} {
		var list struct{ Data []received }
		eventually.True(t, "the alert of "+sender, func() bool {
			withKey(t, ana, s, http.MethodGet, hooksPath+"/"+hooks[sender].ID+"/events", nil, http.StatusOK, &list)
			return len(list.Data) == 1
		})
		got := notificationOf(t, ana, list.Data[0].NotificationID)
		if sender == "discord" { // the body is Alertmanager's template, with addresses of this machine
			check.Equal(t, "title for Discord", got.Title, want.Title)
			continue
		}
		check.Equal(t, "notification for Slack", got, want)
	}
	eventually.True(t, "both were sent", func() bool {
		return alertmanagerCount(t, address, "alertmanager_notifications_total", "slack") == 1 &&
			alertmanagerCount(t, address, "alertmanager_notifications_total", "discord") == 1
	})
	for sender := range hooks {
		check.Equal(t, "failures of Alertmanager at "+sender,
			alertmanagerCount(t, address, "alertmanager_notifications_failed_total", sender), 0)
	}
}
