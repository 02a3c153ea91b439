package servertest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

type renewedHook struct {
	ID, URL, Secret                     string
	AddressReplacedAt, SecretReplacedAt *time.Time
}

// TestAFormerMemberKnowsNoSecret publishes with what a member knew of webhooks, before and after the member leaves.
func TestAFormerMemberKnowsNoSecret(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(ana, rui *servertest.Subscriber, ruiID string){
		"the owner removes the member": func(ana, _ *servertest.Subscriber, ruiID string) {
			ana.Do(http.MethodDelete, "/publishers/eletrico/members/"+ruiID, nil, http.StatusNoContent, nil)
		},
		"the member leaves": func(_, rui *servertest.Subscriber, ruiID string) {
			rui.Do(http.MethodDelete, "/publishers/eletrico/members/"+ruiID, nil, http.StatusNoContent, nil)
		},
		"the member deletes the account": func(_, rui *servertest.Subscriber, _ string) {
			rui.Do(http.MethodDelete, "/subscribers/me", nil, http.StatusNoContent, nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := servertest.Start(t)
			ana, rui, ruiID := publisherWithMember(t, s)
			const path = "/channels/eletrico/linhas/webhooks"
			var unsigned, theirs, ours renewedHook
			rui.Do(http.MethodPost, path, object{"name": "unsigned", "signed": false}, http.StatusCreated, &unsigned)
			rui.Do(http.MethodPost, path, object{"name": "theirs"}, http.StatusCreated, &theirs)
			ana.Do(http.MethodPost, path, object{"name": "ours"}, http.StatusCreated, &ours)
			var key apiKey
			rui.Do(http.MethodPost, "/publishers/eletrico/api-keys",
				object{"name": "CI", "scopes": []string{"channels", "publish"}}, http.StatusCreated, &key)
			call(t, ana.Request(http.MethodGet, path, nil), key.Secret, http.StatusOK, nil)
			wantPosts(t, "before", unsigned.URL, "", http.StatusAccepted)
			wantPosts(t, "before", theirs.URL, theirs.Secret, http.StatusAccepted)

			leave(ana, rui, ruiID)
			call(t, ana.Request(http.MethodGet, path, nil), key.Secret, http.StatusUnauthorized, nil)
			for _, known := range []renewedHook{unsigned, theirs, ours} {
				wantPosts(t, "to the known address", known.URL, known.Secret, http.StatusNotFound)
			}
			renewed := map[string]renewedHook{}
			for _, known := range []renewedHook{unsigned, theirs, ours} {
				var now renewedHook
				ana.Do(http.MethodGet, path+"/"+known.ID, nil, http.StatusOK, &now)
				if now.AddressReplacedAt == nil {
					t.Errorf("time at which the address of %s was replaced: got none, want one", known.URL)
				}
				renewed[known.ID] = now
			}
			wantPosts(t, "to the new address", renewed[unsigned.ID].URL, "", http.StatusAccepted)
			wantPosts(t, "with the member's secret", renewed[theirs.ID].URL, theirs.Secret, http.StatusUnauthorized)
			wantPosts(t, "with the owner's secret", renewed[ours.ID].URL, ours.Secret, http.StatusAccepted)
			check.Equal(t, "whether the member's secret was replaced", renewed[theirs.ID].SecretReplacedAt != nil, true)
			check.Equal(t, "whether the owner's secret was replaced", renewed[ours.ID].SecretReplacedAt != nil, false)

			var rotated renewedHook
			ana.Do(http.MethodPost, path+"/"+theirs.ID+"/rotate", object{"what": "secret"}, http.StatusOK, &rotated)
			wantPosts(t, "with the rotated secret", rotated.URL, rotated.Secret, http.StatusAccepted)
			ana.Do(http.MethodPost, path+"/"+theirs.ID+"/rotate", object{"what": "address"}, http.StatusOK, nil)
			var after renewedHook
			ana.Do(http.MethodGet, path+"/"+theirs.ID, nil, http.StatusOK, &after)
			check.Equal(t, "times of replacements after the owner's rotations", after,
				renewedHook{ID: theirs.ID, URL: after.URL})
		})
	}
}

// publisherWithMember returns the owner of a new publisher with a channel, and another owner with their id.
func publisherWithMember(t *testing.T, s *servertest.Server) (ana, rui *servertest.Subscriber, ruiID string) {
	t.Helper()
	ana, rui = s.SignIn(t, "ana@example.com"), s.SignIn(t, "rui@example.com")
	var categories page[object]
	ana.Do(http.MethodGet, "/categories", nil, http.StatusOK, &categories)
	ana.Do(http.MethodPost, "/publishers", object{"slug": "eletrico", "name": "Elétrico"}, http.StatusCreated, nil)
	ana.Do(http.MethodPost, "/channels", object{
		"publisherSlug": "eletrico", "slug": "linhas", "name": "Linhas", "categoryId": categories.Data[0]["id"],
	}, http.StatusCreated, nil)
	var me struct{ ID string }
	rui.Do(http.MethodGet, "/subscribers/me", nil, http.StatusOK, &me)
	execute(t, s, `insert into publisher_members (publisher_id, subscriber_id, role)
		select id, $1, 'owner' from publishers where slug = 'eletrico'`, me.ID)
	return ana, rui, me.ID
}

// wantPosts posts an event to a webhook, signed unless the secret is empty, and checks the status.
func wantPosts(t *testing.T, what, address, secret string, want int) {
	t.Helper()
	const body = `{"title":"Linha azul"}`
	header := http.Header{}
	if secret != "" {
		header = sign(t, strings.ReplaceAll(what, " ", "-"), body, secret)
	}
	if status, _ := post(t, address, body, header); status != want {
		t.Errorf("event %s: got %d, want %d", what, status, want)
	}
}

func TestKeysOfAFormerMember(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana, rui, ruiID := publisherWithMember(t, s)
	const keys = "/publishers/eletrico/api-keys"
	var key apiKey
	rui.Do(http.MethodPost, keys, object{"name": "CI", "scopes": []string{"read"}}, http.StatusCreated, &key)
	type creator struct {
		ID, Name string
		Member   bool
	}
	shown := func() *creator {
		t.Helper()
		var list page[struct{ CreatedBy *creator }]
		ana.Do(http.MethodGet, keys, nil, http.StatusOK, &list)
		return list.Data[0].CreatedBy
	}
	check.Equal(t, "creator of the key", shown(), &creator{ruiID, shown().Name, true})
	member := "/publishers/eletrico/members/" + ruiID
	ana.Do(http.MethodDelete, member+"?revokeKeys=false", nil, http.StatusNoContent, nil)
	check.Equal(t, "creator who has left", shown(), &creator{ruiID, shown().Name, false})
	call(t, ana.Request(http.MethodGet, "/auth", nil), key.Secret, http.StatusOK, nil)

	execute(t, s, `insert into publisher_members (publisher_id, subscriber_id, role)
		select id, $1, 'owner' from publishers where slug = 'eletrico'`, ruiID)
	stream := ana.Request(http.MethodGet, "/channels/eletrico/linhas/notifications/stream", nil)
	stream.Header.Del("Cookie")
	stream.Header.Set("Authorization", "Bearer "+key.Secret)
	wantEnd(t, "removing its creator with their keys", stream, func() {
		ana.Do(http.MethodDelete, member, nil, http.StatusNoContent, nil)
	})
	call(t, ana.Request(http.MethodGet, "/auth", nil), key.Secret, http.StatusUnauthorized, nil)
}
