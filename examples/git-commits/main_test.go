package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sininho/sininho/pkg/mend"
	"github.com/sininho/sininho/pkg/rules"
	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/sininho/sininhotest"
	"github.com/sininho/sininho/server/lab/servertest"
)

func TestMain(m *testing.M) { servertest.Main(m) }

// startServer starts a real server with a database, and returns its address and the API key of the publisher demo.
// Tests that need faults use sininhotest.
func startServer(t *testing.T) (url, key string) {
	server := servertest.Start(t)
	return server.URL, server.APIKey
}

// target is a server to publish to and to read from.
type target struct {
	t        *testing.T
	url, key string
	client   *sininho.Client
}

func newTarget(t *testing.T, url, key string) *target {
	client, err := sininho.New(sininho.WithBaseURL(url), sininho.WithAPIKey(key))
	if err != nil {
		t.Fatalf("make the client: %v", err)
	}
	t.Cleanup(client.CloseIdleConnections)
	return &target{t, url, key, client}
}

// publish runs the program and returns its summary.
func (g *target) publish(args ...string) string {
	g.t.Helper()
	out, err := g.try(g.t.Context(), args...)
	if err != nil {
		g.t.Fatalf("publish %v: %v\n%s", args, err, out)
	}
	return out
}

func (g *target) try(ctx context.Context, args ...string) (string, error) {
	var stdout, stderr bytes.Buffer
	env := map[string]string{"SININHO_URL": g.url, "SININHO_API_KEY": g.key}
	err := run(ctx, args, &stdout, &stderr, func(name string) string { return env[name] })
	return stdout.String(), err
}

// feed returns a channel's notifications, oldest first.
func (g *target) feed(channel string) []sininho.Notification {
	g.t.Helper()
	var all []sininho.Notification
	for n, err := range g.client.Notifications.List(g.t.Context(), channel, sininho.ListOptions{PageSize: 100}) {
		if err != nil {
			g.t.Fatalf("list the notifications of %s: %v", channel, err)
		}
		all = append(all, n)
	}
	slices.Reverse(all)
	return all
}

// checkBranch compares a channel with git: each commit once, in order, byte for byte.
func (g *target) checkBranch(dir, branch, channel string) {
	g.t.Helper()
	hashes := strings.Fields(git(g.t, dir, nil, "rev-list", "--date-order", "--reverse", ref(branch), "--"))
	var feed []string
	bodies := map[string]string{}
	for _, n := range g.feed(channel) {
		hash, _, isLater := strings.Cut(n.ExternalID, "/")
		if !isLater {
			feed = append(feed, hash)
		}
		bodies[hash] += n.Body
		if utf8.RuneCountInString(n.Title) > sininho.MaxTitle || utf8.RuneCountInString(n.Body) > sininho.MaxBody {
			g.t.Errorf("notification %s of %s: got a title or body that is too long", n.ExternalID, channel)
		}
	}
	if diff := cmp.Diff(hashes, feed, cmpopts.EquateEmpty()); diff != "" {
		g.t.Errorf("commits in %s (-want +got):\n%s", channel, diff)
	}
	for _, hash := range hashes {
		_, want, _ := strings.Cut(git(g.t, dir, nil, "cat-file", "commit", hash), "\n\n")
		if strings.ContainsFunc(want, rules.IsProseControl) {
			want, _ = mend.Prose(want)
		}
		if !isMarked(want) && bodies[hash] != want {
			g.t.Errorf("body of %s in %s: got %.80q, want %.80q", hash, channel, bodies[hash], want)
		}
	}
}

// isMarked reports whether a message cannot be published byte for byte and is checked separately.
func isMarked(message string) bool { return strings.Contains(message, "[bytes]") }

func git(t *testing.T, dir string, stdin []byte, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
	cmd.Stdin = bytes.NewReader(stdin)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %v: %v", args, err)
	}
	return string(out)
}

// builder creates a repository commit by commit, with messages of arbitrary bytes.
type builder struct {
	t    *testing.T
	dir  string
	tree string
	time int64
}

