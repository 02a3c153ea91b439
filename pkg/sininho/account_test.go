package sininho_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/sininho/sininhotest"
)

// collect gives all of a list.
func collect[T any](t *testing.T, seq func(func(T, error) bool)) (all []T) {
	t.Helper()
	for item, err := range seq {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, item)
	}
	return all
}

func asAna(t *testing.T) (*sininhotest.Server, *sininho.Client) {
	server := sininhotest.New(t)
	return server, server.Client(sininho.WithAccessToken(server.AccessToken))
}

func TestPublishers(t *testing.T) {
	_, client := asAna(t)
	ctx := t.Context()
	p, err := client.Publishers.Create(ctx, "metro", sininho.PublisherInput{Name: "Metro", Website: "https://example.com", Avatar: "https://example.com/a.png"})
	if err != nil || p.Version == "" {
		t.Fatal(p, err)
	}
	p, err = client.Publishers.Update(ctx, "metro", sininho.PublisherUpdate{Website: new(""), Description: new("Avisos")}, sininho.IfVersion(p.Version))
	if err != nil || p.Website != "" || p.Description != "Avisos" || p.Avatar == "" {
		t.Errorf("updated %+v, %v", p, err)
	}
	if _, err := client.Publishers.Create(ctx, "metro", sininho.PublisherInput{Name: "x"}); !errors.Is(err, sininho.ErrConflict) {
		t.Errorf("taken: %v", err)
	}
	if all, mine := collect(t, client.Publishers.List(ctx, sininho.PublisherListOptions{Query: "avisos"})), collect(t, client.Publishers.Mine(ctx)); len(all) != 1 || len(mine) != 2 {
		t.Errorf("%d found, %d mine", len(all), len(mine))
	}
	if err := client.Publishers.Delete(ctx, "metro", sininho.IfVersion(`"old"`)); !errors.Is(err, sininho.ErrChanged) {
		t.Errorf("deleted what was changed: %v", err)
	}
	if err := client.Publishers.Delete(ctx, "metro"); err != nil {
		t.Error(err)
	}
	var refused *sininho.Error
	if err := client.Publishers.Delete(ctx, "demo"); !errors.As(err, &refused) || refused.Code != sininho.CodeInUse {
		t.Errorf("deleted one with channels: %v", err)
	}
}

func TestMembers(t *testing.T) {
	_, client := asAna(t)
	ctx := t.Context()
	bia, err := client.Members.Add(ctx, "demo", "bia@example.com", sininho.Editor)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := client.Members.Add(ctx, "demo", "bia@example.com", sininho.Owner); err != nil || bia.Existing || !again.Existing || again.Role != sininho.Editor {
		t.Errorf("added again: %+v, %v", again, err)
	}
	members := collect(t, client.Members.List(ctx, "demo"))
	ana := members[0]
	var refused *sininho.Error
	if err := client.Members.Remove(ctx, "demo", ana.ID); !errors.As(err, &refused) || refused.Code != sininho.CodeLastOwner {
		t.Errorf("the last owner left: %v", err)
	}
	if bia, err = client.Members.Update(ctx, "demo", bia.ID, sininho.Owner); err != nil || bia.Role != sininho.Owner {
		t.Errorf("%+v, %v", bia, err)
	}
	if err := client.Members.Remove(ctx, "demo", ana.ID); err != nil {
		t.Error(err)
	}
	if _, err := client.Members.Add(ctx, "demo", "ninguem", sininho.Editor); !errors.Is(err, sininho.ErrInvalid) {
		t.Errorf("no address: %v", err)
	}
}

