package postgres_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/memory"
	"github.com/sininho/sininho/server/lab/pgtest"
	"github.com/sininho/sininho/server/lab/writertest"
)

// stores are those that the rules of package core rely on.
type stores interface {
	core.PublisherStore
	core.StorageStore
	core.CategoryStore
	core.ChannelStore
	core.NotificationStore
	core.Writer
	core.Withdrawer
	core.SubscriptionStore
	core.FeedStore
	core.SubscriberStore
	core.IdentityStore
	core.PasskeyStore
	core.OperatorLinkStore
	core.SessionStore
	core.SuspensionStore
	core.MemberStore
	core.MembershipInvitationStore
	core.ChannelMemberStore
	core.ChannelInvitationStore
	IsFollower(ctx context.Context, channelID, subscriberID core.ID) (bool, error)
	core.APIKeyStore
	core.AccessTokenStore
	core.DeviceSignInStore
	core.DeviceStore
	core.EventEndpointStore
	core.WebhookStore
	core.DraftStore
	core.EventStore
	core.ReportStore
	core.PublisherRequestStore
	ReturnSnoozed(now time.Time) []core.Returned
}

// inPostgres are the stores in a database, without the emails and pushes that others add.
type inPostgres struct {
	*postgres.Store
	*delivery.Writer
	db *postgres.DB
}

func (s inPostgres) RegisterDevice(
	ctx context.Context, c core.Caller, in core.Registration, now time.Time,
) (core.Device, core.Creation, error) {
	return s.Store.RegisterDevice(ctx, c, in, now,
		func(context.Context, postgres.Tx, core.Device) error { return nil })
}

func (s inPostgres) Invite(
	ctx context.Context, inv core.MembershipInvitation, perDay int, key core.Idempotency,
) (core.MembershipInvitation, core.Creation, error) {
	return s.Store.Invite(ctx, inv, perDay, key, noEmail)
}

func (s inPostgres) CreateChannelInvitation(
	ctx context.Context, inv core.ChannelInvitation, hash []byte, by core.ChannelInviter, key core.Idempotency,
) (core.ChannelInvitation, core.Creation, error) {
	return s.Store.CreateChannelInvitation(ctx, inv, hash, by, key, noEmail)
}

func (s inPostgres) AnswerPublisherRequest(
	ctx context.Context, id core.ID, a core.PublisherAnswer, now time.Time,
) (core.PublisherRequest, error) {
	return s.Store.AnswerPublisherRequest(ctx, id, a, now, noEmail)
}

// ReturnSnoozed is that of package memory.
func (s inPostgres) ReturnSnoozed(now time.Time) (back []core.Returned) {
	err := s.db.InTx(context.Background(), func(ctx context.Context, tx postgres.Tx) (err error) {
		back, err = postgres.ReturnSnoozed(ctx, tx, 100, now)
		return err
	})
	if err != nil {
		panic(err)
	}
	return back
}

func noEmail(context.Context, postgres.Tx, core.ID) error { return nil }

// script runs the same steps on either kind of store, and writes down what they return. Ids are numbered in the order
// in which they appear.
type script struct {
	stores
	t     *testing.T
	now   time.Time
	said  []string
	names map[string]string

	publisher, category, ana, rui core.ID
	channel                       core.ChannelRef
}

var uuids = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// note writes down what a step has returned: an error by its code and reason, without what comes with it.
func (s *script) note(what string, values ...any) {
	s.t.Helper()
	line, failed := what, ""
	for _, v := range values {
		if err, ok := v.(error); ok {
			e, domain := errors.AsType[*core.Error](err)
			if !domain {
				s.t.Fatalf("%s: %v", what, err)
			}
			failed += fmt.Sprintf(" %s %s", e.Code, e.Reason)
		} else {
			line += " " + strings.ReplaceAll(string(must(json.Marshal(v))), "[]", "null")
		}
	}
	if failed != "" {
		line = what + failed
	}
	line = uuids.ReplaceAllStringFunc(line, func(id string) string {
		if s.names[id] == "" {
			s.names[id] = fmt.Sprint("#", len(s.names)+1)
		}
		return s.names[id]
	})
	s.said = append(s.said, line)
}

func (s *script) succeed(what string, err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatalf("%s: %v", what, err)
	}
}

