// Package examples_test runs the examples that are not Go programs against a real server, as people would.
package examples_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/server/lab/servertest"
)

func TestMain(m *testing.M) { servertest.Main(m) }

// bench is a server and a working directory.
type bench struct {
	*servertest.Server
	t           *testing.T
	dir         string
	environment []string
}

// TestExamples runs each example against one server, in its own channel.
func TestExamples(t *testing.T) {
	server := servertest.Start(t)
	for name, run := range map[string]func(*bench){
		"shell": shell, "cron": cron, "github-action": githubAction, "status-watch": statusWatch,
		"generated-client": generatedClient, "alertmanager": alertmanager,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := &bench{Server: server, t: t, dir: t.TempDir()}
			b.environment = append(servertest.Environment(), "SININHO_URL="+server.URL,
				"SININHO_API_KEY="+server.APIKey)
			var category string
			for c, err := range server.Client().Categories.List(t.Context()) {
				b.must(err)
				category = c.ID
			}
			input := sininho.ChannelInput{Name: name, CategoryID: category}
			_, err := server.Client().Channels.Create(t.Context(), b.channel(), input)
			b.must(err)
			run(b)
		})
	}
}

// awayAtFirst puts a proxy in front of the server, which fails the first publish, and returns its address.
func (b *bench) awayAtFirst() string {
	target, err := url.Parse(b.URL)
	b.must(err)
	through := httputil.NewSingleHostReverseProxy(target)
	var failed atomic.Bool
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/notifications") && !failed.Swap(true) {
			http.Error(w, "<h1>Service Unavailable</h1>", http.StatusServiceUnavailable)
			return
		}
		through.ServeHTTP(w, r)
	}))
	b.t.Cleanup(proxy.Close)
	b.environment = append(b.environment, "SININHO_URL="+proxy.URL)
	return proxy.URL
}

// channel returns the channel of the example.
func (b *bench) channel() string { return "demo/" + filepath.Base(b.t.Name()) }

func (b *bench) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatalf("step of the example: %v", err)
	}
}

// run runs a program in the working directory and returns its output.
func (b *bench) run(code int, name string, args ...string) string {
	b.t.Helper()
	var out bytes.Buffer
	cmd := exec.CommandContext(b.t.Context(), name, args...)
	cmd.Dir, cmd.Env = b.dir, b.environment
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || cmd.ProcessState.ExitCode() != code {
		b.t.Fatalf("run %s %v: got %v, want exit code %d\n%s", name, args, err, code, out.String())
	}
	return strings.TrimSpace(out.String())
}

// published returns the channel's notifications, newest first.
func (b *bench) published() []sininho.Notification {
	b.t.Helper()
	var all []sininho.Notification
	for n, err := range b.Client().Notifications.List(b.t.Context(), b.channel(), sininho.ListOptions{}) {
		b.must(err)
		all = append(all, n)
	}
	return all
}

// publishedCount is like published, but fails the test unless there are n.
func (b *bench) publishedCount(n int) []sininho.Notification {
	b.t.Helper()
	all := b.published()
	if len(all) != n {
		b.t.Fatalf("published notifications: got %d, want %d: %+v", len(all), n, all)
	}
	return all
}

// check compares the title and body of a notification.
func (b *bench) check(got sininho.Notification, title, body string) {
	b.t.Helper()
	if got.Title != title || got.Body != body {
		b.t.Errorf("notification: got %q, %q; want %q, %q", got.Title, got.Body, title, body)
	}
}

func (b *bench) write(name, content string) string {
	b.t.Helper()
	path := filepath.Join(b.dir, name)
	b.must(os.MkdirAll(filepath.Dir(path), 0o700))
	b.must(os.WriteFile(path, []byte(content), 0o600))
	return path
}

// here returns the path of a file of the examples.
func (b *bench) here(parts ...string) string {
	b.t.Helper()
	path, err := filepath.Abs(filepath.Join(parts...))
	b.must(err)
	return path
}

var commandsPattern = regexp.MustCompile("(?s)```sh\n(.*?)```")