func TestAPIKeys(t *testing.T) {
	server, client := asAna(t)
	ctx := t.Context()
	in := sininho.APIKeyInput{Name: "CI", Scopes: []sininho.Scope{sininho.ScopePublish}, ExpiresAt: time.Now().Add(time.Hour)}
	key, err := client.APIKeys.Create(ctx, "demo", in, sininho.WithIdempotencyKey("k"))
	if err != nil || key.Secret == "" {
		t.Fatal(key, err)
	}
	again, err := client.APIKeys.Create(ctx, "demo", in, sininho.WithIdempotencyKey("k"))
	if err != nil || again.ID != key.ID || again.Secret != "" {
		t.Errorf("again %+v, %v", again, err)
	}
	if caller, err := server.Client(sininho.WithAPIKey(key.Secret)).Auth.Get(ctx); err != nil || caller.Kind != sininho.CallerPublisher {
		t.Errorf("caller %+v, %v", caller, err)
	}
	ends := time.Now().Add(time.Minute).UTC().Truncate(time.Second)
	fresh, err := client.APIKeys.Rotate(ctx, "demo", key.ID, ends)
	if err != nil || fresh.Secret == "" || fresh.ID == key.ID {
		t.Errorf("rotated %+v, %v", fresh, err)
	}
	var refused *sininho.Error
	if _, err := client.APIKeys.Rotate(ctx, "demo", key.ID, ends); !errors.As(err, &refused) || refused.Code != sininho.CodeAlreadyRotated {
		t.Errorf("rotated twice: %v", err)
	}
	keys := collect(t, client.APIKeys.List(ctx, "demo"))
	if len(keys) != 2 || !keys[0].ExpiresAt.Equal(ends) || keys[0].RotatedAt.IsZero() || !keys[1].RotatedAt.IsZero() {
		t.Errorf("keys %+v", keys)
	}
	for range 2 {
		if err := client.APIKeys.Revoke(ctx, "demo", fresh.ID); err != nil {
			t.Error(err)
		}
	}
	if _, err := server.Client(sininho.WithAPIKey(fresh.Secret)).Auth.Get(ctx); !errors.Is(err, sininho.ErrUnauthorized) {
		t.Errorf("revoked: %v", err)
	}
	if _, err := server.Client().APIKeys.Create(ctx, "demo", in); !errors.Is(err, sininho.ErrUnauthorized) {
		t.Errorf("a key made a key: %v", err)
	}
}

