package faults

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/lab/cluster"
	"github.com/sininho/sininho/server/lab/pgtest"
	"github.com/sininho/sininho/server/lab/sampledata"
	"github.com/sininho/sininho/server/lab/standin/fcm"
)

// TestRestoredElsewhere backs up a small database while clients publish, and restores it elsewhere.
func TestRestoredElsewhere(t *testing.T) {
	t.Parallel()
	restoredElsewhere(t, sampledata.Sizes{Notifications: 2_000, Channels: 400, Subscriptions: 2_000, Devices: 200})
}

// TestRehearsal is TestRestoredElsewhere with a million notifications.
func TestRehearsal(t *testing.T) {
	if os.Getenv("REHEARSE") == "" {
		t.Skip("takes some minutes; make rehearse-restore runs it")
	}
	restoredElsewhere(t, sampledata.Standard())
}

func restoredElsewhere(t *testing.T, sizes sampledata.Sizes) {
	t.Helper()
	lost := newInstallationOn(t, cluster.New(t, binary, pgtest.URL(t)))
	lost.load(sizes)
	lost.CreatePublisher()
	lost.followers(50)
	n := lost.Start()
	p := lost.publisher(n)
	stop := p.load("before", 4, 20*time.Millisecond)
	lost.more(20)
	lost.AddFaults(fcm.Fault{Delay: "50ms"}) // some pushes are in flight
	file := filepath.Join(t.TempDir(), "sininho.backup")
	promised := lost.acknowledgements()
	began := time.Now()
	lost.run("backup", file)
	t.Logf("the backup took %s", time.Since(began).Round(time.Millisecond))
	lost.more(20)
	stop()
	for _, a := range lost.ledger.all() {
		if !a.acknowledged() {
			t.Errorf("publish while a backup was written: got %+v, want 2xx", a)
		}
	}
	n.Kill()

	restored := newInstallationOn(t, cluster.New(t, binary, pgtest.EmptyURL(t)))
	restored.Environment["SECRET_KEY"], restored.APIKey = lost.Environment["SECRET_KEY"], lost.APIKey
	began = time.Now()
	restored.run("restore", file)
	t.Logf("the restore took %s", time.Since(began).Round(time.Millisecond))
	restored.checkKept(lost, promised)
	restored.checkContinues()
}

// load loads sample data beside the demo publisher.
func (i *installation) load(sizes sampledata.Sizes) {
	i.t.Helper()
	pool, err := pgxpool.New(i.t.Context(), i.DatabaseURL)
	if err != nil {
		i.t.Fatalf("connect: %v", err)
	}
	defer pool.Close()
	config := sampledata.Config{Sizes: sizes, Seed: 1, Now: time.Now()}
	if _, err := sampledata.Load(i.t.Context(), pool, config); err != nil {
		i.t.Fatalf("load the sample data: %v", err)
	}
	if _, err := pool.Exec(i.t.Context(), "analyze"); err != nil {
		i.t.Fatalf("analyze: %v", err)
	}
}

// run runs a command of the server for the installation.
func (i *installation) run(args ...string) {
	i.t.Helper()
	var out bytes.Buffer
	cmd := exec.CommandContext(i.t.Context(), i.Binary, args...)
	cmd.Env = i.Settings("127.0.0.1:0")
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		i.t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out.String())
	}
}

// acknowledgements returns the key of each notification that was acknowledged up to now.
func (i *installation) acknowledgements() map[string]string {
	keys := map[string]string{}
	for _, a := range i.ledger.all() {
		if a.acknowledged() {
			keys[a.id] = a.key
		}
	}
	return keys
}

