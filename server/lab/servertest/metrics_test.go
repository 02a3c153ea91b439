package servertest_test

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

// fetchText returns the status and body of a GET.
func fetchText(t *testing.T, url string) (status int, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatalf("new request: %v", err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatalf("request GET %s: %v", url, err)
	}
	defer res.Body.Close() // read in full
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("read GET %s: %v", url, err)
	}
	return res.StatusCode, string(b)
}

var sample = regexp.MustCompile(`(?m)^(sininho_[a-z_]+(?:\{.*\})?) (\S+)$`)

// scrape returns the values of Sininho's series.
func scrape(t *testing.T, s *servertest.Server) (series map[string]string, text string) {
	t.Helper()
	status, text := fetchText(t, s.MetricsURL)
	check.Equal(t, "status of the metrics", status, http.StatusOK)
	series = map[string]string{}
	for _, m := range sample.FindAllStringSubmatch(text, -1) {
		series[m[1]] = m[2]
	}
	return series, text
}

// ownChannel makes a publisher and a channel of the name, which the person follows with a device.
func ownChannel(person *servertest.Subscriber, name string) {
	person.Do(http.MethodPost, "/publishers", object{"slug": name, "name": name}, 201, nil)
	var categories struct{ Data []struct{ ID string } }
	person.Do(http.MethodGet, "/categories", nil, 200, &categories)
	person.Do(http.MethodPost, "/channels", object{"publisherSlug": name, "slug": name, "name": name,
		"categoryId": categories.Data[0].ID}, 201, nil)
	person.Follow(name + "/" + name)
	person.RingingDevice("token-" + name)
}

// use calls the server in many ways, with names of its own each time.
func use(t *testing.T, s *servertest.Server, round int) (secrets []string) {
	t.Helper()
	name := fmt.Sprintf("segredo%d", round)
	person := s.SignIn(t, name+"@example.com")
	ownChannel(person, name)
	var hook made
	person.Do(http.MethodPost, "/channels/"+name+"/"+name+"/webhooks", object{"name": name, "signed": false}, 201, &hook)
	var key struct{ Secret string }
	person.Do(http.MethodPost, "/publishers/"+name+"/api-keys", object{"name": name, "scopes": []string{"publish"}}, 201, &key)
	var published struct{ ID string }
	person.Do(http.MethodPost, "/channels/"+name+"/"+name+"/notifications", object{"title": name}, 201, &published)
	s.Sent(t, "token-"+name, 0)
	for _, path := range []string{"/" + name, "/api/v1/" + name, "/api/v1/channels/" + name, "/docs/" + name,
		"/pictures/" + name + "/" + name, "/api/v1/webhooks/channels/" + name} {
		fetchText(t, s.URL+path)
	}
	visit(t, s, strings.TrimPrefix(hook.URL, s.URL+"/api/v1"), object{"title": name}, 202, nil)
	return []string{name, hook.URL[strings.LastIndex(hook.URL, "/")+1:], published.ID, key.Secret}
}

// TestMetricsHaveBoundedLabels expects no new series of what differs in names, ids, addresses and secrets alone, and
// none of these in any label.
func TestMetricsHaveBoundedLabels(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	secrets := use(t, s, 1)
	finished := func(n int) (series map[string]string, text string) {
		t.Helper()
		eventually.True(t, "the end of the dispatches", func() bool {
			series, text = scrape(t, s)
			return series["sininho_dispatch_duration_seconds_count"] == fmt.Sprint(n) &&
				series["sininho_database_up"] == "1" // within the time of a scrape
		})
		return series, text
	}
	before, _ := finished(2)
	for round := range 4 {
		secrets = append(secrets, use(t, s, round+2)...)
	}
	after, text := finished(10)
	for _, name := range slices.Sorted(maps.Keys(after)) {
		// The server works other jobs of its own meanwhile. Of publishers there are ten at most.
		if _, ok := before[name]; !ok && !strings.HasPrefix(name, "sininho_job") &&
			!strings.HasPrefix(name, "sininho_publisher_storage_") {
			t.Errorf("series that a second use adds: got %s, want none", name)
		}
	}
	for _, secret := range append(secrets, s.APIKey, "novidades", "example.com", "token-") {
		if strings.Contains(text, secret) {
			t.Errorf("metrics: got %q in them, want no name, id or secret", secret)
		}
	}
	if len(before) > 1500 {
		t.Errorf("series: got %d, want at most 1500", len(before))
	}
	check.Equal(t, "published notifications", after["sininho_notifications_published_total"], "10")
	check.Equal(t, "events of webhooks", after[`sininho_webhook_events_total{outcome="published"}`], "5")
	check.Equal(t, "accepted pushes, with those that confirm the devices",
		after[`sininho_push_attempts_total{result="accepted",transport="fcm"}`], "15")
	check.Equal(t, "accepted outcomes",
		after[`sininho_delivery_outcomes_total{cause="",outcome="accepted",transport="fcm"}`], "10")
	check.Equal(t, "unfinished dispatches", after["sininho_dispatches_unfinished"], "0")
}