// readme returns the commands that an example's README contains, with the server and the channel of the test.
func (b *bench) readme(example string) string {
	b.t.Helper()
	text, err := os.ReadFile(filepath.Join(example, "README.md"))
	b.must(err)
	var commands strings.Builder
	for _, block := range commandsPattern.FindAllStringSubmatch(string(text), -1) {
		for line := range strings.Lines(block[1]) {
			if !strings.HasPrefix(line, "export SININHO_URL=") {
				commands.WriteString(strings.ReplaceAll(line, "demo/novidades", b.channel()))
			}
		}
	}
	if commands.Len() == 0 {
		b.t.Fatalf("commands in the README of %s: got none, want some", example)
	}
	return commands.String()
}

// copyOf copies an example's files into the working directory, and the packages of the repository beside it.
func (b *bench) copyOf(example string) {
	b.t.Helper()
	files, err := os.ReadDir(example)
	b.must(err)
	for _, f := range files {
		if f.Type().IsRegular() {
			content, err := os.ReadFile(filepath.Join(example, f.Name()))
			b.must(err)
			b.write(f.Name(), string(content))
		}
	}
	b.must(os.Symlink(b.here("..", "node_modules"), filepath.Join(b.dir, "node_modules")))
}

func shell(b *bench) {
	b.awayAtFirst()
	b.run(0, "bash", "-euo", "pipefail", "-c", "cd "+b.here("shell")+"\n"+b.readme("shell"))
	all := b.publishedCount(2)
	b.check(all[1], "Backup done", "42 GB in 3 minutes")
	if !strings.Contains(all[0].Body, "/") {
		b.t.Errorf("body of the README's second notification: got %q, want the disk's usage", all[0].Body)
	}
	id := b.run(0, b.here("shell", "publish.sh"), b.channel(), `"Aspas" e \ barras`, "linha um\nlinha $HOME")
	b.run(0, "sh", "-c", "printf 'dos pipes' | "+b.here("shell", "publish.sh")+" "+b.channel()+" Stdin -")
	all = b.publishedCount(4)
	b.check(all[0], "Stdin", "dos pipes")
	b.check(all[1], `"Aspas" e \ barras`, "linha um\nlinha $HOME")
	if all[1].ID != id {
		b.t.Errorf("id that the script printed: got %s, want %s", id, all[1].ID)
	}
	out := b.run(1, b.here("shell", "publish.sh"), "demo/nada", "Nada")
	if strings.Count(out, "not_found") != 1 {
		b.t.Errorf("publish to an unknown channel: got %s, want not_found once", out)
	}
}

// TestScriptsMendAlike holds the scripts, which are copied one by one, to the same rules for texts.
func TestScriptsMendAlike(t *testing.T) {
	t.Parallel()
	rules := map[string]string{}
	for _, script := range []string{"shell/publish.sh", "cron/report-failure", "github-action/publish.sh"} {
		source, err := os.ReadFile(script)
		if err != nil {
			t.Fatalf("read a script: %v", err)
		}
		_, after, _ := strings.Cut(string(source), "\nmend='")
		mend, _, found := strings.Cut(after, "\n'\n")
		if !found {
			t.Fatalf("%s: got no rules for texts", script)
		}
		rules[mend] = script
	}
	if len(rules) != 1 {
		t.Errorf("rules for texts: got %d different ones, want the same in all scripts", len(rules))
	}
}

