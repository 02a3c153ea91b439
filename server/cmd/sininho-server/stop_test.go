package main

import (
	"syscall"
	"testing"

	"github.com/sininho/sininho/internal/eventually"
)

// TestStoppedWhileManyFallDue stops the server while its streams begin to read 1,000 large notifications that became
// due together. It must exit cleanly each time.
func TestStoppedWhileManyFallDue(t *testing.T) {
	t.Parallel()
	const due = 1_000
	o := newOutside(t)
	for stop := range 3 {
		process := o.start()
		placed := o.query("select count(*) from notifications where stream_position is not null")
		o.schedule(due)
		eventually.True(t, "the first positions on the stream", func() bool {
			return o.query("select count(*) from notifications where stream_position is not null") > placed
		})
		if err := process.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatalf("stop the server: %v", err)
		}
		if err := process.Wait(); err != nil {
			t.Errorf("stop %d: the process ended with %v, want exit status 0", stop+1, err)
		}
	}
}

// schedule creates n large notifications on demo/novidades that are due now.
func (o *outside) schedule(n int) {
	o.t.Helper()
	o.query(`
		with made as (
			insert into notifications (id, channel_id, title, body, importance, visible, scheduled_at)
			select gen_random_uuid(), c.id, 'x', repeat('😀', 20000), 'normal', false, now()
			from generate_series(1, $1::int), channels c join publishers p on p.id = c.publisher_id
			where p.slug = 'demo' and c.slug = 'novidades'
			returning 1
		)
		select count(*) from made`, n)
}