// TestMetricsOfStreams opens both kinds of streams.
func TestMetricsOfStreams(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	open := func(n string) {
		t.Helper()
		eventually.True(t, "open streams of channels: "+n, func() bool {
			series, _ := scrape(t, s)
			return series[`sininho_live_streams{kind="channel"}`] == n
		})
	}
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet,
		s.URL+"/api/v1/channels/demo/novidades/notifications/stream", nil)
	if err != nil {
		t.Fatalf("new request: %v", err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatalf("open a stream: %v", err)
	}
	defer res.Body.Close() // endless
	open("1")
	if _, err := s.Client().Notifications.Publish(t.Context(), "demo/novidades", sininho.PublishInput{Title: "x"}); err != nil {
		t.Fatalf("publish: %v", err)
	}
	eventually.True(t, "the event", func() bool {
		series, _ := scrape(t, s)
		return series["sininho_live_events_sent_total"] == "1" && series["sininho_live_listening"] == "1" &&
			series["sininho_live_polling"] == "0"
	})
	leave()
	open("0")
}

// TestMetricsArePrivate expects metrics and profiles on their own address only.
func TestMetricsArePrivate(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	private := strings.TrimSuffix(s.MetricsURL, "/metrics")
	for path, has := range map[string]string{
		"/metrics": "sininho_build_info", "/debug/pprof/": "goroutine", "/debug/pprof/cmdline": "servertest",
		"/debug/pprof/heap?debug=1": "heap profile",
	} {
		status, body := fetchText(t, private+path)
		if status != http.StatusOK || !strings.Contains(body, has) {
			t.Errorf("GET %s on the private address: got %d, want 200 with %q", path, status, has)
		}
		if _, body := fetchText(t, s.URL+path); strings.Contains(body, has) {
			t.Errorf("GET %s on the public address: got %q in the body", path, has)
		}
	}
	if status, _ := fetchText(t, private+"/api/v1/channels"); status != http.StatusNotFound {
		t.Errorf("the API on the private address: got %d, want 404", status)
	}
	off := servertest.Start(t, servertest.With("METRICS_ADDR", ""))
	fetchText(t, off.URL+"/readyz")
	check.Equal(t, "address of the metrics when they are off", off.MetricsURL, "")
}

// TestMetricsOfRefusals expects refusals of limits, and of requests without an operation, to be counted.
func TestMetricsOfRefusals(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.With("LIMIT_READS_PER_MINUTE", "3"), servertest.Limited())
	for range 5 {
		fetchText(t, s.URL+"/api/v1/nowhere")
	}
	series, _ := scrape(t, s)
	check.Equal(t, "requests to nowhere that were not found", series[`sininho_http_requests_total{operation="none",status="404"}`], "3")
	check.Equal(t, "requests to nowhere that were refused", series[`sininho_http_requests_total{operation="none",status="429"}`], "2")
	check.Equal(t, "refused reads", series[`sininho_http_rate_limited_total{limit="reads"}`], "2")
	check.Equal(t, "requests that are being handled", series["sininho_http_requests_in_flight"], "0")
}
