// Package cluster runs nodes of the built server, each a process of its own, on one database and with one stand-in of
// the push service, and breaks what they run on: processes, connections and PostgreSQL. It is for tests only.
package cluster

import (
	"context"
	"encoding/base64"
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/sininho/sininho/server"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/standin"
	"github.com/sininho/sininho/server/lab/standin/fcm"
)

// Cluster is any number of nodes on one database, and a push service.
type Cluster struct {
	T           testing.TB
	Binary      string // of nodes that are started from now on
	DatabaseURL string // of PostgreSQL itself, also when the nodes reach it through a link
	FCM         *fcm.Server
	APIKey      string
	Nodes       []*Node
	Environment map[string]string // settings of every node
}

const project = "sininho-cluster"

// Build builds the server with build tags into a directory, and returns the path of the binary.
func Build(dir string, tags ...string) (string, error) {
	root, err := moduleRoot()
	if err != nil {
		return "", err
	}
	var options []string
	if len(tags) > 0 { // replaces the tags of GOFLAGS
		options = append(options, "-tags=disable_grpc_modules,"+strings.Join(tags, ","))
	}
	return build(root, filepath.Join(dir, "sininho-server"), options...)
}

// moduleRoot returns the folder of the module.
func moduleRoot() (string, error) {
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return "", fmt.Errorf("find the module: %w", err)
	}
	return strings.TrimSpace(string(root)), nil
}

func build(root, binary string, options ...string) (string, error) {
	args := append([]string{"build", "-buildvcs=false", "-o", binary}, options...)
	build := exec.Command("go", append(args, "./server/cmd/sininho-server")...)
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the server: %w\n%s", err, out)
	}
	return binary, nil
}

// New returns a cluster on a database, without nodes and without a publisher.
func New(t testing.TB, binary, databaseURL string) *Cluster {
	t.Helper()
	push, err := fcm.New(fcm.Config{ProjectID: project})
	if err != nil {
		t.Fatalf("start the FCM stand-in: %v", err)
	}
	served, err := standin.Serve(push.Handler())
	if err != nil {
		t.Fatalf("serve the FCM stand-in: %v", err)
	}
	t.Cleanup(func() { _ = served.Close() })
	credentials := filepath.Join(t.TempDir(), "firebase.json")
	if err := os.WriteFile(credentials, push.ServiceAccountJSON(served.URL()+"/token"), 0o600); err != nil {
		t.Fatalf("write the credentials of Firebase: %v", err)
	}
	c := &Cluster{T: t, Binary: binary, DatabaseURL: databaseURL, FCM: push}
	c.Environment = map[string]string{
		"DATABASE_URL": databaseURL, "FIREBASE_CREDENTIALS_FILE": credentials, "FCM_ENDPOINT": served.URL() + "/v1",
		"PUBLIC_URL":       "http://127.0.0.1:8080",
		"SECRET_KEY":       base64.StdEncoding.EncodeToString(core.NewSecretKey()),
		"LIMITS":           "false",
		"LOG_LEVEL":        "warn",
		"DEMO_WEBHOOK_URL": "http://127.0.0.1:8080/api/v1/webhooks/channels/demo",
		"GOOGLE_CLIENT_ID": "cluster.apps.example.com", "GOOGLE_SECRET": "cluster",
		"FIREBASE_API_KEY": "cluster", "FIREBASE_AUTH_DOMAIN": project + ".example.com", "FIREBASE_PROJECT_ID": project,
		"FIREBASE_MESSAGING_SENDER_ID": "123456789012", "FIREBASE_APP_ID": "1:123456789012:web:0123456789abcdef",
		"FIREBASE_STORAGE_BUCKET":   project + ".example.com",
		"FIREBASE_VAPID_PUBLIC_KEY": base64.RawURLEncoding.EncodeToString(make([]byte, 65)),
		"POSTHOG_API_KEY":           "cluster", "POSTHOG_HOST": "http://127.0.0.1:1",
	}
	return c
}

// CreatePublisher creates the demo publisher with its channels and an API key.
func (c *Cluster) CreatePublisher() {
	c.T.Helper()
	settings, err := server.ReadConfig(c.Environment)
	if err != nil {
		c.T.Fatalf("settings of the nodes: %v", err)
	}
	if _, err := server.Demo(c.T.Context(), settings); err != nil {
		c.T.Fatalf("create the demo channels: %v", err)
	}
	c.CreateKey()
}

// CreateKey creates an API key of the demo publisher.
func (c *Cluster) CreateKey() {
	c.T.Helper()
	c.APIKey = core.NewAPIKeySecret()
	c.Exec(`
		insert into api_keys (id, publisher_id, name, hint, scopes, secret_hash)
		select gen_random_uuid(), id, 'cluster', 'last', '{publish,read}', $1 from publishers where slug = 'demo'`,
		core.HashSecret(c.APIKey))
}

// Connect returns a connection of the test's own, which no fault touches.
func (c *Cluster) Connect() *pgx.Conn {
	c.T.Helper()
	conn, err := pgx.Connect(context.Background(), c.DatabaseURL)
	if err != nil {
		c.T.Fatalf("connect to the database: %v", err)
	}
	return conn
}

// Exec runs a statement.
func (c *Cluster) Exec(sql string, args ...any) {
	c.T.Helper()
	conn := c.Connect()
	defer conn.Close(context.Background())
	if _, err := conn.Exec(context.Background(), sql, args...); err != nil {
		c.T.Fatalf("run SQL: %v", err)
	}
}

// Count returns the number that a query selects.
func (c *Cluster) Count(sql string, args ...any) (n int) {
	c.T.Helper()
	conn := c.Connect()
	defer conn.Close(context.Background())
	if err := conn.QueryRow(context.Background(), sql, args...).Scan(&n); err != nil {
		c.T.Fatalf("run SQL: %v", err)
	}
	return n
}

// Settings returns the environment of a node at an address.
func (c *Cluster) Settings(addr string) []string { return c.settings(addr, nil) }

func (c *Cluster) settings(addr string, own map[string]string) []string {
	all := maps.Clone(c.Environment)
	maps.Copy(all, own)
	all["LISTEN_ADDR"] = addr
	list := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")}
	for name, value := range all {
		list = append(list, name+"="+value)
	}
	return list
}

// AddFaults makes the push service fail.
func (c *Cluster) AddFaults(faults ...fcm.Fault) {
	c.T.Helper()
	if err := c.FCM.AddFaults(faults...); err != nil {
		c.T.Fatalf("add faults to the FCM stand-in: %v", err)
	}
}

// Balancer serves the nodes by turns at one address, and returns its base URL.
func (c *Cluster) Balancer(nodes ...*Node) string {
	var next atomic.Int64
	s := httptest.NewServer(&httputil.ReverseProxy{
		FlushInterval: -1,
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(&url.URL{Scheme: "http", Host: nodes[next.Add(1)%int64(len(nodes))].Addr})
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
	})
	c.T.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s.URL
}

// FreeAddr returns an address of this machine at which nothing listens. Systems do not give its port to outgoing
// connections, so whatever listens there can stop and start again.
func FreeAddr(t testing.TB) string {
	t.Helper()
	for range 100 {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 10_000+rand.IntN(20_000)))
		if err == nil {
			defer l.Close() // only needed to find a free port
			return l.Addr().String()
		}
	}
	t.Fatal("find a free port: all that were tried are in use")
	return ""
}
