package servertest_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

// unaudited lists the operations that change something and have no entry in the audit log, with the reasons. Every
// other one must have an entry; TestAccess checks it.
var unaudited = map[string]string{
	"publishNotification": publishing, "publishNotifications": publishing, "receiveWebhook": publishing,
	"replayWebhookEvent": publishing, "uploadPicture": "what uses the picture has an entry",

	"testEventEndpoint": "sends something and changes nothing", "resendEventDelivery": "likewise",
	"testDevice": "likewise", "previewWebhook": "likewise", "challengeEventEndpoint": "likewise",
	"addMember": "adds nobody", "showChannelInvitation": "changes nothing",

	"createDraft": own, "updateDraft": own, "deleteDraft": own, "updateMe": own, "saveOnboarding": own, "subscribe": own, "unsubscribe": own, "updateSubscription": own,
	"updateFeedNotification": own, "recordFeedEvent": own, "recordDisplayed": own, "readAll": own, "registerDevice": own, "renameDevice": own,
	"removeDevice": own, "addIdentity": own, "removeIdentity": own, "signOut": own, "endSession": own, "endOtherSessions": own,
	"acceptChannelInvitation":     "the list of members has whoever has joined",
	"declineMembershipInvitation": "the publisher does not learn whose account has declined",

	"signInAnonymously": "nobody is known by name",
	"beginEmailSignIn":  "nobody is signed in", "finishEmailSignIn": own,
	"beginPasskeySignIn": "nobody is signed in", "finishPasskeySignIn": own, "beginPasskeySignUp": "nobody is signed in",
	"finishPasskeySignUp": own, "beginAddingPasskey": "adds none yet", "renamePasskey": own,
	"addPasskey":        "its call here fails; TestPasskeys has one that succeeds",
	"removePasskey":     "likewise",
	"beginDeviceSignIn": "nobody has confirmed it", "approveDeviceSignIn": "the token is created by takeDeviceToken",
	"takeDeviceSession": own,
	"takeDeviceToken":   "its call here fails; TestAuditOfADeviceSignIn has one that succeeds",

	"reportChannel":      "the reporter stays unknown to the publisher, and the report has its own record",
	"reportNotification": "likewise",

	"renewFeedAddress": own, "deleteFeedAddress": own,
	"requestPublisher": own, "withdrawPublisherRequest": own,

	"joinWaitlist": waiting, "confirmWaitlistEntry": waiting, "leaveWaitlist": waiting,
}

const (
	publishing = "notifications have their own record, and there are too many"
	own        = "concerns only the person"
	waiting    = "the waiting list has its own record"
)

// ofMembers are the operations that concern publishers only if the caller is a member of one.
var ofMembers = []string{"createAccessToken", "revokeAccessToken", "deleteMe"}

// checkAudited fails unless a successful request has the entry in the audit log that it should have.
func checkAudited(t *testing.T, f *fixture, id, caller, requestID string) {
	t.Helper()
	member := slices.Contains([]string{"owner", "editor", "other-owner", "owner's-token"}, caller)
	if unaudited[id] != "" || slices.Contains(ofMembers, id) && !member {
		return
	}
	kind := "person"
	switch {
	case caller == "operator":
		kind = "operator"
	case strings.HasPrefix(caller, "key:"):
		kind = "key"
	case caller == "owner's-token", strings.HasPrefix(caller, "token:"):
		kind = "token"
	}
	if caller == "operator" && id == "createPublisher" { // as anyone may
		kind = "person"
	}
	n := count(t, f.Server, `select count(*) from audit_log
		where request_id = $1 and action = $2 and actor_kind = $3 and object_id is not null
			and (network is not null) = ($2 <> 'deleteMe') -- the log forgets the networks of whoever leaves
			and (actor_id is not null) and (token_id is not null) = ($3 = 'token')`, requestID, id, kind)
	if n == 0 {
		t.Errorf("%s as %s: got no entry in the audit log by a %s; write one with postgres.audit in the transaction "+
			"that makes the change, or give the reason in unaudited", id, caller, kind)
	}
}

type auditEntry struct {
	Action, Network, RequestID, PublisherSlug, PublisherName string
	Channel                                                  *struct{ PublisherSlug, Slug, Name string }
	Actor                                                    struct{ Kind, ID, TokenID, Name string }
	Object                                                   struct{ ID, Name string }
	Detail                                                   map[string]string
}

func auditLog(s *servertest.Subscriber, path string) (entries []auditEntry, total int) {
	var page struct {
		Data []auditEntry
		Meta struct{ Total int }
	}
	s.Do(http.MethodGet, path, nil, 200, &page)
	return page.Data, page.Meta.Total
}