func newBuilder(t *testing.T) *builder {
	b := &builder{t: t, dir: t.TempDir(), time: 1_700_000_000}
	git(t, b.dir, nil, "init", "--quiet", "--initial-branch=main")
	b.tree = strings.TrimSpace(git(t, b.dir, nil, "mktree"))
	return b
}

func (b *builder) commit(message string, parents ...string) string {
	return b.encoded("", message, parents...)
}

func (b *builder) encoded(encoding, message string, parents ...string) string {
	b.time += 60
	object := &bytes.Buffer{}
	fmt.Fprintf(object, "tree %s\n", b.tree)
	for _, p := range parents {
		fmt.Fprintf(object, "parent %s\n", p)
	}
	fmt.Fprintf(object, "author Zé Ção <ze@example.com> %d +0100\n", b.time)
	fmt.Fprintf(object, "committer Ana <ana@example.com> %d +0000\n", b.time)
	if encoding != "" {
		fmt.Fprintf(object, "encoding %s\n", encoding)
	}
	object.WriteString("\n" + message)
	return strings.TrimSpace(git(b.t, b.dir, object.Bytes(), "hash-object", "-t", "commit", "-w", "--stdin"))
}

func (b *builder) branch(name, hash string) {
	git(b.t, b.dir, nil, "update-ref", "refs/heads/"+name, hash)
}

// hardMessages are messages that a publishing program is likely to get wrong.
var hardMessages = []string{
	"",
	"\n\n \n",
	"só o assunto",
	"Assunto\n\nCorpo com acentos: ção, ñ, ü.\n",
	"assunto em\nduas linhas\n\n\n\nespaços no fim   \n\n\n",
	"\n\n  assunto depois de linhas vazias\n",
	"👩‍👩‍👧‍👦 família e 🇵🇹 bandeira\n\n" + strings.Repeat("👩🏽‍🚀", 6000) + "\n",
	"שלום עולם\n\nمرحبا \u202eabc\u202c\n",
	"controlos \x01\x02\x1b[31m\x07\x7f\n\n\ttab\vvt\ffeed\r\nCRLF\r\n\u0085\u2028\u2029",
	"longa\n\n" + strings.Repeat("x", 30_000),
	"longa com linhas\n\n" + strings.Repeat("uma linha com ção\n", 3_000),
	strings.Repeat("título longo ", 40) + "\n\ncorpo\n",
	strings.Repeat("é", 200),
	strings.Repeat("é", 201),
	"exatamente\n\n" + strings.Repeat("y", 20_000-12),
	"mais um\n\n" + strings.Repeat("y", 20_001-9),
	"acentos que se juntam: " + strings.Repeat("e\u0301", 300) + "\n\n" + strings.Repeat("e\u0301", 15_000),
	"json \"aspas\" \\ <b>&amp;</b> {hash} %s ${x}\n",
	"\uFEFFBOM\n",
	"\ufffd já estava\n",
}

func (b *builder) hard() {
	last := b.commit("raiz\n")
	for _, m := range hardMessages {
		last = b.commit(m, last)
	}
	side := b.commit("outra raiz\n")
	merge := b.commit("Merge branch 'outra'\n", last, side)
	b.branch("main", merge)
	b.branch("outra", side)
	b.branch("a/b", b.commit("de a/b\n", side))
	b.branch("a-b", b.commit("de a-b\n", side))
	b.branch("feature/Ünïcode", b.commit("de feature\n", side))
	b.branch("日本", b.commit("de nihon\n", side))
	b.branch(strings.Repeat("longo/", 20)+"x", b.commit("de longo\n", side))
	b.branch(strings.Repeat("longo/", 20)+"y", b.commit("de longo y\n", side))
}