func TestChangesOfWhatIsThere(t *testing.T) {
	_, client := asAna(t)
	ctx := t.Context()
	categories := collect(t, client.Categories.List(ctx))
	seen, err := client.Channels.Get(ctx, channel)
	if err != nil {
		t.Fatal(err)
	}
	updated, err := client.Channels.Update(ctx, channel, sininho.ChannelUpdate{CategoryID: &categories[1].ID, Icon: new("https://example.com/i.png")}, sininho.IfVersion(seen.Version))
	if err != nil || updated.Category.ID != categories[1].ID || updated.Icon == "" || updated.Version == seen.Version {
		t.Errorf("channel %+v, %v", updated, err)
	}
	published, err := client.Notifications.Publish(ctx, channel, sininho.PublishInput{Title: "Um"})
	if err != nil {
		t.Fatal(err)
	}
	n, err := client.Notifications.Get(ctx, channel, published.Notification.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Notifications.Correct(ctx, channel, n.ID, sininho.Correction{Title: new("Dois")}, sininho.IfVersion(n.Version)); err != nil {
		t.Error(err)
	}
	if err := client.Notifications.Withdraw(ctx, channel, n.ID, sininho.IfVersion(n.Version)); !errors.Is(err, sininho.ErrChanged) {
		t.Errorf("withdrew what was corrected: %v", err)
	}
	if err := client.Channels.Delete(ctx, channel, sininho.IfVersion(seen.Version)); !errors.Is(err, sininho.ErrChanged) {
		t.Errorf("deleted what was changed: %v", err)
	}
	if err := client.Channels.Delete(ctx, channel); err != nil {
		t.Error(err)
	}
	if err := client.Categories.Delete(ctx, categories[0].ID); err != nil && !errors.Is(err, sininho.ErrConflict) {
		t.Error(err)
	}
	if _, err := client.Categories.Create(ctx, "x", sininho.CategoryInput{Name: "X", Position: -1}); !errors.Is(err, sininho.ErrInvalid) {
		t.Errorf("position -1: %v", err)
	}
}

func TestMe(t *testing.T) {
	server, client := asAna(t)
	ctx := t.Context()
	me, err := client.Me.Get(ctx)
	if err != nil || me.BellDefault != sininho.BellAll || me.QuietHours != nil {
		t.Fatal(me, err)
	}
	quiet := &sininho.QuietHours{Start: "22:00", End: "07:00"}
	changed, err := client.Me.Update(ctx, sininho.MeUpdate{Name: new("Ana M."), Locale: new("pt-BR"), BellDefault: new(sininho.BellNone), QuietHours: quiet}, sininho.IfVersion(me.Version))
	if err != nil || changed.Name != "Ana M." || changed.BellDefault != sininho.BellNone || *changed.QuietHours != *quiet {
		t.Errorf("changed %+v, %v", changed, err)
	}
	if changed, err = client.Me.Update(ctx, sininho.MeUpdate{QuietHours: &sininho.QuietHours{}}); err != nil || changed.QuietHours != nil {
		t.Errorf("ended %+v, %v", changed, err)
	}
	if _, err := client.Me.Update(ctx, sininho.MeUpdate{QuietHours: &sininho.QuietHours{Start: "25:00", End: "07:00"}}); !errors.Is(err, sininho.ErrInvalid) {
		t.Errorf("25 o'clock: %v", err)
	}
	var refused *sininho.Error
	if err := client.Me.Delete(ctx); !errors.As(err, &refused) || refused.Code != sininho.CodeLastOwner {
		t.Errorf("the only owner left: %v", err)
	}
	if _, err := client.Members.Add(ctx, "demo", "bia@example.com", sininho.Owner); err != nil {
		t.Fatal(err)
	}
	if err := client.Me.Delete(ctx); err != nil {
		t.Error(err)
	}
	if _, err := server.Client(sininho.WithAccessToken(server.AccessToken)).Me.Get(ctx); !errors.Is(err, sininho.ErrUnauthorized) {
		t.Errorf("deleted, but there: %v", err)
	}
}

func TestExportHasNoBound(t *testing.T) {
	server, client := asAna(t)
	var export bytes.Buffer
	if err := client.Me.Export(t.Context(), &export); err != nil || !json.Valid(export.Bytes()) {
		t.Errorf("%s, %v", export.String(), err)
	}
	server.Answer(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for range 40 {
			_, _ = w.Write(bytes.Repeat([]byte(" "), 1<<20))
		}
	})
	export.Reset()
	if err := client.Me.Export(t.Context(), &export); err != nil || export.Len() != 40<<20 {
		t.Errorf("%d bytes, %v", export.Len(), err)
	}
	server.Answer(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", "10")
		_, _ = w.Write([]byte("{"))
	}, sininhotest.Refuse(500, "internal", 0))
	if err := client.Me.Export(t.Context(), &export); err == nil {
		t.Error("half an export passes for one")
	}
	if err := client.Me.Export(t.Context(), &export); err == nil || strings.Contains(err.Error(), server.AccessToken) {
		t.Errorf("refused: %v", err)
	}
}

