package production

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/lab/pgtest"
	"github.com/sininho/sininho/server/lab/standin"
	"github.com/sininho/sininho/server/lab/standin/fcm"
	"github.com/sininho/sininho/server/lab/standin/openid"
)

// installation is an unpacked release with its settings, on a database behind PgBouncer.
type installation struct {
	t        *testing.T
	folder   string // of the release; the only one that an operator has
	database string // without PgBouncer
	url      string // PUBLIC_URL
	fcm      *fcm.Server
	settings map[string]string // in place of those in the guide
	nodes    []*node
}

// The client of the guide.
const (
	clientID     = "1234567890-abc.apps.googleusercontent.com"
	clientSecret = "GOCSPX-abc"
)

// newInstallation follows the guide in the release up to its settings, with a server to create the tables.
func newInstallation(t *testing.T, folder, binary string) *installation {
	t.Helper()
	i := &installation{t: t, folder: folder, database: pgtest.EmptyURL(t), url: "https://localhost:" + port(t, freeAddr(t))}
	i.settings = map[string]string{
		"PUBLIC_URL": i.url, "DATABASE_URL": i.startPooler(), "DATABASE_DIRECT_URL": i.database,
	}
	i.startStandIns()
	i.follow(binary, "## 5. Settings")
	return i
}

func (i *installation) startStandIns() {
	i.t.Helper()
	push, err := fcm.New(fcm.Config{ProjectID: "example"})
	if err != nil {
		i.t.Fatalf("start the FCM stand-in: %v", err)
	}
	i.fcm = push
	firebase := i.serve(push.Handler())
	identity := i.serve(openid.New(openid.Config{ClientID: clientID, ClientSecret: clientSecret}).Handler())
	credentials := filepath.Join(i.folder, "firebase.json")
	i.write(credentials, string(push.ServiceAccountJSON(firebase+"/token")))
	maps.Copy(i.settings, map[string]string{
		"FIREBASE_CREDENTIALS_FILE": credentials, "FCM_ENDPOINT": firebase + "/v1",
		"GOOGLE_AUTH_URL": identity + "/authorize", "GOOGLE_TOKEN_URL": identity + "/token",
		"GOOGLE_USERINFO_URL": identity + "/userinfo", "POSTHOG_HOST": "http://127.0.0.1:1",
	})
}

func (i *installation) serve(h http.Handler) (address string) {
	i.t.Helper()
	served, err := standin.Serve(h)
	if err != nil {
		i.t.Fatalf("serve a stand-in: %v", err)
	}
	i.t.Cleanup(func() { _ = served.Close() })
	return served.URL()
}

// follow runs the commands in a section of the guide in one shell. The first block writes sininho.env, into which the
// settings of this installation are put.
func (i *installation) follow(binary, section string) {
	i.t.Helper()
	_, text, _ := strings.Cut(i.guide(), "\n"+section+"\n")
	text, _, _ = strings.Cut(text, "\n## ")
	var script strings.Builder
	for n, part := range strings.Split(text, "\n```") {
		info, commands, _ := strings.Cut(part, "\n")
		if n%2 == 0 || !strings.HasPrefix(info, "sh") {
			continue
		}
		script.WriteString(commands + "\n")
		if n == 1 {
			for name, value := range i.settings {
				fmt.Fprintf(&script, "sed -i '/^%s=/d' sininho.env && echo '%[1]s=%s' >> sininho.env\n", name, value)
			}
		}
	}
	cmd := exec.Command("bash", "-euo", "pipefail", "-c", script.String())
	cmd.Dir, cmd.Env = i.folder, []string{"PATH=" + filepath.Dir(binary) + ":" + os.Getenv("PATH"), "HOME=" + i.folder}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "The settings are complete.") {
		i.t.Fatalf("follow the guide: %v\n%s\nof\n%s", err, out, &script)
	}
}

// guide returns the guide in the release.
func (i *installation) guide() string {
	i.t.Helper()
	text, err := os.ReadFile(filepath.Join(i.folder, "docs", "production.md"))
	if err != nil {
		i.t.Fatalf("read the guide: %v", err)
	}
	return string(text)
}

// environment returns the settings in sininho.env.
func (i *installation) environment() (list []string) {
	i.t.Helper()
	text, err := os.ReadFile(filepath.Join(i.folder, "sininho.env"))
	if err != nil {
		i.t.Fatalf("read the settings: %v", err)
	}
	for line := range strings.Lines(string(text)) {
		list = append(list, strings.TrimSpace(line))
	}
	return append(list, "LOG_LEVEL=warn", "SHUTDOWN_DELAY_SECONDS=3") // as in the deployment files
}

// startPooler starts PgBouncer, pooling by transaction, and returns the address of the database through it.
func (i *installation) startPooler() string {
	i.t.Helper()
	direct, err := url.Parse(i.database)
	if err != nil {
		i.t.Fatalf("address of the database: %v", err)
	}
	password, _ := direct.User.Password()
	addr, dir := freeAddr(i.t), i.publicDir()
	users := filepath.Join(dir, "users.txt")
	i.write(users, fmt.Sprintf("%q %q\n", direct.User.Username(), password))
	config := filepath.Join(dir, "pgbouncer.ini")
	i.write(config, fmt.Sprintf(`[databases]
* = host=%s port=%s
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %s
unix_socket_dir =
auth_type = trust
auth_file = %s
pool_mode = transaction
default_pool_size = 20
max_client_conn = 200
ignore_startup_parameters = lock_timeout,statement_timeout,plan_cache_mode
`, direct.Hostname(), direct.Port(), port(i.t, addr), users))
	for _, file := range []string{users, config} {
		if err := os.Chmod(file, 0o644); err != nil {
			i.t.Fatalf("make %s readable: %v", file, err)
		}
	}
	p := &process{t: i.t, cmd: exec.Command("pgbouncer", config), ended: make(chan struct{})}
	p.cmd.Stdout, p.cmd.Stderr = &p.log, &p.log
	p.asNobody()
	p.run()
	pooled := *direct
	pooled.Host = addr
	return pooled.String()
}

// publicDir returns a folder that any user may read.
func (i *installation) publicDir() string {
	i.t.Helper()
	dir, err := os.MkdirTemp("", "sininho-production-")
	if err != nil {
		i.t.Fatalf("make a folder: %v", err)
	}
	i.t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		i.t.Fatalf("make a folder readable: %v", err)
	}
	return dir
}

func (i *installation) write(path, text string) {
	i.t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		i.t.Fatalf("write %s: %v", path, err)
	}
}