// sampled are queries for what must be the same in both databases: all but the demo publisher's notifications, which
// have gone on since the backup.
var sampled = map[string]string{
	"notifications": "notifications t where not channel_id = any ($1::uuid[])",
	"outcomes": `delivery_batches t where exists (select from notifications n
		where n.id = t.notification_id and not n.channel_id = any ($1::uuid[]))`,
	"dispatches": `dispatches t where exists (select from notifications n
		where n.id = t.notification_id and not n.channel_id = any ($1::uuid[]))`,
	"counts":        "channel_heads t where not channel_id = any ($1::uuid[])",
	"channels":      "channels t where not id = any ($1::uuid[])",
	"API keys":      "(select id, publisher_id, secret_hash, scopes from api_keys) t where $1::uuid[] is not null",
	"subscriptions": "subscriptions t where $1::uuid[] is not null",
	"receipts":      "receipts t where $1::uuid[] is not null",
	"subscribers":   "subscribers t where $1::uuid[] is not null",
	"devices":       "devices t where $1::uuid[] is not null",
}

// checkKept compares the restored database with the one that was lost, and with what was promised before the backup.
func (i *installation) checkKept(lost *installation, promised map[string]string) {
	i.t.Helper()
	contents := func(on *installation) map[string]int {
		demo := on.demoChannels()
		sums := map[string]int{}
		for what, from := range sampled {
			sums[what] = on.Count("select count(*) from "+from, demo)
			sums["sum of "+what] = on.Count("select coalesce(bit_xor(hashtextextended(t::text, 0)), 0) from "+from, demo)
		}
		return sums
	}
	got, want := contents(i), contents(lost)
	if !maps.Equal(got, want) {
		i.t.Errorf("restored rows: got %v, want %v", got, want)
	}
	for id, key := range promised {
		if i.Count("select count(*) from notifications where id = $1 and title = $2 and visible", id, key) != 1 {
			i.t.Errorf("notification %s with the key %s was acknowledged before the backup, and is not in it", id, key)
		}
	}
	if len(promised) == 0 {
		i.t.Error("acknowledged publishes before the backup: got none, want some")
	}
}

func (i *installation) demoChannels() (ids []string) {
	i.t.Helper()
	conn := i.Connect()
	defer conn.Close(i.t.Context())
	err := conn.QueryRow(i.t.Context(), `
		select array_agg(c.id::text) from channels c join publishers p on p.id = c.publisher_id
		where p.slug = 'demo'`).Scan(&ids)
	if err != nil {
		i.t.Fatalf("run SQL: %v", err)
	}
	return ids
}

// checkContinues starts a node on the restored database. It must finish what was in flight without repeating a push
// whose acceptance is in the backup, and publish.
func (i *installation) checkContinues() {
	i.t.Helper()
	open := i.Count("select count(*) from dispatches where finished_at is null")
	i.Exec("create table accepted_before as select notification_id, device_id from deliveries where outcome = 'accepted'")
	n := i.Start()
	i.publisher(n).publish(i.t.Context(), "after-the-restore")
	eventually.True(i.t, "no open dispatch", func() bool {
		return i.Count("select count(*) from dispatches where finished_at is null") == 0
	})
	n.Kill()
	j := i.judge()
	defer j.close()
	repeated := j.count(`select count(*) from sent s join devices d on d.address = s.address
		join accepted_before a on a.notification_id = s.id and a.device_id = d.id`)
	if repeated != 0 || j.repeats() != 0 {
		i.t.Errorf("repeated pushes: got %d of those accepted before the backup and %d others, want none", repeated,
			j.repeats())
	}
	without := j.count(`
		select count(*) from notifications n join channels c on c.id = n.channel_id
		join publishers p on p.id = c.publisher_id and p.slug = 'demo'
		join subscriptions f on f.channel_id = n.channel_id and f.followed_at <= n.published_at
		join devices d on d.subscriber_id = f.subscriber_id
		where n.visible and 1 <> (select count(*) from deliveries o
			where o.notification_id = n.id and o.device_id = d.id and o.outcome is not null)`)
	if without != 0 {
		i.t.Errorf("devices without exactly one outcome: got %d, want none", without)
	}
	i.t.Logf("%d dispatches were open in the backup, %d pushes since", open, j.count("select count(*) from sent"))
}
