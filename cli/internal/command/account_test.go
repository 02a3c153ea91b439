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
	t.Helper()
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
	code, stdout, stderr := run(t, env, "\uFEFF"+accessToken+"\n", "login", "--token-stdin")
	checkCode(t, "login", code, exitDone, stderr)
	if stdout != "" {
		t.Errorf("stdout of login: got %q, want nothing", stdout)
	}
	checkContains(t, "stderr of login", stderr, "as ana@example.com")
	info, err := os.Stat(path)
	if err != nil {
		t.Fatalf("stat the credentials: %v", err)
	}
	if got := info.Mode().Perm(); got != 0o600 {
		t.Errorf("mode of the credentials: got %o, want 600", got)
	}
	server.Reply(http.StatusOK, sininho.Subscriber{BellDefault: sininho.BellNone})
	code, stdout, stderr = run(t, env, "", "profile", "--bell", "none", "--json")
	checkCode(t, "profile", code, exitDone, stderr)
	checkContains(t, "stdout of profile", stdout, `"bellDefault":"none"`)
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatalf("make the credentials readable to others: %v", err)
	}
	server.Reply(http.StatusOK, ana)
	_, _, stderr = run(t, env, "", "whoami")
	checkContains(t, "stderr with credentials that others can read", stderr, "chmod 600")

	// A server that cannot be reached cannot revoke the token; the saved sign-in is deleted anyway.
	server.Respond(sininhotest.Cut, sininhotest.Cut, sininhotest.Cut)
	code, _, stderr = run(t, env, "", "logout")
	checkCode(t, "logout", code, exitFailed, stderr)
	checkContains(t, "stderr of logout", stderr, "could not be revoked")
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("stat the credentials after logout: got %v, want that they do not exist", err)
	}
	code, _, stderr = run(t, env, "", "profile")
	checkCode(t, "profile after logout", code, exitNotSignedIn, stderr)
}

func TestLoginWithoutAPlaceToKeepIt(t *testing.T) {
	server := sininhotest.New(t)
	env := func(name string) string { return map[string]string{"SININHO_URL": server.URL}[name] }
	code, _, stderr := run(t, env, accessToken, "login", "--token-stdin")
	checkCode(t, "login", code, exitFailed, stderr)
	checkContains(t, "stderr of login", stderr, "no place")
	if n := len(server.Requests()); n != 0 {
		t.Errorf("requests without a place to keep the sign-in: got %d, want 0", n)
	}
}

func TestServerName(t *testing.T) {
	for given, want := range map[string]string{
		"https://Sininho.Example.com/": "https://sininho.example.com", "http://x:8080/api/v1": "http://x:8080",
		"HTTPS://x/Bell/api/v1/": "https://x/Bell", " http://x ": "http://x",
	} {
		if got := serverName(given); got != want {
			t.Errorf("server name of %q: got %q, want %q", given, got, want)
		}
	}
}

// The home of a service account may not be a directory; every command still works.
func TestHomeThatIsNone(t *testing.T) {
	server := sininhotest.New(t)
	env := func(name string) string {
		return map[string]string{"SININHO_URL": server.URL, "HOME": "/dev/null"}[name]
	}
	server.Reply(http.StatusOK, map[string]any{"data": []sininho.Channel{}, "meta": map[string]any{"total": 0}})
	code, _, stderr := run(t, env, "", "channels", "list")
	checkCode(t, "channels list", code, exitDone, stderr)
}

func TestLoginByDeviceEndsWhenInterrupted(t *testing.T) {
	server := sininhotest.New(t)
	begun := sininho.DeviceSignIn{DeviceCode: "code", UserCode: "WDJB-MJHT", ExpiresIn: 900, Interval: 5}
	server.Reply(http.StatusOK, begun)
	env, path := homeOf(t, server)
	ctx, cancel := context.WithCancel(t.Context())
	stderr := &watched{text: "Waiting", then: cancel}
	code := Run(ctx, []string{"login"}, nil, &bytes.Buffer{}, stderr, env)
	checkCode(t, "login", code, exitInterrupted, stderr.String())
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("stat the credentials: got %v, want that they do not exist", err)
	}
}

func TestDeletingRequiresYes(t *testing.T) {
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
		"publishers leave demo", "devices remove " + id, "profile delete",
	} {
		code, _, stderr := run(t, asAna, "y\n", strings.Fields(line)...)
		checkCode(t, line, code, exitUsage, stderr)
		checkContains(t, "stderr of "+line, stderr, "--yes")
	}
	if n := len(server.Requests()); n != 0 {
		t.Errorf("requests without --yes: got %d, want 0", n)
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
	code, stdout, stderr := run(t, env, "", args...)
	checkCode(t, "keys create", code, exitDone, stderr)
	if !strings.HasPrefix(stdout, "snh_live_") || strings.Count(stdout, "\n") != 1 {
		t.Errorf("stdout of keys create: got %q, want one line with the secret", stdout)
	}
	code, stdout, stderr = run(t, env, "", args...)
	checkCode(t, "repeated keys create", code, exitFailed, stderr)
	if stdout != "" {
		t.Errorf("stdout of repeated keys create: got %q, want nothing", stdout)
	}
	checkContains(t, "stderr of repeated keys create", stderr, "not shown again")
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
			if _, err := arrange(app, strings.Fields(line)); err != nil {
				t.Errorf("%s: parse the example %q: %v", name, line, err)
			}
			if !strings.HasPrefix("sininho "+line, "sininho"+name) {
				t.Errorf("%s: the example is %q, want one of this command", name, line)
			}
		}
	}
	walk("", app.Commands)
}

func TestExpiredSignInExplainsWhatToDo(t *testing.T) {
	server := sininhotest.New(t)
	env, path := homeOf(t, server)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatalf("make the folder of the credentials: %v", err)
	}
	kept := `{"servers": {"` + server.URL + `": {"secret": "sna_live_x", "account": "ana",
		"savedAt": "2026-01-01T00:00:00Z", "expiresAt": "2026-04-01T00:00:00Z"}}}`
	if err := os.WriteFile(path, []byte(kept), 0o600); err != nil {
		t.Fatalf("write the credentials: %v", err)
	}
	code, _, stderr := run(t, env, "", "whoami")
	checkCode(t, "whoami", code, exitNotSignedIn, stderr)
	for _, want := range []string{"expired on 2026-0", "Sign in with 'sininho login'"} {
		checkContains(t, "stderr of whoami", stderr, want)
	}
}

func TestLoginReportsExpiry(t *testing.T) {
	server := sininhotest.New(t)
	env, _ := homeOf(t, server)
	ends := time.Now().Add(30 * 24 * time.Hour).Truncate(time.Second)
	for end, want := range map[time.Time]string{ends: ", until " + moment(ends), {}: ", without expiry"} {
		server.Reply(http.StatusOK, sininho.Caller{Kind: sininho.CallerSubscriber, ExpiresAt: end,
			Subscriber: &sininho.Subscriber{Name: "Ana", Email: "ana@example.com"}})
		_, _, stderr := run(t, env, accessToken, "login", "--token-stdin")
		checkContains(t, "stderr of login", stderr, want)
	}
}