func actions(entries []auditEntry) (list []string) {
	for _, e := range entries {
		list = append(list, e.Action)
	}
	return list
}

// TestAuditLog makes changes as an owner, an editor, a key and an operator, and reads them as owner and as operator.
func TestAuditLog(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.owner.Do(http.MethodPost, "/publishers", object{"slug": "new", "name": "New"}, 201, nil)
	f.owner.Do(http.MethodPost, "/publishers/new/invitations",
		object{"email": "editor@example.com", "role": "editor"}, 201, nil)
	var key credential
	f.owner.Do(http.MethodPost, "/publishers/new/api-keys",
		object{"name": "CI", "scopes": []string{"channels"}}, 201, &key)
	f.sign["new"] = bearer(key)
	status, _ := f.call(http.MethodPost, "new", "by-key",
		request{"/channels", object{"publisherSlug": "new", "slug": "c", "name": "C", "categoryId": f.category}})
	check.Equal(t, "status of creating a channel with the key", status, 201)
	f.operator.Do(http.MethodPut, "/admin/channels/new/c/suspension", object{"reason": "R"}, 200, nil)

	entries, total := auditLog(f.owner, "/publishers/new/audit-log")
	check.Equal(t, "actions in the publisher's log", actions(entries),
		[]string{"suspendChannel", "createChannel", "createApiKey", "createMembershipInvitation", "createPublisher"})
	check.Equal(t, "total of the publisher's log", total, 5)
	byOperator, byKey, byOwner := entries[0], entries[1], entries[3]
	check.Equal(t, "actor of the suspension, for owners",
		byOperator.Actor.Kind+byOperator.Actor.Name+byOperator.Actor.ID, "operator")
	check.Equal(t, "network of the suspension, for owners", byOperator.Network+byOperator.RequestID, "")
	check.Equal(t, "detail of the suspension", byOperator.Detail, map[string]string{"reason": "R"})
	check.Equal(t, "actor of the channel", byKey.Actor.Kind+" "+byKey.Actor.Name+" "+byKey.Actor.ID, "key CI "+key.ID)
	check.Equal(t, "object of the channel", byKey.Object.Name, "c")
	check.Equal(t, "request of the channel", byKey.RequestID, "by-key")
	check.Equal(t, "network of the channel", byKey.Network, "127.0.0.1")
	check.Equal(t, "actor of the member", byOwner.Actor.Kind+" "+byOwner.Actor.Name, "person Owner")
	check.Equal(t, "detail of the member", byOwner.Detail, map[string]string{"role": "editor"})

	page, total := auditLog(f.owner, "/publishers/new/audit-log?limit=2&offset=1")
	check.Equal(t, "second and third action", actions(page), []string{"createChannel", "createApiKey"})
	check.Equal(t, "total of a page", total, 5)

	entries, _ = auditLog(f.operator, "/admin/audit-log?publisher=new&limit=1")
	check.Equal(t, "name of the operator, for operators", entries[0].Actor.Kind+" "+entries[0].Actor.Name,
		"operator Operador")
	check.Equal(t, "publisher of the entry", entries[0].PublisherSlug, "new")
	_, all := auditLog(f.operator, "/admin/audit-log?limit=1")
	if all <= total {
		t.Errorf("entries of all publishers: got %d, want more than the %d of one", all, total)
	}
}

// TestAuditNames has names of what exists: the channel as it is called now, also in entries about what is in it, until
// it is deleted, and never for operators while it is private.
func TestAuditNames(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	named := func(reader *servertest.Subscriber, path string) (names []string) {
		t.Helper()
		entries, _ := auditLog(reader, path)
		for _, e := range entries {
			name := e.Action + " " + e.PublisherName
			if e.Channel != nil {
				name += ": " + e.Channel.PublisherSlug + "/" + e.Channel.Slug + " " + e.Channel.Name
			}
			names = append(names, name)
		}
		return names
	}
	const ofOwners, ofOperators = "/publishers/p/audit-log?limit=2", "/admin/audit-log?publisher=p&limit=2"
	f.owner.Do(http.MethodPost, "/channels/p/c/webhooks", object{"name": "V", "signed": false}, 201, nil)
	f.owner.Do(http.MethodPatch, "/channels/p/c", object{"name": "Renamed"}, 200, nil)
	public := []string{"updateChannel P: p/c Renamed", "createWebhook P: p/c Renamed"}
	check.Equal(t, "names for owners", named(f.owner, ofOwners), public)
	check.Equal(t, "names for operators", named(f.operator, ofOperators), public)

	f.owner.Do(http.MethodPatch, "/channels/p/c", object{"visibility": "private"}, 200, nil)
	f.owner.Do(http.MethodPost, "/channels/p/c/invitations", object{}, 201, nil)
	check.Equal(t, "names of a private channel for owners", named(f.owner, ofOwners),
		[]string{"createChannelInvitation P: p/c Renamed", "updateChannel P: p/c Renamed"})
	check.Equal(t, "names of a private channel for operators", named(f.operator, ofOperators),
		[]string{"createChannelInvitation P", "updateChannel P"})

	f.owner.Do(http.MethodDelete, "/channels/p/c", nil, 204, nil)
	f.create(f.owner, "p", "c")
	check.Equal(t, "names of a deleted channel, whose address another has now", named(f.owner, ofOwners),
		[]string{"createChannel P: p/c C", "deleteChannel P"})
	entries, _ := auditLog(f.owner, "/publishers/p/audit-log?limit=3")
	if c := entries[2].Channel; c != nil {
		t.Errorf("channel of an invitation to a deleted channel: got %+v, want none", *c)
	}
}