func TestFeedAndSubscriptions(t *testing.T) {
	_, client := asAna(t)
	ctx := t.Context()
	for range 2 {
		if _, err := client.Subscriptions.Follow(ctx, channel); err != nil {
			t.Fatal(err)
		}
	}
	var ids []string
	for i := range 5 {
		published, err := client.Notifications.Publish(ctx, channel, sininho.PublishInput{Title: fmt.Sprint(i)})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, published.Notification.ID)
	}
	if sub := collect(t, client.Subscriptions.List(ctx))[0]; sub.UnreadCount != 5 || sub.Bell != sininho.BellAll {
		t.Errorf("subscription %+v", sub)
	}
	if n, err := client.Feed.Update(ctx, ids[0], sininho.FeedUpdate{Archived: new(true)}); err != nil || n.ID != ids[0] {
		t.Errorf("archived %+v, %v", n, err)
	}
	if _, err := client.Feed.MarkRead(ctx, ids[1]); err != nil {
		t.Error(err)
	}
	if n, err := client.Feed.Get(ctx, ids[1]); err != nil || n.ReadAt.IsZero() {
		t.Errorf("read %+v, %v", n, err)
	}
	if all := collect(t, client.Feed.List(ctx, sininho.FeedListOptions{PageSize: 2})); len(all) != 4 || all[0].ID != ids[4] {
		t.Errorf("feed %+v", all)
	}
	if err := client.Feed.RecordDisplayed(ctx, ids[2]); err != nil {
		t.Error(err)
	}
	if unread := collect(t, client.Feed.List(ctx, sininho.FeedListOptions{Unread: true})); len(unread) != 3 {
		t.Errorf("%d unread", len(unread))
	}
	if err := client.Feed.RecordOpened(ctx, ids[2]); err != nil {
		t.Error(err)
	}
	if unread := collect(t, client.Feed.List(ctx, sininho.FeedListOptions{Unread: true})); len(unread) != 2 {
		t.Errorf("%d unread after one was opened", len(unread))
	}
	if err := client.Feed.ReadAll(ctx, channel); err != nil {
		t.Error(err)
	}
	if unread := collect(t, client.Feed.List(ctx, sininho.FeedListOptions{Unread: true})); len(unread) != 0 {
		t.Errorf("%d unread after all", len(unread))
	}
	muted := time.Now().Add(time.Hour)
	sub, err := client.Subscriptions.Update(ctx, channel, sininho.SubscriptionUpdate{Bell: new(sininho.BellNone), MutedUntil: &muted})
	if err != nil || sub.Bell != sininho.BellNone || !sub.MutedUntil.Equal(muted) {
		t.Errorf("muted %+v, %v", sub, err)
	}
	if sub, err = client.Subscriptions.Update(ctx, channel, sininho.SubscriptionUpdate{MutedUntil: &time.Time{}}); err != nil || !sub.MutedUntil.IsZero() {
		t.Errorf("heard again %+v, %v", sub, err)
	}
	if err := client.Subscriptions.Unfollow(ctx, sub.Channel.ID); err != nil {
		t.Error(err)
	}
	if err := client.Feed.ReadAll(ctx, ""); err != nil || len(collect(t, client.Subscriptions.List(ctx))) != 0 {
		t.Errorf("still following: %v", err)
	}
}

func TestDevicesAndTokens(t *testing.T) {
	server, client := asAna(t)
	ctx := t.Context()
	in := sininho.DeviceInput{InstallationID: "quiosque-1", Address: "fcm-token", Platform: "android", Name: "Quiosque"}
	registered, err := client.Devices.Register(ctx, in)
	if err != nil || registered.Name != "Quiosque" || registered.Kind != "token" {
		t.Fatalf("registered %+v, %v", registered, err)
	}
	if again, err := client.Devices.Register(ctx, in); err != nil || again.ID != registered.ID {
		t.Errorf("registered again %+v, %v", again, err)
	}
	if _, err := client.Devices.Register(ctx, sininho.DeviceInput{InstallationID: "x", Platform: "fridge"}); !errors.Is(err, sininho.ErrInvalid) {
		t.Errorf("registered nonsense: %v", err)
	}
	d := collect(t, client.Devices.List(ctx))[0]
	if renamed, err := client.Devices.Rename(ctx, d.ID, "Portátil"); err != nil || renamed.Name != "Portátil" {
		t.Errorf("%+v, %v", renamed, err)
	}
	for range 2 {
		if err := client.Devices.Remove(ctx, d.ID); err != nil {
			t.Error(err)
		}
	}
	if _, err := client.Devices.Test(ctx, d.ID); !errors.Is(err, sininho.ErrNotFound) {
		t.Errorf("tested what is gone: %v", err)
	}
	token, err := client.AccessTokens.Create(ctx, sininho.AccessTokenInput{Name: "x", ExpiresAt: time.Now().Add(time.Hour)})
	if err != nil || len(collect(t, client.AccessTokens.List(ctx))) != 1 {
		t.Fatal(token, err)
	}
	other, err := client.AccessTokens.Create(ctx, sininho.AccessTokenInput{Name: "y"})
	if err != nil {
		t.Fatal(err)
	}
	bySecret := server.Client(sininho.WithAccessToken(other.Secret))
	if err := bySecret.Auth.SignOut(ctx); err != nil {
		t.Error(err)
	}
	if _, err := bySecret.Auth.Get(ctx); !errors.Is(err, sininho.ErrUnauthorized) {
		t.Errorf("signed out: %v", err)
	}
	if err := client.AccessTokens.Revoke(ctx, token.ID); err != nil {
		t.Error(err)
	}
	if _, err := server.Client(sininho.WithAccessToken(token.Secret)).Auth.Get(ctx); !errors.Is(err, sininho.ErrUnauthorized) {
		t.Errorf("revoked: %v", err)
	}
}

