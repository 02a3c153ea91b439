package monitoring_test

import (
	"bufio"
	"context"
	"encoding/json"
	"math"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
)

// program returns the path of a program of Prometheus.
func program(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatalf("%s is not installed: run `make test-go`, which installs it (%v)", name, err)
	}
	return path
}

// prometheus is a running Prometheus.
type prometheus struct {
	t   *testing.T
	url string
}

var listens = regexp.MustCompile(`msg="Listening on" address=(127\.0\.0\.1:\d+)`)

// start runs Prometheus with the files of a directory until the test ends.
func start(t *testing.T, dir string) *prometheus {
	t.Helper()
	cmd := exec.CommandContext(context.Background(), program(t, "prometheus"),
		"--config.file="+filepath.Join(dir, "prometheus.yml"), "--storage.tsdb.path="+filepath.Join(dir, "data"),
		"--web.listen-address=127.0.0.1:0")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	log, err := cmd.StderrPipe()
	if err != nil {
		t.Fatalf("open the standard error: %v", err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatalf("start Prometheus: %v", err)
	}
	addresses, ended := make(chan string, 1), make(chan string, 1)
	go func() {
		var all strings.Builder
		for lines := bufio.NewScanner(log); lines.Scan(); {
			_, _ = all.WriteString(lines.Text() + "\n")
			if found := listens.FindStringSubmatch(lines.Text()); found != nil {
				addresses <- found[1]
			}
		}
		ended <- all.String()
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		said := <-ended
		if err := cmd.Wait(); err != nil {
			t.Errorf("Prometheus: %v\n%s", err, said)
		}
	})
	select {
	case address := <-addresses:
		p := &prometheus{t: t, url: "http://" + address}
		wait(t, "Prometheus", []string{"/-/ready"}, p.isOK)
		return p
	case said := <-ended:
		t.Fatalf("Prometheus ended:\n%s", said)
	case <-time.After(time.Minute):
		t.Fatal("Prometheus did not start to listen within a minute")
	}
	return nil
}

func (p *prometheus) get(path string, query url.Values, into any) {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, p.url+path+"?"+query.Encode(), nil)
	if err != nil {
		p.t.Fatalf("new request: %v", err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		p.t.Fatalf("ask Prometheus: %v", err)
	}
	defer res.Body.Close() // one value is decoded
	var answer struct {
		Status, Error string
		Data          any
	}
	answer.Data = into
	err = json.NewDecoder(res.Body).Decode(&answer)
	if err != nil || answer.Status != "success" {
		p.t.Fatalf("ask Prometheus for %v: got %q %q, %v", query, answer.Status, answer.Error, err)
	}
}

// isOK reports whether the status of a GET is 200.
func (p *prometheus) isOK(path string) bool {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, p.url+path, nil)
	if err != nil {
		p.t.Fatalf("new request: %v", err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	_ = res.Body.Close()
	return res.StatusCode == http.StatusOK
}

// has reports whether a query returns a number.
func (p *prometheus) has(expression string) bool {
	p.t.Helper()
	var data struct{ Result []struct{ Value [2]any } }
	p.get("/api/v1/query", url.Values{"query": {expression}}, &data)
	for _, r := range data.Result {
		text, _ := r.Value[1].(string)
		if n, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(n) {
			return true
		}
	}
	return false
}

// fires reports whether an alert fires.
func (p *prometheus) fires(name string) bool {
	p.t.Helper()
	var data struct {
		Alerts []struct {
			Labels map[string]string
			State  string
		}
	}
	p.get("/api/v1/alerts", nil, &data)
	for _, a := range data.Alerts {
		if a.Labels["alertname"] == name && a.State == "firing" {
			return true
		}
	}
	return false
}

var (
	waits   = regexp.MustCompile(`for: \w+`)
	windows = regexp.MustCompile(`\[\d+m\]`)
)

// configure writes the configuration and the rules into a directory, for targets on this machine, and so that all that
// takes minutes takes seconds.
func configure(t *testing.T, targets ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	config := strings.NewReplacer("15s", "1s", "[127.0.0.1:9464]", "["+strings.Join(targets, ", ")+"]").
		Replace(read(t, "prometheus.yml"))
	rules := waits.ReplaceAllString(windows.ReplaceAllString(read(t, "alerts.yml"), "[5s]"), "for: 0s")
	rules = strings.NewReplacer("> 900", "> 1", "> 300", "> 1", "> 2e+10", "> 1", "> 0.9", "> 0", "> 60", "> 1").Replace(rules)
	for name, text := range map[string]string{"prometheus.yml": config, "alerts.yml": rules} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatalf("write a file: %v", err)
		}
	}
	return dir
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("read a file: %v", err)
	}
	return string(b)
}

// wait waits until all names are true.
func wait(t *testing.T, what string, names []string, ok func(name string) bool) {
	t.Helper()
	left := slices.Clone(names)
	defer func() {
		if len(left) > 0 {
			t.Errorf("%s: got none for %q", what, left)
		}
	}()
	eventually.True(t, what, func() bool {
		left = slices.DeleteFunc(left, ok)
		return len(left) == 0
	})
}
