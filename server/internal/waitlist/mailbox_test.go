package waitlist

import (
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pressly/goose/v3"

	"github.com/sininho/sininho/server/internal/core"
)

// TestMigrateMailboxes expects that the entries confirmed before mailboxes were kept have the mailboxes that they would
// get today, the first to be confirmed of those that share one.
func TestMigrateMailboxes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	migrations, err := goose.NewProvider(goose.DialectPostgres, w.db.DB.DB, os.DirFS("../postgres/migrations"))
	if err != nil {
		t.Fatalf("open the migrations: %v", err)
	}
	want := map[string]string{}
	for _, email := range []string{
		"Ana@X.com", "b+1@x.com", "a.b.c+x+y@GMail.com", "d.e@googlemail.com", "d.e@x.com", "+f@x.com", "g+@x.com",
	} {
		w.mustWait(email, "")
		want[core.MailboxOf(email)] = email
	}
	for _, email := range []string{"ana+1@x.com", "B+2@x.com", "abc@googlemail.com"} {
		w.now = w.now.Add(time.Second)
		w.mustWait(email, "")
	}
	w.mustJoin("unconfirmed@x.com", "")
	if _, err := migrations.DownTo(t.Context(), 23); err != nil {
		t.Fatalf("undo the migration: %v", err)
	}
	if _, err := migrations.Up(t.Context()); err != nil {
		t.Fatalf("migrate: %v", err)
	}
	var rows []struct{ Mailbox, Email string }
	if err := w.db.NewSelect().TableExpr("waitlist_mailboxes AS m").ColumnExpr("m.mailbox, w.email").
		Join("JOIN waitlist_entries AS w ON w.id = m.entry_id").Scan(t.Context(), &rows); err != nil {
		t.Fatalf("read the mailboxes: %v", err)
	}
	got := map[string]string{}
	for _, r := range rows {
		got[r.Mailbox] = r.Email
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("entries by mailbox after the migration (-want +got):\n%s", diff)
	}
}
