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
	"github.com/sininho/sininho/server/servertest"
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
		"shell": shell, "cron": cron, "github-action": githubAction, "status-watch": statusWatch, "generated-client": generatedClient,
		"alertmanager": alertmanager,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := &bench{Server: server, t: t, dir: t.TempDir(), environment: append(servertest.Environment(), "SININHO_URL="+server.URL, "SININHO_API_KEY="+server.APIKey)}
			var category string
			for c, err := range server.Client().Categories.List(t.Context()) {
				b.must(err)
				category = c.ID
			}
			_, err := server.Client().Channels.Create(t.Context(), b.channel(), sininho.ChannelInput{Name: name, CategoryID: category})
			b.must(err)
			run(b)
		})
	}
}

// awayAtFirst puts a proxy in front of the server, which cannot reach it for the first publish, and
// returns the proxy's address.
func (b *bench) awayAtFirst() string {
	target, err := url.Parse(b.URL)
	b.must(err)
	through := httputil.NewSingleHostReverseProxy(target)
	var asked atomic.Bool
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/notifications") && !asked.Swap(true) {
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
		b.t.Fatal(err)
	}
}

// run runs a program in the working directory and returns its output.
func (b *bench) run(code int, name string, args ...string) string {
	b.t.Helper()
	var out bytes.Buffer
	cmd := exec.CommandContext(b.t.Context(), name, args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = b.dir, b.environment, &out, &out
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || cmd.ProcessState.ExitCode() != code {
		b.t.Fatalf("%s %v: %v, not exit code %d\n%s", name, args, err, code, out.String())
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
		b.t.Fatalf("the README of %s has no commands", example)
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
	if all := b.published(); len(all) != 2 || all[1].Title != "Backup done" || all[1].Body != "42 GB in 3 minutes" || !strings.Contains(all[0].Body, "/") {
		b.t.Errorf("by the README: %+v", all)
	}
	id := b.run(0, b.here("shell", "publish.sh"), b.channel(), `"Aspas" e \ barras`, "linha um\nlinha $HOME")
	b.run(0, "sh", "-c", "printf 'dos pipes' | "+b.here("shell", "publish.sh")+" "+b.channel()+" Stdin -")
	all := b.published()
	if len(all) != 4 || all[0].Body != "dos pipes" || all[1].ID != id || all[1].Title != `"Aspas" e \ barras` || all[1].Body != "linha um\nlinha $HOME" {
		b.t.Errorf("%+v", all)
	}
	if out := b.run(1, b.here("shell", "publish.sh"), "demo/nada", "Nada"); strings.Count(out, "not_found") != 1 {
		b.t.Error(out)
	}
}

// cron runs the command of the crontab's line with the crontab's variables, as cron would.
func cron(b *bench) {
	b.awayAtFirst()
	crontab, err := os.ReadFile("cron/crontab")
	b.must(err)
	_, command, found := strings.Cut(string(crontab), "0 3 * * *")
	if !found || !strings.Contains(string(crontab), "\nSININHO_API_KEY_FILE=") {
		b.t.Fatalf("%s", crontab)
	}
	command = strings.NewReplacer("acme/backups", b.channel(), "/usr/local/bin/backup --all", "sh "+b.dir+"/job").Replace(command)
	b.environment = append(b.environment, "PATH="+b.here("cron")+string(filepath.ListSeparator)+os.Getenv("PATH"),
		"SININHO_API_KEY_FILE="+b.write("key", b.APIKey+"\n"))

	b.write("job", "echo feito")
	if out := b.run(0, "sh", "-c", command); out != "feito" || len(b.published()) != 0 {
		b.t.Errorf("what succeeds is told: %s %v", out, b.published())
	}
	b.write("job", "echo 'disco cheio: \"/\"' >&2; exit 3")
	b.run(3, "sh", "-c", command)
	all := b.published()
	if len(all) != 1 || !strings.HasPrefix(all[0].Title, "Nightly backup failed with 3 on ") || all[0].Body != "disco cheio: \"/\"\n" || all[0].Importance != sininho.Important {
		b.t.Errorf("%+v", all)
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
	commands := strings.NewReplacer("https://example.com", site.URL, "https://example.org", "").Replace(b.readme("status-watch"))
	b.run(0, "bash", "-euc", commands)
	host := strings.TrimPrefix(site.URL, "http://")
	for _, step := range []struct {
		down  bool
		title string // of the latest notification
		count int
	}{{false, "", 0}, {true, host + " is down", 1}, {true, host + " is down", 1}, {false, host + " is back", 2}, {false, host + " is back", 2}, {true, host + " is down", 3}} {
		down.Store(step.down)
		b.run(0, "node", "dist/main.js", b.channel(), site.URL)
		all := b.published()
		if len(all) != step.count || len(all) > 0 && all[0].Title != step.title {
			b.t.Fatalf("after %+v: %+v", step, all)
		}
	}
	b.run(2, "node", "dist/main.js")
}

// generatedClient lets the generator use only the contract that the server publishes.
func generatedClient(b *bench) {
	b.copyOf("generated-client")
	out := b.run(0, "bash", "-euc", b.readme("generated-client"))
	all := b.published()
	const title = "Published by a generated client, corrected"
	if !strings.HasSuffix(out, title+"\n"+title) || len(all) != 1 || all[0].Title != title || all[0].Data["by"] != "a generated client" || all[0].EditedAt.IsZero() {
		b.t.Errorf("%s\n%+v", out, all)
	}
	var generator struct{ DevDependencies map[string]string }
	manifest, err := os.ReadFile("generated-client/package.json")
	b.must(err)
	b.must(json.Unmarshal(manifest, &generator))
	if strings.Contains(string(manifest), "@sininho/sdk") || generator.DevDependencies["@hey-api/openapi-ts"] == "" {
		b.t.Error("the example uses more than the contract")
	}
}
