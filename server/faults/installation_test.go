package faults

import (
	"context"
	"encoding/base64"
	"maps"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/sininho/sininho/server"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/pgtest"
	"github.com/sininho/sininho/server/internal/standin"
	"github.com/sininho/sininho/server/internal/standin/fcm"
)

// installation is what one test breaks: nodes on one database, and a push service.
type installation struct {
	t           *testing.T
	binary      string // of nodes that are started from now on
	databaseURL string // of PostgreSQL itself, also when the nodes reach it through a link
	fcm         *fcm.Server
	apiKey      string
	ledger      *ledger
	reads       *ledger // of requests that publish nothing
	nodes       []*node
	listeners   []*listener       // each must hear every notification that is published after it has opened
	environment map[string]string // settings of every node
}

const project = "sininho-faults"

// newInstallation returns an installation on a database of the tests' PostgreSQL, without nodes.
func newInstallation(t *testing.T) *installation {
	t.Helper()
	i := newInstallationOn(t, pgtest.URL(t))
	i.createPublisher()
	return i
}

// newInstallationOn returns an installation on a database, without a publisher.
func newInstallationOn(t *testing.T, databaseURL string) *installation {
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
	i := &installation{t: t, binary: binary, databaseURL: databaseURL, fcm: push, ledger: &ledger{}, reads: &ledger{}}
	i.environment = map[string]string{
		"DATABASE_URL": databaseURL, "FIREBASE_CREDENTIALS_FILE": credentials, "FCM_ENDPOINT": served.URL() + "/v1",
		"PUBLIC_URL":       "http://127.0.0.1:8080",
		"SECRET_KEY":       base64.StdEncoding.EncodeToString(core.NewSecretKey()),
		"LIMITS":           "false",
		"LOG_LEVEL":        "warn",
		"DEMO_WEBHOOK_URL": "http://127.0.0.1:8080/api/v1/webhooks/channels/demo",
		"GOOGLE_CLIENT_ID": "faults.apps.example.com", "GOOGLE_SECRET": "faults",
		"FIREBASE_API_KEY": "faults", "FIREBASE_AUTH_DOMAIN": project + ".example.com", "FIREBASE_PROJECT_ID": project,
		"FIREBASE_MESSAGING_SENDER_ID": "123456789012", "FIREBASE_APP_ID": "1:123456789012:web:0123456789abcdef",
		"FIREBASE_STORAGE_BUCKET":   project + ".example.com",
		"FIREBASE_VAPID_PUBLIC_KEY": base64.RawURLEncoding.EncodeToString(make([]byte, 65)),
		"POSTHOG_API_KEY":           "faults", "POSTHOG_HOST": "http://127.0.0.1:1",
	}
	return i
}

// createPublisher creates the demo publisher with its channels and an API key.
func (i *installation) createPublisher() {
	i.t.Helper()
	settings, err := server.ReadConfig(i.environment)
	if err != nil {
		i.t.Fatalf("settings of the nodes: %v", err)
	}
	if _, err := server.Demo(i.t.Context(), settings); err != nil {
		i.t.Fatalf("create the demo channels: %v", err)
	}
	i.createKey()
}

func (i *installation) createKey() {
	i.t.Helper()
	i.apiKey = core.NewAPIKeySecret()
	i.exec(`
		insert into api_keys (id, publisher_id, name, hint, scopes, secret_hash)
		select gen_random_uuid(), id, 'faults', 'last', '{publish,read}', $1 from publishers where slug = 'demo'`,
		core.HashSecret(i.apiKey))
}

// connect returns a connection of the test's own, which no fault touches.
func (i *installation) connect() *pgx.Conn {
	i.t.Helper()
	conn, err := pgx.Connect(context.Background(), i.databaseURL)
	if err != nil {
		i.t.Fatalf("connect to the database: %v", err)
	}
	return conn
}

func (i *installation) exec(sql string, args ...any) {
	i.t.Helper()
	conn := i.connect()
	defer conn.Close(context.Background())
	if _, err := conn.Exec(context.Background(), sql, args...); err != nil {
		i.t.Fatalf("run SQL: %v", err)
	}
}

// count returns the number that a query selects.
func (i *installation) count(sql string, args ...any) (n int) {
	i.t.Helper()
	conn := i.connect()
	defer conn.Close(context.Background())
	if err := conn.QueryRow(context.Background(), sql, args...).Scan(&n); err != nil {
		i.t.Fatalf("run SQL: %v", err)
	}
	return n
}

// followers creates n followers of the channel, each with a device whose address is follower-1 and so on.
func (i *installation) followers(n int) {
	i.t.Helper()
	i.exec(`
		with people as (
			insert into subscribers (id, google_subject, email, name, locale, timezone)
			select gen_random_uuid(), 'follower-' || i, 'follower-' || i || '@example.com', 'Follower', 'pt',
				'Europe/Lisbon'
			from generate_series(1, $1::int) i
			returning id, google_subject
		), devices as (
			insert into devices (id, subscriber_id, installation_id, kind, address, platform, name)
			select gen_random_uuid(), id, google_subject, 'token', google_subject, 'web', 'Browser' from people
		)
		insert into subscriptions (subscriber_id, channel_id, bell, followed_at, read_ordinal, read_at)
		select people.id, c.id, 'all', now(), 0, now()
		from people, channels c join publishers p on p.id = c.publisher_id
		where p.slug = 'demo' and c.slug = 'novidades'`, n)
}

// settings returns the environment of a node at an address.
func (i *installation) settings(addr string) []string {
	all := maps.Clone(i.environment)
	all["LISTEN_ADDR"] = addr
	list := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")}
	for name, value := range all {
		list = append(list, name+"="+value)
	}
	return list
}

func (i *installation) addFaults(faults ...fcm.Fault) {
	i.t.Helper()
	if err := i.fcm.AddFaults(faults...); err != nil {
		i.t.Fatalf("add faults to the FCM stand-in: %v", err)
	}
}

func freeAddr(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("listen: %v", err)
	}
	defer l.Close() // only needed to find a free port
	return l.Addr().String()
}
