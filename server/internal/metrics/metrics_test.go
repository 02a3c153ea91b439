package metrics_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/version"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/metrics"
	"github.com/sininho/sininho/server/lab/check"
)

var update = flag.Bool("update", false, "rewrite the table in docs/metrics.md")

func whole() metrics.Metrics {
	m := metrics.New()
	m.Pools(nil)
	m.Backlog(func(context.Context) (core.Backlog, error) { return core.Backlog{}, nil })
	m.Storage(func(context.Context) (core.InstallationStorage, error) { return core.InstallationStorage{}, nil })
	return m
}

// hot are the calls that are made for each request, push, event or frame.
func hot(m metrics.Metrics) map[string]func() {
	return map[string]func(){
		"request": func() {
			m.HTTP.Begin()
			m.HTTP.End("publishNotification", http.StatusCreated, time.Millisecond, false)
		},
		"limited":   func() { m.HTTP.Limited("reads") },
		"publish":   func() { m.Delivery.Publish(metrics.PublishCreated) },
		"group":     func() { m.Delivery.Group(3, time.Millisecond); m.Delivery.Queued(1); m.Delivery.Published(3) },
		"outcome":   func() { m.Delivery.Outcomes("fcm", "accepted", "", 1) },
		"push":      func() { m.Delivery.Pushed("fcm", "accepted", time.Millisecond) },
		"retry":     func() { m.Delivery.Retried("unavailable") },
		"pace":      func() { m.Delivery.Granted(1) },
		"post":      func() { m.Delivery.Posted(http.StatusOK, time.Millisecond) },
		"frame":     func() { m.Live.Sent(1, 100) },
		"stream":    func() { m.Live.Opened(metrics.Feed); m.Live.Ended(metrics.Feed); m.Live.Cut(metrics.CutSlow, 3) },
		"page":      func() { m.Replicas.Page(true) },
		"picture":   func() { m.Pictures.Asked(metrics.PictureShown) },
		"receiving": func() { m.Live.Receives(true, false) },
	}
}

func TestCountingAllocatesNothing(t *testing.T) {
	for what, count := range hot(metrics.New()) {
		check.Equal(t, "allocations of "+what, testing.AllocsPerRun(100, count), 0)
	}
}

func TestNilCountsNothing(t *testing.T) {
	off := metrics.Metrics{}
	for what, count := range hot(off) {
		check.Equal(t, "allocations of "+what+" without metrics", testing.AllocsPerRun(10, count), 0)
	}
	handler := http.NotFoundHandler()
	if got := fmt.Sprintf("%p", off.HTTP.Handler("x", handler)); got != fmt.Sprintf("%p", handler) {
		t.Error("handler without metrics: got another, want the same")
	}
}

var wellNamed = regexp.MustCompile(`^sininho_[a-z0-9]+(_[a-z0-9]+)+$|^sininho_jobs$`)

func TestNames(t *testing.T) {
	for _, m := range whole().Infos() {
		if !wellNamed.MatchString(m.Name) {
			t.Errorf("name %q: not as Prometheus names metrics", m.Name)
		}
		check.Equal(t, m.Name+": ends in _total", strings.HasSuffix(m.Name, "_total"), m.Type == "counter")
		if len(m.Help) < 10 || !strings.HasSuffix(m.Help, ".") {
			t.Errorf("help of %s: got %q, want a sentence", m.Name, m.Help)
		}
		for _, label := range m.Labels {
			if regexp.MustCompile(`(^|_)(id|slug|path|url|email|token|name)$`).MatchString(label) {
				t.Errorf("label %s of %s: its values would not be bounded", label, m.Name)
			}
		}
	}
}

const (
	guide = "../../../docs/metrics.md"
	begin = "## All metrics\n" // of the generated part
)

// TestGuide compares the table in the guide with the metrics.
// get sends a GET to a server of m for a host.
func get(t *testing.T, m metrics.Metrics, host, path string) (status int, body string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("listen: %v", err)
	}
	s := metrics.Serve(l, m, slog.New(slog.DiscardHandler))
	defer func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	}()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+l.Addr().String()+path, http.NoBody)
	if err != nil {
		t.Fatalf("new request: %v", err)
	}
	req.Host, req.Close = host, true
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatalf("GET %s from %s: %v", path, host, err)
	}
	b, err := io.ReadAll(res.Body)
	if err := errors.Join(err, res.Body.Close()); err != nil {
		t.Fatalf("read %s: %v", path, err)
	}
	return res.StatusCode, string(b)
}

// TestServeRefusesForeignHosts tells a page on the web, whose name resolves to this machine, nothing.
func TestServeRefusesForeignHosts(t *testing.T) {
	for host, want := range map[string]int{"localhost": http.StatusOK, "evil.example": http.StatusMisdirectedRequest} {
		for _, path := range []string{"/metrics", "/debug/pprof/cmdline"} {
			status, _ := get(t, whole(), host, path)
			check.Equal(t, "status of "+path+" at "+host, status, want)
		}
	}
}

// TestFailuresBeginAtZero expects the counts whose first increase raises an alert before it.
func TestFailuresBeginAtZero(t *testing.T) {
	m := whole()
	m.Delivery.Begin("fcm")
	_, body := get(t, m, "localhost", "/metrics")
	for _, want := range []string{
		`sininho_push_attempts_total{result="credentials",transport="fcm"} 0`,
		`sininho_push_attempts_total{result="unavailable",transport="fcm"} 0`,
		`sininho_delivery_outcomes_total{cause="invalid",outcome="failed",transport="fcm"} 0`,
		`sininho_live_cuts_total{reason="slow_reader"} 0`,
	} {
		if !strings.Contains(body, want+"\n") {
			t.Errorf("metrics: got no line %q", want)
		}
	}
}

func TestGuide(t *testing.T) {
	var table strings.Builder
	table.WriteString("\n| metric | type | labels | meaning |\n| --- | --- | --- | --- |\n")
	for _, m := range whole().Infos() {
		labels := ""
		if len(m.Labels) > 0 {
			labels = "`" + strings.Join(m.Labels, "`, `") + "`"
		}
		fmt.Fprintf(&table, "| `%s` | %s | %s | %s |\n", m.Name, m.Type, labels, m.Help)
	}
	text, err := os.ReadFile(guide)
	if err != nil {
		t.Fatalf("read the guide: %v", err)
	}
	before, got, found := strings.Cut(string(text), begin)
	if !found {
		t.Fatalf("guide: got no line %q", begin)
	}
	if *update {
		if err := os.WriteFile(guide, []byte(before+begin+table.String()), 0o600); err != nil {
			t.Fatalf("write the guide: %v", err)
		}
		return
	}
	check.Equal(t, "table of the guide", got, table.String())
}

// BenchmarkPublish is what counting adds to a publish: its request, its result and its group of one.
func BenchmarkPublish(b *testing.B) {
	m := metrics.New()
	calls := hot(m)
	for b.Loop() {
		calls["request"]()
		calls["publish"]()
		calls["group"]()
	}
}

// TestBuildInfo expects the version that the program itself names: a release has no stamps of version control.
func TestBuildInfo(t *testing.T) {
	info := version.Read()
	want := fmt.Sprintf("sininho_build_info{go=%q,revision=%q,version=%q} 1\n", info.Go, info.Commit, info.Version)
	if _, got := get(t, metrics.New(), "127.0.0.1", "/metrics"); !strings.Contains(got, want) {
		t.Errorf("metrics: got %s, want %s", got, want)
	}
}