// TestAuditOfNotifications corrects and withdraws a notification, and withdraws it again, which changes nothing. The
// log has its external id, and nothing of its text.
func TestAuditOfNotifications(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	var n struct{ ID string }
	f.owner.Do(http.MethodPost, "/channels/p/c/notifications",
		object{"title": "Before", "body": "Body", "externalId": "order-7"}, 201, &n)
	path := "/channels/p/c/notifications/" + n.ID
	f.owner.Do(http.MethodPatch, path, object{"title": "After"}, 200, nil)
	for range 2 {
		f.owner.Do(http.MethodDelete, path, nil, 204, nil)
	}
	entries, _ := auditLog(f.owner, "/publishers/p/audit-log?limit=3")
	check.Equal(t, "latest actions", actions(entries)[:2], []string{"withdrawNotification", "correctNotification"})
	if entries[2].Object.ID == n.ID {
		t.Errorf("entry of a repeated withdrawal: got %+v, want none", entries[2])
	}
	for _, e := range entries[:2] {
		check.Equal(t, "actor of "+e.Action, e.Actor.Kind+" "+e.Actor.Name, "person Owner")
		check.Equal(t, "object of "+e.Action, e.Object.ID+" "+e.Object.Name, n.ID+" order-7")
		check.Equal(t, "detail of "+e.Action, e.Detail, map[string]string{"channel": "c"})
	}
	f.owner.Do(http.MethodPost, "/channels/p/c/notifications", object{"title": "Nameless"}, 201, &n)
	f.operator.Do(http.MethodPut, "/admin/notifications/"+n.ID+"/withdrawal", object{"reason": "R"}, 204, nil)
	entries, _ = auditLog(f.owner, "/publishers/p/audit-log?limit=1")
	check.Equal(t, "object of a withdrawal by an operator", entries[0].Object.ID+" "+entries[0].Object.Name, n.ID+" ")
	check.Equal(t, "entries with texts", count(t, f.Server, `
		select count(*) from audit_log a where a::text similar to '%(Before|After|Body|Nameless)%'`), 0)
}

// TestAuditOfWaitlistInvitations invites people from the waiting list, twice by one request.
func TestAuditOfWaitlistInvitations(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for range 2 {
		send(t, f.operator, http.MethodPost, "/waitlist/invitations",
			object{"emails": []string{"a@example.com", "b@example.com"}}, 200, nil, "Idempotency-Key", "same")
	}
	entries, _ := auditLog(f.operator, "/admin/audit-log?limit=3")
	check.Equal(t, "latest actions", actions(entries)[:2], []string{"inviteFromWaitlist", "inviteFromWaitlist"})
	if entries[2].Action == "inviteFromWaitlist" {
		t.Errorf("entry of a repeated request: got %+v, want none", entries[2])
	}
	for _, e := range entries[:2] {
		check.Equal(t, "actor of the invitation", e.Actor.Kind+" "+e.Actor.Name, "operator Operador")
		check.Equal(t, "entries of the waiting list with the id in the log",
			count(t, f.Server, "select count(*) from waitlist_entries where id = $1", e.Object.ID), 1)
		check.Equal(t, "name in the log, which would outlive the entry", e.Object.Name, "")
	}
}