// cron runs the command of the crontab's line with the crontab's variables, as cron would.
func cron(b *bench) {
	b.awayAtFirst()
	crontab, err := os.ReadFile("cron/crontab")
	b.must(err)
	_, command, found := strings.Cut(string(crontab), "0 3 * * *")
	if !found || !strings.Contains(string(crontab), "\nSININHO_API_KEY_FILE=") {
		b.t.Fatalf("crontab: got %s, want a daily command and the variable of the key", crontab)
	}
	command = strings.NewReplacer("acme/backups", b.channel(), "/usr/local/bin/backup --all", "sh "+b.dir+"/job").
		Replace(command)
	b.environment = append(b.environment, "PATH="+b.here("cron")+string(filepath.ListSeparator)+os.Getenv("PATH"),
		"SININHO_API_KEY_FILE="+b.write("key", b.APIKey+"\n"))

	b.write("job", "echo feito")
	if out := b.run(0, "sh", "-c", command); out != "feito" {
		b.t.Errorf("output of a job that succeeds: got %q, want feito", out)
	}
	b.publishedCount(0)
	b.write("job", "echo 'disco cheio: \"/\"' >&2; exit 3")
	if out := b.run(3, "sh", "-c", command); strings.Contains(out, "cleaned") {
		b.t.Errorf("output of a job that fails: got %q, want nothing cleaned", out)
	}
	got := b.publishedCount(1)[0]
	if prefix := "Nightly backup failed with 3 on "; !strings.HasPrefix(got.Title, prefix) {
		b.t.Errorf("title of a job that fails: got %q, want it to begin with %q", got.Title, prefix)
	}
	if want := "disco cheio: \"/\"\n"; got.Body != want || got.Importance != sininho.Important {
		b.t.Errorf("job that fails: got %q of importance %s, want %q, important", got.Body, got.Importance, want)
	}
	b.write("job", "printf '\\033[31mdisco\\377 cheio\\033[0m\\n'; exit 3")
	if out := b.run(3, "sh", "-c", command); !strings.Contains(out, "report-failure: the text was cleaned or cut") {
		b.t.Errorf("output of a job that fails in colour: got %q, want it to say that it was cleaned", out)
	}
	if got, want := b.publishedCount(2)[0].Body, "disco\ufffd cheio\n"; got != want {
		b.t.Errorf("body of a job that fails in colour: got %q, want %q", got, want)
	}
}

// statusWatch watches a site that goes down and comes back.
func statusWatch(b *bench) {
	var down atomic.Bool
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if down.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer site.Close()
	b.copyOf("status-watch")
	commands := strings.NewReplacer("https://example.com", site.URL, "https://example.org", "").
		Replace(b.readme("status-watch"))
	b.run(0, "bash", "-euc", commands)
	host := strings.TrimPrefix(site.URL, "http://")
	for _, step := range []struct {
		down  bool
		title string // of the latest notification
		count int
	}{
		{false, "", 0}, {true, host + " is down", 1}, {true, host + " is down", 1},
		{false, host + " is back", 2}, {false, host + " is back", 2}, {true, host + " is down", 3},
	} {
		down.Store(step.down)
		b.run(0, "node", "dist/main.js", b.channel(), site.URL)
		all := b.publishedCount(step.count)
		if len(all) > 0 && all[0].Title != step.title {
			b.t.Fatalf("latest notification after %+v: got %q, want %q", step, all[0].Title, step.title)
		}
	}
	b.run(2, "node", "dist/main.js")
}

// generatedClient lets the generator use only the contract that the server publishes.
func generatedClient(b *bench) {
	b.copyOf("generated-client")
	out := b.run(0, "bash", "-euc", b.readme("generated-client"))
	const title = "Published by a generated client, corrected"
	if want := title + "\n" + title; !strings.HasSuffix(out, want) {
		b.t.Errorf("output: got %s, want it to end with %s", out, want)
	}
	got := b.publishedCount(1)[0]
	if got.Title != title || got.Data["by"] != "a generated client" {
		b.t.Errorf("notification: got %q with data %v, want %q by a generated client", got.Title, got.Data, title)
	}
	if got.EditedAt.IsZero() {
		b.t.Error("time of the correction: got none, want one")
	}
	var generator struct{ DevDependencies map[string]string }
	manifest, err := os.ReadFile("generated-client/package.json")
	b.must(err)
	b.must(json.Unmarshal(manifest, &generator))
	if strings.Contains(string(manifest), "@sininho/sdk") || generator.DevDependencies["@hey-api/openapi-ts"] == "" {
		b.t.Errorf("dependencies of the example: got %s, want a generator and no SDK", manifest)
	}
}
