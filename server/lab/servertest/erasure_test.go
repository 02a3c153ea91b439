package servertest_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

// remains is what may still name a person whose account is deleted, by table, with the reason.
var remains = map[string]string{
	"audit_log":     "the id alone, which leads to nobody: it tells the entries of one actor from those of another",
	"notifications": "the id alone, which leads to nobody, of who published it",
	"dispatches":    "the id alone, which leads to nobody, of who published it",
	"membership_invitations": "the address of one that waits, for 30 days after its end: its disappearance would tell the " +
		"inviter that there was an account",
	"idempotency_keys": "responses to others that name them, for a day, so that a repeated request gets the same one",
}

// TestErasure gives a person everything that an account can have, and then deletes it: no column of any table has their
// address, their name or their id.
func TestErasure(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	const email = "zeferina@example.com"
	invite := func(publisher string, by *servertest.Subscriber, address string) (made credential) {
		t.Helper()
		by.Do(http.MethodPost, "/publishers/"+publisher+"/invitations", object{"email": address, "role": "editor"}, 201,
			&made)
		return made
	}
	other := f.SignIn(t, "vizinho@example.com")
	other.Do(http.MethodPost, "/publishers", object{"slug": "r", "name": "R"}, 201, nil)
	invited := invite("p", f.owner, email)
	f.do("/waitlist/entries", object{"email": email, "name": "Zeferina"}, 202)
	f.Mail(t, email, 0)
	f.SignIn(t, email)
	suspension := f.suspended("/admin/subscribers/" + f.account(email))
	f.operator.Do(http.MethodDelete, suspension, nil, 204, nil)
	zeferina := f.SignIn(t, email)
	var me struct{ Subscriber credential }
	zeferina.Do(http.MethodGet, "/auth", nil, 200, &me)
	id := me.Subscriber.ID
	zeferina.Do(http.MethodPost, "/subscribers/invitations/"+invited.ID+"/accept", nil, 200, nil)
	zeferina.Do(http.MethodPost, "/channels/p/c/drafts", object{"content": object{"title": "Por acabar"}}, 201, nil)
	execute(t, f.Server, "update pacers set paused_until = now() + interval '1 hour', pause_cause = 'quota'")
	f.use(zeferina, invite) // the push that confirms the device waits
	invite("r", other, "ZEFERINA@example.com")
	invite("r", other, "zeferina+r@example.com")
	send(t, other, http.MethodPost, "/publishers/r/invitations", object{"email": email, "role": "editor"}, 200, nil,
		"Idempotency-Key", "same")

	before := traces(t, f.Server, email, "zeferina", id)
	for _, table := range []string{"subscribers", "email_sign_ins", "waitlist_email_times", "audit_log", "membership_invitations",
		"invitation_times", "idempotency_keys", "river_job", "devices", "turns", "sessions", "access_tokens",
		"reports", "api_keys", "publisher_members", "publisher_requests", "drafts", "feed_addresses"} {
		if len(before[table]) == 0 {
			t.Errorf("rows of %s about the person before: got none, want some", table)
		}
	}
	sister := f.SignIn(t, "zeferina+sister@example.com") // another account, with the same mailbox
	kept := invite("r", other, "zeferina+sister@example.com")
	zeferina.Do(http.MethodDelete, "/subscribers/me", nil, 204, nil)
	sister.Do(http.MethodPost, "/subscribers/invitations/"+kept.ID+"/accept", nil, 200, nil)
	sister.Do(http.MethodDelete, "/subscribers/me", nil, 204, nil)
	for table, rows := range traces(t, f.Server, email, "zeferina") {
		if table != "idempotency_keys" && table != "membership_invitations" {
			t.Errorf(
				"address or name of a deleted account in %s: got\n%s\nwant nothing",
				table,
				strings.Join(rows, "\n"),
			)
		}
	}
	for table, rows := range traces(t, f.Server, id) {
		if remains[table] == "" {
			t.Errorf("id of a deleted account in %s: got\n%s\nwant nothing", table, strings.Join(rows, "\n"))
		}
	}
}