var hardChannels = map[string]string{
	"main": "demo/main", "outra": "demo/outra", "a-b": "demo/a-b", "a/b": "demo/a-b-" + shortHash("a/b"),
	"feature/Ünïcode": "demo/feature-unicode", "日本": "demo/ramo-" + shortHash("日本"),
	strings.Repeat("longo/", 20) + "x": "demo/" + strings.Repeat("longo-", 10) + "lon",
	strings.Repeat("longo/", 20) + "y": "demo/" + strings.Repeat("longo-", 9) + "-" +
		shortHash(strings.Repeat("longo/", 20)+"y"),
}

func TestHardRepository(t *testing.T) {
	b := newBuilder(t)
	b.hard()
	url, key := startServer(t)
	g := newTarget(t, url, key)
	first := g.publish("--repo", b.dir, "--link", "https://example.com/c/{hash}")
	if n := strings.Count(first, "was removed"); n != 2 { // two of hardMessages have such characters
		t.Errorf("output of the first run: got %d warnings, want 2:\n%s", n, first)
	}
	counts := map[string]int{}
	for branch, channel := range hardChannels {
		channel = strings.ReplaceAll(channel, "--", "-")
		g.checkBranch(b.dir, branch, channel)
		counts[channel] = len(g.feed(channel))
	}
	second := g.publish("--repo", b.dir)
	if strings.Contains(second, "new channel") ||
		strings.Count(second, " 0 notifications published") != len(hardChannels) {
		t.Errorf("output of the second run: got\n%s\nwant nothing published in %d channels", second, len(hardChannels))
	}
	for channel, count := range counts {
		if n := len(g.feed(channel)); n != count {
			t.Errorf("notifications in %s after the second run: got %d, want %d", channel, n, count)
		}
	}
	checkTitlesAndData(t, g, b.dir)
}

func checkTitlesAndData(t *testing.T, g *target, dir string) {
	for _, n := range g.feed("demo/main") {
		hash, part, _ := strings.Cut(n.ExternalID, "/")
		if link := "https://example.com/c/" + hash; n.Link != link {
			t.Errorf("link of %s: got %s, want %s", n.ExternalID, n.Link, link)
		}
		if n.Data["hash"] != hash || n.Data["author"] != "Zé Ção" || !strings.HasSuffix(n.Data["date"], "+01:00") {
			t.Errorf("data of %s: got %v, want its hash, author and date", n.ExternalID, n.Data)
		}
		want := strings.TrimSpace(git(t, dir, nil, "log", "--no-walk", "--format=%s", hash))
		if want == "" {
			want = noSubject
		}
		isPart := part != "" || strings.HasSuffix(n.Title, "(1/2)") || strings.HasSuffix(n.Title, "(1/3)")
		isCut := utf8.RuneCountInString(want) > 190 || strings.ContainsAny(want, "\v\f\x01\u0085")
		if !isPart && !isCut && n.Title != want {
			t.Errorf("title of %s: got %q, want %q", n.ExternalID, n.Title, want)
		}
	}
}

func TestOnlyNewCommitsArePublished(t *testing.T) {
	b := newBuilder(t)
	last := b.commit("um\n")
	b.branch("main", last)
	server := sininhotest.New(t)
	server.Channel("demo/main")
	g := newTarget(t, server.URL, server.APIKey)
	g.publish("--repo", b.dir)
	b.branch("main", b.commit("dois\n", last))
	before := len(server.Requests())
	want := "2 commits, 1 notifications published, 1 already there"
	if out := g.publish("--repo", b.dir); !strings.Contains(out, want) {
		t.Errorf("output of the second run: got %s, want %s", out, want)
	}
	posts := 0
	for _, r := range server.Requests()[before:] {
		if r.Method == "POST" {
			posts++
		}
	}
	if posts != 1 {
		t.Errorf("POST requests of the second run: got %d, want 1", posts)
	}
	g.checkBranch(b.dir, "main", "demo/main")
}