// begin adds the people, a publisher of ana and its channel.
func (s *script) begin() {
	ctx := s.t.Context()
	signIn := func(name string) core.ID {
		p := core.Profile{Issuer: core.IssuerGoogle, Subject: name, Email: name + "@example.com", Name: name, Locale: "pt"}
		return must(s.SignIn(ctx, p, core.SignUp{Open: true}, s.now)).ID
	}
	s.ana, s.rui = signIn("ana"), signIn("rui") // always in this order, by which lists are sorted
	s.publisher, s.category = core.NewID(), core.NewID()
	s.names[core.ID{}.String()] = "none"
	p := core.Publisher{ID: s.publisher, Slug: "metro", Name: "Metro", CreatedAt: s.now, UpdatedAt: s.now}
	_, _, err := s.CreatePublisher(ctx, p, s.ana, core.Idempotency{})
	s.succeed("create a publisher", err)
	g := core.Category{ID: s.category, Slug: "cidade", Name: "Cidade", UpdatedAt: s.now}
	_, _, err = s.CreateCategory(ctx, g, core.Idempotency{})
	s.succeed("create a category", err)
	s.channel = s.createChannel("avisos").ChannelRef
	s.note("names", s.ana, s.rui, s.publisher, s.category, s.channel)
}

func (s *script) createChannel(slug string) core.Channel {
	in := core.ChannelInput{Slug: slug, Name: slug, CategoryID: s.category, Visibility: core.Public}
	c, _, err := s.CreateChannel(s.t.Context(), core.NewID(), s.publisher, in, s.now, core.Idempotency{})
	s.succeed("create a channel", err)
	return c
}

func (s *script) publish(title, externalID string, key core.Idempotency) core.Notification {
	s.now = s.now.Add(time.Second)
	n := core.Notification{ID: core.NewID(), Channel: s.channel, Title: title, ExternalID: externalID,
		Importance: core.Normal, PublishedAt: new(s.now), Visible: true}
	got, creation, err := s.Publish(s.t.Context(), n, key)
	s.note("publish "+title, got, creation, err)
	return got
}

func idempotency(name, body string) core.Idempotency {
	return core.Idempotency{Caller: "c", Route: "r", Key: name, BodyHash: []byte(body)}
}

// scripts are about a noun each.
var scripts = map[string]func(ctx context.Context, s *script){
	"publishers":    scriptPublishers,
	"channels":      scriptChannels,
	"notifications": scriptNotifications,
	"feed":          scriptFeed,
	"passkeys":      scriptPasskeys,
	"members":       scriptMembers,
	"private":       scriptPrivateChannel,
	"credentials":   scriptCredentials,
	"devices":       scriptDevices,
	"endpoints":     scriptEndpoints,
	"webhooks":      scriptWebhooks,
	"drafts":        scriptDrafts,
	"moderation":    scriptModeration,
	"requests":      scriptPublisherRequests,
}

// TestStoresInMemoryAreLikeThoseInPostgres runs each script on both.
func TestStoresInMemoryAreLikeThoseInPostgres(t *testing.T) {
	t.Parallel()
	caps := core.DefaultCaps()
	caps[core.CapPublishers], caps[core.CapChannels], caps[core.CapAPIKeys], caps[core.CapWebhooks] = 2, 3, 2, 2
	caps[core.CapEventEndpoints], caps[core.CapUnconfirmed], caps[core.CapSubscriptions] = 2, 2, 1
	caps[core.CapInvitations], caps[core.CapRequests], caps[core.CapSnoozed] = 3, 1, 1
	caps[core.CapDrafts], caps[core.CapTemplates] = 2, 2
	for name, run := range scripts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var said [2][]string
			for i := range said {
				s := &script{t: t, now: time.Now().UTC().Truncate(time.Microsecond), names: map[string]string{}}
				clock := func() time.Time { return s.now }
				if i == 0 {
					inMemory := memory.New(clock)
					inMemory.Caps = caps
					s.stores = inMemory
				} else {
					db := must(postgres.Open(t.Context(), postgres.Config{URL: pgtest.URL(t), Connections: 5}))
					t.Cleanup(func() { _ = db.Close() })
					store := postgres.NewStore(db)
					store.Caps = caps
					s.stores = inPostgres{store, writertest.New(t, db, clock), db}
				}
				s.now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
				s.begin()
				run(t.Context(), s)
				said[i] = s.said
			}
			check.Equal(t, "what stores in memory return, and those in PostgreSQL", said[0], said[1])
		})
	}
}
