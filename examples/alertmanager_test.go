package examples_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/server/lab/servertest"
)

// alertmanager creates the webhook by the README, and posts an alert as Alertmanager does with the files that the
// README writes.
func alertmanager(b *bench) {
	commands := strings.NewReplacer("acme/alerts", b.channel(), "/etc/alertmanager/", b.dir+"/").
		Replace(b.readme("alertmanager"))
	address := b.run(0, "bash", "-euc", commands)
	secret, err := os.ReadFile(filepath.Join(b.dir, "sininho.secret"))
	b.must(err)
	alerts := `{"version": "4", "status": "firing", "receiver": "sininho", "groupKey": "{}", "externalURL": "https://alerts.example.com",
		"groupLabels": {"alertname": "DiskFull"}, "commonLabels": {"alertname": "DiskFull", "severity": "critical"}, "commonAnnotations": {},
		"alerts": [{"status": "firing", "labels": {"alertname": "DiskFull"}, "annotations": {"summary": "No space left"},
		"startsAt": "2026-03-01T12:00:00Z", "endsAt": "0001-01-01T00:00:00Z", "fingerprint": "1", "generatorURL": "https://prometheus.example.com"}]}`
	b.run(0, "curl", "--fail-with-body", "-sS", address, "-H", "Authorization: Bearer "+string(secret),
		"-H", "Content-Type: application/json", "-d", alerts)
	for hook, err := range b.Client().Webhooks.List(b.t.Context(), b.channel()) {
		b.must(err)
		if hook.Sender != sininho.SenderAlertmanager || hook.Signing != sininho.SigningBearer {
			b.t.Errorf("webhook: got sender %s and signing %s, want Alertmanager and bearer", hook.Sender, hook.Signing)
		}
	}
	alert := b.publishedCount(1)[0]
	if !strings.Contains(alert.Title, "DiskFull") || alert.Importance != sininho.Important {
		b.t.Errorf("notification: got %q of importance %s, want DiskFull in it and important",
			alert.Title, alert.Importance)
	}
}

// TestAlertmanagerConfig checks the file with Alertmanager's own tool. A test in server/lab/servertest runs
// Alertmanager itself to check that alerts arrive.
func TestAlertmanagerConfig(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("amtool"); err != nil {
		t.Fatalf("amtool is not installed: run `make test-go`, which installs it (%v)", err)
	}
	b := &bench{t: t, dir: t.TempDir(), environment: servertest.Environment()}
	out := b.run(0, "amtool", "check-config", b.here("alertmanager", "alertmanager.yml"))
	if !strings.Contains(out, "SUCCESS") {
		t.Errorf("amtool check-config: got %s, want SUCCESS", out)
	}
}