// TestAuditOfRefusals makes changes that fail or that are repeated: these have no entries.
func TestAuditOfRefusals(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	before := count(t, f.Server, "select count(*) from audit_log")
	again := object{"email": "editor@example.com", "role": "owner"}
	f.owner.Do(http.MethodPost, "/publishers/p/members", again, 200, nil)
	f.owner.Do(http.MethodPost, "/publishers", object{"slug": "p", "name": "P"}, 409, nil)
	f.owner.Do(http.MethodPatch, "/channels/p/c", object{"name": " "}, 422, nil)
	f.operator.Do(http.MethodDelete, "/admin/channels/p/c/suspension", nil, 204, nil)
	check.Equal(t, "new entries", count(t, f.Server, "select count(*) from audit_log")-before, 0)
	for range 2 {
		send(t, f.owner, http.MethodPost, "/publishers/p/api-keys",
			object{"name": "K", "scopes": []string{"read"}}, 201, nil, "Idempotency-Key", "same")
	}
	check.Equal(t, "entries of a repeated request", count(t, f.Server, "select count(*) from audit_log")-before, 1)
}

// TestAuditOfALeaver deletes the account of a member: the log keeps what they did, without their name, network and the
// names of their tokens.
func TestAuditOfALeaver(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	editor := f.SignIn(t, "editor@example.com")
	f.owner.Do(http.MethodPost, "/publishers/p/invitations", object{"email": "editor@example.com", "role": "owner"}, 201,
		nil)
	named := func() int {
		return count(t, f.Server, "select count(*) from audit_log where object_name = 'laptop'")
	}
	var token credential
	editor.Do(http.MethodPost, "/subscribers/access-tokens", object{"name": "laptop"}, 201, &token)
	check.Equal(t, "whether entries name the token", named() >= 1, true)
	editor.Do(http.MethodPatch, "/channels/p/c", object{"name": "D"}, 200, nil)
	editor.Do(http.MethodPost, "/publishers", object{"slug": "theirs", "name": "Theirs"}, 201, nil)
	editor.Do(http.MethodDelete, "/subscribers/me", nil, 204, nil)
	entries, _ := auditLog(f.owner, "/publishers/p/audit-log?limit=3")
	check.Equal(t, "actions of the editor", actions(entries),
		[]string{"deleteMe", "updateChannel", "createAccessToken"})
	check.Equal(t, "entries that name the token afterwards", named(), 0)
	check.Equal(t, "entries with the network of what they did, of the deletion or of the publisher that went with it",
		count(t, f.Server, `select count(*) from audit_log where network is not null and actor_id in (
			select actor_id from audit_log where action = 'deleteMe')`), 0)
	for _, e := range entries {
		check.Equal(t, "name of the actor of "+e.Action, e.Actor.Name, "")
	}
	check.Equal(t, "entries with the name of the editor",
		count(t, f.Server, "select count(*) from audit_log where object_name = 'editor'"), 0)
}

// TestAuditOfARemovedMember removes a member with their API keys, and another without.
func TestAuditOfARemovedMember(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, test := range []struct{ email, query, keys string }{
		{"bruno@example.com", "", "revoked"}, {"eva@example.com", "?revokeKeys=false", "kept"},
	} {
		member := f.owner.Admit("p", f.SignIn(t, test.email), "owner")
		f.owner.Do(http.MethodDelete, "/publishers/p/members/"+member+test.query, nil, 204, nil)
		entries, _ := auditLog(f.owner, "/publishers/p/audit-log?limit=1")
		check.Equal(t, "action of the removal", entries[0].Action, "removeMember")
		check.Equal(t, "detail of the removal", entries[0].Detail, map[string]string{"role": "owner", "keys": test.keys})
	}
}

// TestAuditOfADeviceSignIn signs a program of a member in.
func TestAuditOfADeviceSignIn(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	var begun struct{ UserCode, DeviceCode string }
	f.owner.Do(http.MethodPost, "/auth/device", object{"clientName": "cli"}, 200, &begun)
	f.owner.Do(http.MethodPost, "/auth/device/approve", object{"userCode": begun.UserCode, "approve": true}, 204, nil)
	f.sign["cli"] = func(*http.Request) {}
	status, body := f.call(http.MethodPost, "cli", "by-cli",
		request{"/auth/device/token", object{"deviceCode": begun.DeviceCode}})
	if status != http.StatusOK {
		t.Fatalf("status of taking the token: got %d, want 200: %s", status, body)
	}
	entries, _ := auditLog(f.owner, "/publishers/p/audit-log?limit=1")
	check.Equal(t, "action, actor and object",
		[]string{entries[0].Action, entries[0].Actor.Kind, entries[0].Actor.Name, entries[0].Object.Name},
		[]string{"takeDeviceToken", "person", "Owner", "cli"})
}