func TestLostResponsesAndInterruptionsRepeatNothing(t *testing.T) {
	b := newBuilder(t)
	last := ""
	for i := range 40 {
		if last == "" {
			last = b.commit(fmt.Sprintln("commit", i))
		} else {
			last = b.commit(fmt.Sprintln("commit", i), last)
		}
	}
	b.branch("main", last)
	server := sininhotest.New(t)
	server.Channel("demo/main")
	g := newTarget(t, server.URL, server.APIKey)
	ctx, cancel := context.WithCancel(t.Context())
	for range 10 {
		server.Respond(nil)
	}
	server.Respond(func(http.ResponseWriter, *http.Request) { cancel(); panic(http.ErrAbortHandler) })
	if _, err := g.try(ctx, "--repo", b.dir); err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Errorf("run that is interrupted: got %v, want an error that says so", err)
	}
	server.LoseResponses(3)
	g.publish("--repo", b.dir)
	g.checkBranch(b.dir, "main", "demo/main")
	if n := len(g.feed("demo/main")); n != 40 {
		t.Errorf("notifications: got %d, want 40", n)
	}
}

func TestEncodings(t *testing.T) {
	b := newBuilder(t)
	latin := b.encoded("ISO-8859-1", "[bytes] cora\xe7\xe3o\n")
	invalid := b.commit("[bytes] inv\xe1lido \xff\n\ncorpo\n", latin)
	nul := b.commit("[bytes] com\x00nulo\n", invalid)
	unknown := b.encoded("x-nada", "[bytes] \xe7\n", nul)
	b.branch("main", unknown)
	url, key := startServer(t)
	g := newTarget(t, url, key)
	out := g.publish("--repo", b.dir)
	var bodies []string
	for _, n := range g.feed("demo/main") {
		bodies = append(bodies, n.Body)
	}
	want := []string{
		"[bytes] coração\n", "[bytes] inv\uFFFDlido \uFFFD\n\ncorpo\n", "[bytes] com\uFFFDnulo\n", "[bytes] \uFFFD\n",
	}
	if diff := cmp.Diff(want, bodies); diff != "" {
		t.Errorf("bodies (-want +got):\n%s", diff)
	}
	for _, hash := range []string{invalid, nul, unknown} {
		if !strings.Contains(out, "commit "+hash+": what is not UTF-8") {
			t.Errorf("output: got %s, want a warning about commit %s", out, hash)
		}
	}
	if strings.Contains(out, latin) {
		t.Errorf("output: got %s, want no warning about the converted commit %s", out, latin)
	}
}

func TestFlags(t *testing.T) {
	b := newBuilder(t)
	one := b.commit("um\n")
	b.branch("main", b.commit("três\n", b.commit("dois\n", one)))
	b.branch("novidades", one)
	url, key := startServer(t)
	g := newTarget(t, url, key)
	g.publish("--repo", b.dir, "--branch", "main", "--limit", "2", "--prefix", "loja-", "--category", "transportes")
	feed := g.feed("demo/loja-main")
	if len(feed) != 2 || feed[0].Title != "dois" || feed[1].Title != "três" {
		t.Errorf("notifications with --limit 2: got %+v, want dois and três", feed)
	}
	if c, err := g.client.Channels.Get(t.Context(), "demo/loja-main"); err != nil || c.Category.Slug != "transportes" {
		t.Errorf("channel with --category: got %+v, %v; want the category transportes", c, err)
	}
	before := len(g.feed("demo/novidades")) // a channel that existed before
	g.publish("--repo", b.dir, "--branch", "novidades")
	if feed := g.feed("demo/novidades"); len(feed) != before+1 || feed[before].ExternalID != one {
		t.Errorf("notifications in demo/novidades: got %d, want %d with %s last", len(feed), before+1, one)
	}
	for _, bad := range [][]string{
		{"--repo", t.TempDir()}, {"--repo", b.dir, "--branch", "nada"},
		{"--repo", b.dir, "--category", "nada", "--prefix", "x-"},
		{"--link", "https://example.com"}, {"--publisher", "A"}, {"--limit", "-1"}, {"sobra"},
		{"--repo", b.dir, "--branch", "-x"},
		{"--repo", b.dir, "--publisher", "outro"},
	} {
		if _, err := g.try(t.Context(), bad...); err == nil {
			t.Errorf("publish %v: got no error, want one", bad)
		}
	}
}