// TestErasureOfTheInvited invites strangers: the audit log names their addresses as long as the invitation has not
// ended, and holds none of them.
func TestErasureOfTheInvited(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	latest := func() string {
		t.Helper()
		entries, _ := auditLog(f.owner, "/publishers/p/audit-log?limit=1")
		return entries[0].Action + " " + entries[0].Object.Name
	}
	var made credential
	f.owner.Do(http.MethodPost, "/publishers/p/invitations",
		object{"email": "eva@example.com", "role": "editor"}, 201, &made)
	check.Equal(t, "entry of an invitation", latest(), "createMembershipInvitation eva@example.com")
	execute(t, f.Server, "update membership_invitations set expires_at = now() where id = $1", made.ID)
	check.Equal(t, "entry of an invitation that has expired", latest(), "createMembershipInvitation ")
	f.owner.Do(http.MethodPost, "/publishers/p/invitations",
		object{"email": "eva@example.com", "role": "editor"}, 201, nil)
	check.Equal(t, "entry of an invitation that was renewed", latest(), "createMembershipInvitation eva@example.com")
	f.owner.Do(http.MethodDelete, "/publishers/p/invitations/"+made.ID, nil, 204, nil)
	check.Equal(t, "entry of an invitation that was withdrawn", latest(), "withdrawMembershipInvitation ")
	check.Equal(t, "entries with the address", len(traces(t, f.Server, "eva@example.com")["audit_log"]), 0)
}

// use does as a person whatever leaves a trace.
func (f *fixture) use(
	zeferina *servertest.Subscriber, invite func(string, *servertest.Subscriber, string) credential,
) {
	f.t.Helper()
	const email = "zeferina@example.com"
	zeferina.Do(http.MethodPatch, "/subscribers/me", object{"timezone": "Europe/Lisbon"}, 200, nil)
	zeferina.Device("zeferina")
	zeferina.Follow("p/c")
	zeferina.Do(http.MethodPost, "/subscribers/access-tokens", object{"name": "Portátil de Zeferina"}, 201, nil)
	zeferina.Do(http.MethodPut, "/channels/q/c/report", object{"category": "spam", "text": "Zeferina diz"}, 204, nil)
	f.newPublisherRequest(email)
	zeferina.Do(http.MethodPut, "/subscribers/feed-address", nil, 200, nil)
	var n, key credential
	zeferina.Do(http.MethodPost, "/channels/p/c/notifications", object{"title": "T"}, 201, &n)
	zeferina.Do(http.MethodPatch, "/channels/p/c/notifications/"+n.ID, object{"title": "U"}, 200, nil)
	zeferina.Do(http.MethodPost, "/publishers", object{"slug": "zef", "name": "Z"}, 201, nil)
	zeferina.Do(http.MethodPost, "/publishers/zef/api-keys", object{"name": "K", "scopes": []string{"read"}}, 201, &key)
	invite("zef", zeferina, "eva@example.com")
	zeferina.Do(http.MethodGet, "/subscribers/me/export", nil, 200, nil)
	newStranger(f.t, f.Server).post("/auth/email", object{"email": email})
	f.do("/waitlist/entries", object{"email": email}, 202)
	f.Mail(f.t, email, 0)
}

// traces returns the rows in which one of several texts occurs, in any case and any column, by table.
func traces(t *testing.T, s *servertest.Server, texts ...string) map[string][]string {
	t.Helper()
	db, err := pgx.Connect(t.Context(), s.DatabaseURL)
	if err != nil {
		t.Fatalf("connect to the database: %v", err)
	}
	defer func() { check.Equal(t, "error of closing", db.Close(t.Context()), nil) }()
	rows, _ := db.Query(t.Context(), `select format('%I.%I', table_schema, table_name), table_name
		from information_schema.tables where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog',
		'information_schema')`)
	tables, err := pgx.CollectRows(rows, pgx.RowToStructByPos[struct{ Qualified, Name string }])
	if err != nil || len(tables) < 40 {
		t.Fatalf("tables: got %d and %v, want all", len(tables), err)
	}
	found := map[string][]string{}
	for _, table := range tables {
		for _, text := range texts { // bytes are shown in hexadecimal digits
			rows, err := db.Query(
				t.Context(),
				fmt.Sprintf(`select x::text from %s x where x::text ilike '%%' || $1 || '%%'
				or x::text like '%%' || encode(convert_to($1, 'UTF8'), 'hex') || '%%'`, table.Qualified),
				text,
			)
			got, collected := pgx.CollectRows(rows, pgx.RowTo[string])
			if err := errors.Join(err, collected); err != nil {
				t.Fatalf("search %s: %v", table.Qualified, err)
			}
			found[table.Name] = append(found[table.Name], got...)
		}
		if len(found[table.Name]) == 0 {
			delete(found, table.Name)
		}
	}
	return found
}