// tokenWaits runs Wait over scripted answers under a false clock and tells when it asked.
//
// A script has an answer a word: a problem's code, away, or good; the last one goes on.
func tokenWaits(t *testing.T, ctx context.Context, script string) (at []time.Duration, err error) {
	start := time.Now()
	words := strings.Fields(script)
	spy := roundTripper(func(r *http.Request) (*http.Response, error) {
		at = append(at, time.Since(start))
		word := words[min(len(at), len(words))-1]
		if word == "away" {
			return nil, errors.New("refused")
		}
		resp := answer(400, http.Header{"Content-Type": {"application/problem+json"}},
			`{"type":"about:blank","title":"x","status":400,"code":"`+word+`","requestId":"r"}`)
		if word == "good" {
			resp = answer(200, http.Header{"Content-Type": {"application/json"}}, `{"accessToken":{},"subscriber":{}}`)
		}
		resp.Request = r
		return resp, nil
	})
	client, newErr := sininho.New(sininho.WithHTTPClient(&http.Client{Transport: spy}), sininho.WithRetries(0))
	if newErr != nil {
		t.Fatal(newErr)
	}
	_, err = client.DeviceSignIn.Wait(ctx, &sininho.DeviceSignIn{DeviceCode: "x", ExpiresIn: 900, Interval: 5})
	return at, err
}

func TestWaitAsksAsPolitelyAsItIsTold(t *testing.T) {
	for name, test := range map[string]struct{ script, want, code string }{
		"confirmed": {"authorization_pending slow_down authorization_pending good", "[5s 10s 20s 30s]", ""},
		"away":      {"away away good", "[5s 15s 35s]", ""},
		"refused":   {"access_denied", "[5s]", sininho.CodeAccessDenied},
		"over":      {"authorization_pending expired_token", "[5s 10s]", sininho.CodeExpiredToken},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				at, err := tokenWaits(t, t.Context(), test.script)
				var refused *sininho.Error
				if errors.As(err, &refused) != (test.code != "") || (refused != nil && refused.Code != test.code) {
					t.Errorf("err = %v", err)
				}
				if fmt.Sprint(at) != test.want {
					t.Errorf("asked at %v, want %s", at, test.want)
				}
			})
		})
	}
}

func TestWaitEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 7*time.Second)
		defer cancel()
		start := time.Now()
		_, err := tokenWaits(t, ctx, "authorization_pending")
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 7*time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
	synctest.Test(t, func(t *testing.T) {
		at, err := tokenWaits(t, t.Context(), "away")
		if !errors.Is(err, sininho.ErrUnreachable) || at[len(at)-1] > 17*time.Minute {
			t.Errorf("%v at %v", err, at)
		}
	})
}

func TestWhatBecomesPartOfAPathIsChecked(t *testing.T) {
	server, client := asAna(t)
	ctx := t.Context()
	_, get := client.Publishers.Get(ctx, "../me")
	_, item := client.Webhooks.Get(ctx, channel, "../x")
	for _, err := range []error{
		get, item, client.APIKeys.Revoke(ctx, "demo", "x"), client.Publishers.Delete(ctx, ""),
		client.Subscriptions.Unfollow(ctx, "x"), lastError(client.Members.List(ctx, "a/b")), lastError(client.APIKeys.List(ctx, "A")),
	} {
		if !errors.Is(err, sininho.ErrInvalid) {
			t.Errorf("err = %v", err)
		}
	}
	if n := len(server.Requests()); n != 0 {
		t.Errorf("%d requests", n)
	}
}
