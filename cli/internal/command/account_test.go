package command

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/sininho/sininhotest"
)

// accessToken is a person's access token; the tests script the responses to it.
const accessToken = "sna_live_test"

// homeOf returns the environment of a person without a key, with their own home directory.
func homeOf(t *testing.T, server *sininhotest.Server) (env func(string) string, credentials string) {
	home := t.TempDir()
	return func(name string) string {
		return map[string]string{"SININHO_URL": server.URL, "HOME": home}[name]
	}, filepath.Join(home, ".config", "sininho", "credentials.json")
}

func run(t *testing.T, env func(string) string, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = Run(t.Context(), args, strings.NewReader(stdin), &out, &err, env)
	return code, out.String(), err.String()
}

func TestLoginAndLogout(t *testing.T) {
	server := sininhotest.New(t)
	env, path := homeOf(t, server)
	ana := sininho.Caller{
		Kind: sininho.CallerSubscriber, Subscriber: &sininho.Subscriber{Name: "Ana", Email: "ana@example.com"},
	}
	server.Reply(http.StatusOK, ana)
	if code, stdout, stderr := run(t, env, "\uFEFF"+accessToken+"\n", "login", "--token-stdin"); code != 0 || stdout != "" || !strings.Contains(stderr, "as ana@example.com") {
		t.Fatalf("login: %d, %q, %q", code, stdout, stderr)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	server.Reply(http.StatusOK, sininho.Subscriber{BellDefault: sininho.BellNone})
	if code, stdout, _ := run(t, env, "", "profile", "--bell", "none", "--json"); code != 0 || !strings.Contains(stdout, `"bellDefault":"none"`) {
		t.Errorf("profile: %d, %s", code, stdout)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	server.Reply(http.StatusOK, ana)
	if _, _, stderr := run(t, env, "", "whoami"); !strings.Contains(stderr, "chmod 600") {
		t.Errorf("nothing is said of the others who can read it: %q", stderr)
	}

	// A server that cannot be reached cannot revoke the token; the saved sign-in is deleted anyway.
	server.Respond(sininhotest.Cut, sininhotest.Cut, sininhotest.Cut)
	if code, _, stderr := run(t, env, "", "logout"); code != 1 || !strings.Contains(stderr, "could not be revoked") {
		t.Errorf("logout: %d, %s", code, stderr)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("still there: %v", err)
	}
	if code, _, _ := run(t, env, "", "profile"); code != exitNotSignedIn {
		t.Errorf("signed out: %d", code)
	}
}

func TestLoginWithoutAPlaceToKeepIt(t *testing.T) {
	server := sininhotest.New(t)
	env := func(name string) string { return map[string]string{"SININHO_URL": server.URL}[name] }
	code, _, stderr := run(t, env, accessToken, "login", "--token-stdin")
	if code != 1 || !strings.Contains(stderr, "no place") || len(server.Requests()) != 0 {
		t.Errorf("%d, %s", code, stderr)
	}
}

func TestServerName(t *testing.T) {
	for given, want := range map[string]string{
		"https://Sininho.Example.com/": "https://sininho.example.com", "http://x:8080/api/v1": "http://x:8080",
		"HTTPS://x/Bell/api/v1/": "https://x/Bell", " http://x ": "http://x",
	} {
		if got := serverName(given); got != want {
			t.Errorf("%q is %q, want %q", given, got, want)
		}
	}
}

// The home of a service account may not be a directory; every command still works.
func TestHomeThatIsNone(t *testing.T) {
	server := sininhotest.New(t)
	env := func(name string) string {
		return map[string]string{"SININHO_URL": server.URL, "HOME": "/dev/null"}[name]
	}
	if code, _, stderr := run(t, env, "", "channels", "list"); code != 0 {
		t.Errorf("%d, %s", code, stderr)
	}
}

func TestLoginByDeviceEndsWhenInterrupted(t *testing.T) {
	server := sininhotest.New(t)
	begun := sininho.DeviceSignIn{DeviceCode: "code", UserCode: "WDJB-MJHT", ExpiresIn: 900, Interval: 5}
	server.Reply(http.StatusOK, begun)
	env, path := homeOf(t, server)
	ctx, cancel := context.WithCancel(t.Context())
	stderr := &watched{text: "Waiting", then: cancel}
	if code := Run(ctx, []string{"login"}, nil, &bytes.Buffer{}, stderr, env); code != exitInterrupted {
		t.Errorf("code %d, %s", code, stderr)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("something was kept: %v", err)
	}
}

func TestWhatDeletesWantsYes(t *testing.T) {
	server := sininhotest.New(t)
	env, _ := homeOf(t, server)
	asAna := func(name string) string {
		if name == "SININHO_API_KEY" {
			return accessToken
		}
		return env(name)
	}
	const id = "0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f"
	for _, line := range []string{
		"publishers delete demo", "publishers remove-member demo ana@example.com", "channels delete demo/novidades",
		"keys revoke demo " + id, "webhooks delete demo/novidades " + id, "notifications withdraw demo/novidades " + id,
		"devices remove " + id, "profile delete",
	} {
		code, _, stderr := run(t, asAna, "y\n", strings.Fields(line)...)
		if code != exitUsage || !strings.Contains(stderr, "--yes") {
			t.Errorf("%s: %d, %s", line, code, stderr)
		}
	}
	if n := len(server.Requests()); n != 0 {
		t.Errorf("%d requests", n)
	}
}

// A secret that was lost with its response is not shown again, and a script that pipes it must notice.
func TestSecretOfARepetition(t *testing.T) {
	server := sininhotest.New(t)
	env := func(name string) string {
		return map[string]string{"SININHO_URL": server.URL, "SININHO_API_KEY": accessToken}[name]
	}
	server.Reply(http.StatusCreated, sininho.APIKeySecret{Name: "CI", Secret: "snh_live_1"})
	server.Reply(http.StatusCreated, sininho.APIKeySecret{Name: "CI"})
	args := []string{"keys", "create", "demo", "--name", "CI", "--scopes", "publish", "--idempotency-key", "k"}
	code, stdout, _ := run(t, env, "", args...)
	if code != 0 || !strings.HasPrefix(stdout, "snh_live_") || strings.Count(stdout, "\n") != 1 {
		t.Errorf("first: %d, %q", code, stdout)
	}
	code, stdout, stderr := run(t, env, "", args...)
	if code != 1 || stdout != "" || !strings.Contains(stderr, "not shown again") {
		t.Errorf("again: %d, %q, %q", code, stdout, stderr)
	}
}

func TestEveryHelpHasAnExample(t *testing.T) {
	app := newApp(newSession(nil, &bytes.Buffer{}, &bytes.Buffer{}, func(string) string { return "" }))
	var walk func(path string, commands []*cli.Command)
	walk = func(path string, commands []*cli.Command) {
		for _, c := range commands {
			name := path + " " + c.Name
			if len(c.Subcommands) > 0 {
				walk(name, c.Subcommands)
				continue
			}
			if !strings.Contains(c.Description, "Example: sininho ") || c.Usage == "" {
				t.Errorf("%s: the help has no example", name)
				continue
			}
			_, line, _ := strings.Cut(c.Description, "Example: sininho ")
			line, _, _ = strings.Cut(line, "\n")
			line, _, _ = strings.Cut(line, " > ")
			line, _, _ = strings.Cut(line, " < ")
			if _, err := arrange(app, strings.Fields(line)); err != nil || !strings.HasPrefix("sininho "+line, "sininho"+name) {
				t.Errorf("%s: the example is %q, %v", name, line, err)
			}
		}
	}
	walk("", app.Commands)
}

func TestAnExpiredSignInSaysWhatToDo(t *testing.T) {
	server := sininhotest.New(t)
	env, path := homeOf(t, server)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	kept := `{"servers": {"` + server.URL + `": {"secret": "sna_live_x", "account": "ana", "savedAt": "2026-01-01T00:00:00Z", "expiresAt": "2026-04-01T00:00:00Z"}}}`
	if err := os.WriteFile(path, []byte(kept), 0o600); err != nil {
		t.Fatal(err)
	}
	code, _, stderr := run(t, env, "", "whoami")
	if code != exitNotSignedIn {
		t.Errorf("the exit code is %d, want %d", code, exitNotSignedIn)
	}
	for _, want := range []string{"expired on 2026-0", "Sign in with 'sininho login'"} {
		if !strings.Contains(stderr, want) {
			t.Errorf("stderr is %q, want it to contain %q", stderr, want)
		}
	}
}

func TestLoginSaysUntilWhen(t *testing.T) {
	server := sininhotest.New(t)
	env, _ := homeOf(t, server)
	ends := time.Now().Add(30 * 24 * time.Hour).Truncate(time.Second)
	for end, want := range map[time.Time]string{ends: ", until " + moment(ends), {}: ", without an end"} {
		server.Reply(http.StatusOK, sininho.Caller{Kind: sininho.CallerSubscriber, ExpiresAt: end,
			Subscriber: &sininho.Subscriber{Name: "Ana", Email: "ana@example.com"}})
		if _, _, stderr := run(t, env, accessToken, "login", "--token-stdin"); !strings.Contains(stderr, want) {
			t.Errorf("stderr is %q, want it to contain %q", stderr, want)
		}
	}
}
