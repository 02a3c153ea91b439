package servertest_test

import (
	"bytes"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

type token struct {
	ID, Name, Hint, Secret string
	LastUsedAt             *time.Time
	ExpiresAt              time.Time
}

func newToken(t *testing.T, p *servertest.Subscriber, name string) (made token) {
	t.Helper()
	p.Do(http.MethodPost, "/subscribers/access-tokens", map[string]string{"name": name}, http.StatusCreated, &made)
	return made
}

func TestAccessTokens(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana, rui := s.SignIn(t, "ana@example.com"), s.SignIn(t, "rui@example.com")
	create := func(key, name string, want int) (made token, a response) {
		req := ana.Request(http.MethodPost, "/subscribers/access-tokens", map[string]string{"name": name})
		req.Header.Set("Idempotency-Key", key)
		a = call(t, req, "", want, &made)
		return made, a
	}
	made, a := create("k", "CLI", http.StatusCreated)
	wantSecret(t, made.Secret, "sna_live_", made.Hint)
	a.wantHeader("Location", "/api/v1/subscribers/access-tokens/"+made.ID)
	again, a := create("k", "CLI", http.StatusCreated)
	a.wantReplayed()
	check.Equal(t, "id of the replayed token", again.ID, made.ID)
	check.Equal(t, "secret of the replayed token", again.Secret, "")
	create("k", "other", http.StatusUnprocessableEntity)
	ana.Do(http.MethodPost, "/subscribers/access-tokens",
		map[string]string{"name": "CLI", "expiresAt": "2020-01-01T00:00:00Z"}, http.StatusUnprocessableEntity, nil)
	ana.Do(http.MethodPost, "/subscribers/access-tokens", map[string]string{"name": " "},
		http.StatusUnprocessableEntity, nil)

	var me struct{ Email string }
	call(t, ana.Request(http.MethodGet, "/subscribers/me", nil), made.Secret, http.StatusOK, &me)
	check.Equal(t, "email of the token's owner", me.Email, "ana@example.com")
	var list page[token]
	call(t, ana.Request(http.MethodGet, "/subscribers/access-tokens", nil), made.Secret, http.StatusOK, &list)
	if list.Meta.Total != 1 || list.Data[0].LastUsedAt == nil || list.Data[0].Secret != "" {
		t.Errorf("access tokens: got %+v, want one, used and without its secret", list)
	}
	device := map[string]string{
		"installationId": "installation-cli", "kind": "token", "address": "token-cli", "platform": "web", "name": "CLI",
	}
	call(t, ana.Request(http.MethodPost, "/subscribers/devices", device), made.Secret, http.StatusCreated, nil)

	soon := time.Now().Add(time.Hour).Truncate(time.Microsecond)
	var brief token
	call(t, ana.Request(http.MethodPost, "/subscribers/access-tokens",
		map[string]any{"name": "brief", "expiresAt": soon}), "", http.StatusCreated, &brief)
	for expiry, want := range map[time.Duration]int{
		0: http.StatusCreated, time.Second: http.StatusUnprocessableEntity,
	} {
		longer := map[string]any{"name": "longer", "expiresAt": soon.Add(expiry)}
		var outlives token
		call(t, ana.Request(http.MethodPost, "/subscribers/access-tokens", longer), brief.Secret, want, &outlives)
		if outlives.ID != "" {
			ana.Do(http.MethodDelete, "/subscribers/access-tokens/"+outlives.ID, nil, http.StatusNoContent, nil)
		}
	}
	var inherits token
	call(t, ana.Request(http.MethodPost, "/subscribers/access-tokens", map[string]any{"name": "endless"}), brief.Secret,
		http.StatusCreated, &inherits)
	if !inherits.ExpiresAt.Equal(soon) {
		t.Errorf("expiry of a token created with another token: got %s, want %s", inherits.ExpiresAt, soon)
	}
	ana.Do(http.MethodDelete, "/subscribers/access-tokens/"+inherits.ID, nil, http.StatusNoContent, nil)
	ana.Do(http.MethodDelete, "/subscribers/access-tokens/"+brief.ID, nil, http.StatusNoContent, nil)

	rui.Do(http.MethodDelete, "/subscribers/access-tokens/"+made.ID, nil, http.StatusNotFound, nil)
	for range 2 {
		ana.Do(http.MethodDelete, "/subscribers/access-tokens/"+made.ID, nil, http.StatusNoContent, nil)
	}
	call(t, ana.Request(http.MethodGet, "/auth", nil), made.Secret, http.StatusUnauthorized, nil)
	ana.Do(http.MethodGet, "/subscribers/access-tokens", nil, http.StatusOK, &list)
	check.Equal(t, "number of access tokens after the last was revoked", list.Meta.Total, 0)
}

type quietHours struct {
	Start string `json:"start,omitempty"`
	End   string `json:"end,omitempty"`
}

type profile struct {
	Name, Locale, Timezone, BellDefault, DigestAt string
	QuietHours                                    *quietHours
}

func TestProfile(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	var me profile
	first := call(t, ana.Request(http.MethodGet, "/subscribers/me", nil), "", http.StatusOK, &me)
	version := first.wantNewVersion("")
	check.Equal(t, "bell of a new account", me.BellDefault, "all")
	check.Equal(t, "quiet hours of a new account", me.QuietHours, nil)
	check.Equal(t, "hour of the digest of a new account", me.DigestAt, "18:00")
	patch := func(body any, etag string, want int, out any) response {
		t.Helper()
		req := ana.Request(http.MethodPatch, "/subscribers/me", body)
		if etag != "" {
			req.Header.Set("If-Match", etag)
		}
		return call(t, req, "", want, out)
	}
	me = profile{}
	night := quietHours{"22:00", "07:00"}
	changed := patch(object{
		"name": "Ana Maria", "timezone": "Atlantic/Azores", "bellDefault": "digest", "quietHours": night,
		"digestAt": "07:30",
	},
		version, http.StatusOK, &me)
	check.Equal(t, "changed account", me, profile{Name: "Ana Maria", Locale: me.Locale, Timezone: "Atlantic/Azores",
		BellDefault: "digest", DigestAt: "07:30", QuietHours: &night})
	patch(map[string]any{"name": "x"}, version, http.StatusPreconditionFailed, nil)
	for _, bad := range []map[string]any{
		{}, {"name": " "}, {"locale": "pt_PT"}, {"bellDefault": "loud"}, {"digestAt": "24:00"},
		{"digestAt": nil}, {"email": "x@example.com"},
		{"timezone": "Local"}, {"timezone": ""}, {"timezone": "Lisboa"},
		{"quietHours": quietHours{"22:00", "22:00"}}, {"quietHours": quietHours{"24:00", "07:00"}},
		{"quietHours": quietHours{Start: "22:00"}},
	} {
		patch(bad, "", http.StatusUnprocessableEntity, nil)
	}
	again := s.SignIn(t, "ana@example.com")
	me = profile{}
	now := call(t, again.Request(http.MethodGet, "/subscribers/me", nil), "", http.StatusOK, &me)
	check.Equal(t, "name after signing in again", me.Name, "Ana Maria")
	now.wantHeader("ETag", changed.Header.Get("ETag"))
	me = profile{}
	patch(map[string]any{"quietHours": nil}, now.Header.Get("ETag"), http.StatusOK, &me)
	check.Equal(t, "quiet hours after they were removed", me.QuietHours, nil)
	check.Equal(t, "name after the quiet hours were removed", me.Name, "Ana Maria")
}

func TestDeleteMe(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	var before, after struct{ SubscriberCount int }
	ana.Do(http.MethodGet, "/channels/demo/novidades", nil, http.StatusOK, &before)
	ana.Follow("demo/novidades")
	ana.Device("token-ana")
	bearer := newToken(t, ana, "CLI").Secret
	const join = `insert into publisher_members (publisher_id, subscriber_id, role)
		select p.id, s.id, 'owner' from publishers p, subscribers s where p.slug = 'demo' and s.email = $1`
	execute(t, s, join, "ana@example.com")
	a := call(t, ana.Request(http.MethodDelete, "/subscribers/me", nil), bearer, http.StatusConflict, nil)
	a.wantCode("last_owner")
	if !bytes.Contains(a.Body, []byte("demo")) {
		t.Errorf("problem of the last owner: got %s, want it to name the publisher demo", a.Body)
	}
	s.SignIn(t, "rui@example.com")
	execute(t, s, join, "rui@example.com")
	a = call(t, ana.Request(http.MethodDelete, "/subscribers/me", nil), bearer, http.StatusNoContent, nil)
	if c := a.Cookies(); len(c) != 1 || c[0].MaxAge >= 0 {
		t.Errorf("cookies after the account was deleted: got %v, want one that is removed", c)
	}
	call(t, ana.Request(http.MethodGet, "/subscribers/me", nil), bearer, http.StatusUnauthorized, nil)
	ana.Do(http.MethodGet, "/subscribers/me", nil, http.StatusUnauthorized, nil)
	ana.Do(http.MethodGet, "/channels/demo/novidades", nil, http.StatusOK, &after) // as a visitor
	check.Equal(t, "subscribers after the account was deleted", after, before)
	again := s.SignIn(t, "ana@example.com")
	var following page[object]
	again.Do(http.MethodGet, "/subscribers/channels", nil, http.StatusOK, &following)
	check.Equal(t, "subscriptions of a new account with the same email", following.Meta.Total, 0)
}

// TestSigningOutUnbinds expects signing out to remove every device that the session registered, and no other.
func TestSigningOutUnbinds(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana, again := s.SignIn(t, "ana@example.com"), s.SignIn(t, "ana@example.com")
	ana.Device("token-1")
	ana.Device("token-2")
	kept := again.Device("token-3")
	ana.Do(http.MethodDelete, "/auth", nil, http.StatusNoContent, nil)
	var list struct{ Data []struct{ ID string } }
	again.Do(http.MethodGet, "/subscribers/devices", nil, http.StatusOK, &list)
	if len(list.Data) != 1 || list.Data[0].ID != kept {
		t.Errorf("devices after the other session signed out: got %+v, want %s alone", list, kept)
	}
}

func TestExportMe(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	channel := ana.Follow("demo/novidades")
	device := ana.Device("token-ana")
	newToken(t, ana, "CLI")
	var list struct{ Data []struct{ ID string } }
	ana.Do(http.MethodGet, "/subscribers/notifications", nil, http.StatusOK, &list)
	ana.Do(http.MethodPatch, "/subscribers/notifications/"+list.Data[0].ID, map[string]bool{"archived": true},
		http.StatusOK, nil)
	execute(t, s, `insert into publisher_members (publisher_id, subscriber_id, role)
		select p.id, s.id, 'editor' from publishers p, subscribers s where p.slug = 'demo'`)
	var got export
	ana.Do(http.MethodGet, "/subscribers/me/export", nil, http.StatusOK, &got)
	want := export{GoogleSubject: got.GoogleSubject, Subscriptions: make([]exportedSubscription, 1),
		FormerSubscriptions: []exportedFormerSubscription{},
		Receipts:            []exportedReceipt{{NotificationID: list.Data[0].ID}},
		Devices:             []exportedDevice{{ID: device}},
		Sessions:            make([]exportedSession, 1), AccessTokens: []exportedToken{{Name: "CLI"}},
		Publishers: []exportedPublisher{{Slug: "demo", Role: "editor"}}}
	want.Subscriber.Email, want.Onboarding.Step = "ana@example.com", "interests"
	want.Subscriptions[0].Channel.Slug = "novidades"
	check.Equal(t, "export", got, want, cmpopts.IgnoreTypes(time.Time{}),
		cmpopts.IgnoreFields(exportedPublisher{}, "ChannelCount"))
	for name, isMissing := range map[string]bool{
		"exportedAt":           got.ExportedAt.IsZero(),
		"googleSubject":        got.GoogleSubject == "",
		"archivedAt":           got.Receipts[0].ArchivedAt.IsZero(),
		"sessions' lastSeenAt": got.Sessions[0].LastSeenAt.IsZero(),
		"channelCount":         got.Publishers[0].ChannelCount == 0,
	} {
		if isMissing {
			t.Errorf("export: %s is empty", name)
		}
	}
	ana.Do(http.MethodPost, "/subscribers/channels/"+channel+"/unsubscribe", nil, http.StatusNoContent, nil)
	got = export{}
	ana.Do(http.MethodGet, "/subscribers/me/export", nil, http.StatusOK, &got)
	former := exportedFormerSubscription{Bell: "all"}
	former.Channel.Slug = "novidades"
	check.Equal(t, "export of an unfollowed channel", got.FormerSubscriptions, []exportedFormerSubscription{former},
		cmpopts.IgnoreTypes(time.Time{}))
	check.Equal(t, "subscriptions without it", len(got.Subscriptions), 0)
}

// export is what a person can download about themselves.
type export struct {
	ExportedAt          time.Time
	Subscriber          struct{ Email string }
	GoogleSubject       string
	Onboarding          struct{ Step string }
	Subscriptions       []exportedSubscription
	FormerSubscriptions []exportedFormerSubscription
	Receipts            []exportedReceipt
	Devices             []exportedDevice
	Sessions            []exportedSession
	AccessTokens        []exportedToken
	Publishers          []exportedPublisher
}

type exportedSubscription struct{ Channel struct{ Slug string } }

type exportedFormerSubscription struct {
	Channel struct{ Slug string }
	Bell    string
}

type exportedReceipt struct {
	NotificationID string
	ArchivedAt     time.Time
}

type exportedDevice struct{ ID string }

type exportedSession struct{ CreatedAt, LastSeenAt time.Time }

type exportedToken struct{ Name, Secret string }

type exportedPublisher struct {
	Slug, Role   string
	ChannelCount int
}

func TestOneNotificationOfTheFeed(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana, rui := s.SignIn(t, "ana@example.com"), s.SignIn(t, "rui@example.com")
	ana.Follow("demo/novidades")
	var list, one struct {
		ID, Title string
		ReadAt    *time.Time
		Data      []struct{ ID, Title string }
	}
	ana.Do(http.MethodGet, "/subscribers/notifications", nil, http.StatusOK, &list)
	path := "/subscribers/notifications/" + list.Data[0].ID
	ana.Do(http.MethodGet, path, nil, http.StatusOK, &one)
	if one.ID != list.Data[0].ID || one.Title != list.Data[0].Title || one.ReadAt == nil {
		t.Errorf("one notification of the feed: got %+v, want %+v, read", one, list.Data[0])
	}
	rui.Do(http.MethodGet, path, nil, http.StatusNotFound, nil)
	if err := s.Client().Notifications.Withdraw(t.Context(), "demo/novidades", one.ID); err != nil {
		t.Fatalf("withdraw: %v", err)
	}
	ana.Do(http.MethodGet, path, nil, http.StatusNotFound, nil)
}