// A branch keeps its channel when other branches are added later.
func TestChannelsStayWithTheirBranches(t *testing.T) {
	b := newBuilder(t)
	b.branch("a/b", b.commit("de a/b\n"))
	url, key := startServer(t)
	g := newTarget(t, url, key)
	g.publish("--repo", b.dir)
	git(t, b.dir, nil, "update-ref", "-d", "refs/heads/main")
	b.branch("a-b", b.commit("de a-b\n"))
	g.publish("--repo", b.dir)
	g.checkBranch(b.dir, "a/b", "demo/a-b")
	g.checkBranch(b.dir, "a-b", "demo/a-b-"+shortHash("a-b"))
}

// Publishes the history of this repository: all branches, or HEAD if there are none, as in a checkout of CI.
func TestOwnHistory(t *testing.T) {
	t.Setenv("GIT_CONFIG_COUNT", "1") // Git reads the repository even if another user owns it
	t.Setenv("GIT_CONFIG_KEY_0", "safe.directory")
	t.Setenv("GIT_CONFIG_VALUE_0", "*")
	url, key := startServer(t)
	checkHistory(t, newTarget(t, url, key), ".")
}

func TestDetachedHead(t *testing.T) {
	b := newBuilder(t)
	b.branch("main", b.commit("dois\n", b.commit("um\n")))
	git(t, b.dir, nil, "checkout", "--quiet", "--detach", "main")
	git(t, b.dir, nil, "branch", "--quiet", "-D", "main")
	url, key := startServer(t)
	g := newTarget(t, url, key)
	checkHistory(t, g, b.dir)
	if n := len(g.feed("demo/sininho-head")); n != 2 {
		t.Errorf("notifications of the detached head: got %d, want 2", n)
	}
}

// checkHistory publishes a whole repository twice and compares it with git. It starts again if a commit is added to the
// repository meanwhile.
func checkHistory(t *testing.T, g *target, dir string) {
	t.Helper()
	all := func() string {
		return git(t, dir, nil, "for-each-ref", "--format=%(refname:lstrip=2) %(objectname)", "refs/heads/")
	}
	refs := all()
	for {
		args := []string{"--repo", dir, "--prefix", "sininho-"}
		if refs == "" {
			args = append(args, "--branch", "HEAD")
		}
		g.publish(args...)
		second := g.publish(args...)
		now := all()
		if now == refs {
			if n := max(1, strings.Count(refs, "\n")); strings.Count(second, " 0 notifications published") != n {
				t.Errorf("output of the second run: got\n%s\nwant nothing published in %d channels", second, n)
			}
			break
		}
		refs = now
	}
	if refs == "" {
		refs = "HEAD -\n"
	}
	for line := range strings.Lines(refs) {
		branch, _, _ := strings.Cut(line, " ")
		g.checkBranch(dir, branch, "demo/"+slugOf("sininho-", branch))
	}
}

func TestSplitLosesNothing(t *testing.T) {
	for _, m := range hardMessages {
		for _, limit := range []int{1, 2, 7, 100, 20_000} {
			parts := split(m, limit)
			for _, p := range parts {
				if utf8.RuneCountInString(p) > limit || !utf8.ValidString(p) {
					t.Errorf("part of %.40q: got %q, want valid text of at most %d characters", m, p, limit)
				}
			}
			if strings.Join(parts, "") != m {
				t.Errorf("parts of %.40q with limit %d: got other text when joined, want the same", m, limit)
			}
		}
	}
}

func TestParseAuthor(t *testing.T) {
	name, at := parseAuthor("Ana <a> B <ana@example.com> 1700000000 -0330")
	if name != "Ana" || at.Format(time.RFC3339) != "2023-11-14T18:43:20-03:30" {
		t.Errorf("author: got %q at %v, want Ana at 2023-11-14T18:43:20-03:30", name, at)
	}
	if name, at := parseAuthor("nobody"); name != "nobody" || !at.IsZero() {
		t.Errorf("author without a time: got %q at %v, want nobody at the zero time", name, at)
	}
}
