// Package memory keeps in maps what package core stores, so that tests prove the rules without a database. It returns
// the same errors as package postgres does; a test there holds the two alike.
package memory

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// Store implements the stores of package core. Set its fields before its first use.
type Store struct {
	Caps         core.Caps
	StorageQuota int64                            // bytes of texts that a publisher may store; 0 is without limit
	Invited      map[string]bool                  // the addresses that may sign up where it is by invitation
	Deliveries   map[core.ID]core.DeliverySummary // by notification
	Parts        []core.DeliverySummaryPart       // of every channel
	Attempts     map[core.ID][]core.EventAttempt  // by event delivery
	Paces        map[string]time.Time             // by name, until when turns are taken
	Pauses       map[string]core.Result           // by push service: its Pause and Cause

	mu                 sync.Mutex
	now                func() time.Time
	keys               map[idempotencyKey]answer
	publishers         table[core.Publisher]
	publisherRequests  table[publisherRequestRow] // by the ids of their askers
	quotas             map[core.ID]*int64
	members            []*memberRow
	invitations        table[invitationRow]
	invited            map[invitedAddress]*invitationTime
	categories         table[core.Category]
	channels           table[channelRow]
	notifications      table[notificationRow]
	subscribers        table[subscriberRow]
	identities         table[identityRow]
	passkeys           table[core.Passkey]
	challenges         map[string]bool // answered ones, by hash
	operatorLinks      map[string]core.OperatorLink
	sessions           table[sessionRow]
	subscriptions      map[pair]*subscriptionRow
	requests           map[pair]time.Time // to join private channels
	refused            map[pair]time.Time // or removed from them
	channelInvitations table[channelInvitationRow]
	former             map[pair]*subscriptionRow
	receipts           map[pair]*receiptRow
	devices            table[deviceRow]
	apiKeys            table[apiKeyRow]
	tokens             table[tokenRow]
	signIns            table[signInRow]
	endpoints          table[endpointRow]
	deliveries         table[core.EventDelivery]
	webhooks           table[core.SealedWebhook]
	drafts             table[core.Draft]
	events             []*eventRow
	reports            table[core.Report]
	pictures           map[string]core.Picture
	log                []core.AuditEntry
}

// New returns an empty store. now is its clock.
func New(now func() time.Time) *Store {
	return &Store{
		Caps: core.DefaultCaps(), Invited: map[string]bool{}, Deliveries: map[core.ID]core.DeliverySummary{},
		Attempts: map[core.ID][]core.EventAttempt{}, Paces: map[string]time.Time{}, Pauses: map[string]core.Result{},
		now: now, keys: map[idempotencyKey]answer{}, publishers: table[core.Publisher]{},
		publisherRequests: table[publisherRequestRow]{},
		quotas:            map[core.ID]*int64{}, invitations: table[invitationRow]{},
		invited: map[invitedAddress]*invitationTime{}, categories: table[core.Category]{},
		channels: table[channelRow]{}, notifications: table[notificationRow]{}, subscribers: table[subscriberRow]{},
		passkeys: table[core.Passkey]{}, challenges: map[string]bool{}, operatorLinks: map[string]core.OperatorLink{},
		identities: table[identityRow]{}, sessions: table[sessionRow]{}, subscriptions: map[pair]*subscriptionRow{},
		former: map[pair]*subscriptionRow{}, requests: map[pair]time.Time{}, refused: map[pair]time.Time{},
		channelInvitations: table[channelInvitationRow]{}, receipts: map[pair]*receiptRow{},
		devices: table[deviceRow]{},
		apiKeys: table[apiKeyRow]{}, tokens: table[tokenRow]{}, signIns: table[signInRow]{},
		endpoints: table[endpointRow]{}, deliveries: table[core.EventDelivery]{}, webhooks: table[core.SealedWebhook]{},
		reports: table[core.Report]{}, pictures: map[string]core.Picture{}, drafts: table[core.Draft]{},
	}
}

// lock locks the store, and returns the function that unlocks it.
func (s *Store) lock() (unlock func()) {
	s.mu.Lock()
	return s.mu.Unlock
}

// pair is a person's id, and that of a channel or notification.
type pair struct{ subscriberID, id core.ID }

// table has the rows of one kind by id.
type table[T any] map[core.ID]*T

// get fails with CodeNotFound when there is no such row.
func (t table[T]) get(id core.ID) (*T, error) {
	if r, ok := t[id]; ok {
		return r, nil
	}
	return nil, core.NotFound()
}

// where returns the rows that match in the order of their ids, which is that of their creation.
func (t table[T]) where(matches func(*T) bool) (rows []*T) {
	ids := slices.SortedFunc(maps.Keys(t), func(a, b core.ID) int { return bytes.Compare(a[:], b[:]) })
	for _, id := range ids {
		if matches(t[id]) {
			rows = append(rows, t[id])
		}
	}
	return rows
}

// first returns the first row that matches, or fails with CodeNotFound.
func (t table[T]) first(matches func(*T) bool) (*T, error) {
	if rows := t.where(matches); len(rows) > 0 {
		return rows[0], nil
	}
	return nil, core.NotFound()
}

// newest sorts rows by a time, the latest first, and those of one time by their ids.
func newest[T any](rows []*T, at func(*T) time.Time) []*T {
	slices.Reverse(rows)
	slices.SortStableFunc(rows, func(a, b *T) int { return at(b).Compare(at(a)) })
	return rows
}

// paged converts the rows of a page.
func paged[T, U any](rows []*T, page core.Page, convert func(*T) U) (data []U, total int64, err error) {
	total = int64(len(rows))
	rows = rows[min(page.Offset, len(rows)):]
	if page.Limit > 0 {
		rows = rows[:min(page.Limit, len(rows))]
	}
	data = make([]U, len(rows))
	for i, r := range rows {
		data[i] = convert(r)
	}
	return data, total, nil
}

// same returns a copy of a row.
func same[T any](r *T) T { return *r }

// patch sets *to unless v is nil.
func patch[T any](to *T, v *T) {
	if v != nil {
		*to = *v
	}
}

// replace sets *to if the patch sets it; nil is the zero value.
func replace[T any](to *T, p core.Patch[T]) {
	var zero T
	if p.Set {
		*to = zero
		patch(to, p.Value)
	}
}

// nextVersion returns the time of a change, which is later than the one before.
func nextVersion(before, now time.Time) time.Time {
	if after := before.Add(time.Microsecond); now.Before(after) {
		return after
	}
	return now
}

// checkCap fails when there would be one more of something than there may be.
func (s *Store) checkCap(of core.Cap, has int) error {
	if has >= s.Caps[of] {
		return s.Caps.Err(of)
	}
	return nil
}

type idempotencyKey struct{ caller, route, key string }

type answer struct {
	bodyHash, result []byte
	existing         bool
}

// once runs create and keeps its result, or returns that of the first request with the key.
func once[T any](
	s *Store, key core.Idempotency, made *T, create func() (core.Creation, error),
) (creation core.Creation, err error) {
	if !key.Wanted() {
		return create()
	}
	if creation, err = replay(s, key, made); !core.IsCode(err, core.CodeNotFound) {
		return creation, err
	}
	if creation, err = create(); err != nil {
		return 0, err
	}
	result, err := json.Marshal(made)
	s.keys[idempotencyKey{key.Caller, key.Route, key.Key}] = answer{key.BodyHash, result, creation == core.Existing}
	return creation, err
}

// replay loads the result of the first request with a key.
func replay[T any](s *Store, key core.Idempotency, made *T) (core.Creation, error) {
	kept, ok := s.keys[idempotencyKey{key.Caller, key.Route, key.Key}]
	switch {
	case !ok:
		return 0, core.NotFound()
	case !bytes.Equal(kept.bodyHash, key.BodyHash):
		return 0, core.ErrKeyReused()
	}
	*made = *new(T)
	if err := json.Unmarshal(kept.result, made); err != nil || !kept.existing {
		return core.Replayed, err
	}
	return core.ReplayedExisting, nil
}

// replayed is replay for a store method.
func replayed[T any](s *Store, key core.Idempotency) (made T, creation core.Creation, err error) {
	defer s.lock()()
	creation, err = replay(s, key, &made)
	return made, creation, err
}

// matches reports whether each word of a search begins a word of the texts.
func matches(search core.Search, texts ...string) bool {
	if search.Nothing {
		return false
	}
	var words []string
	for _, text := range texts {
		parsed, _ := core.ParseSearch(text)
		words = append(words, parsed.Words...)
	}
	return !slices.ContainsFunc(search.Words, func(w string) bool {
		return !slices.ContainsFunc(words, func(of string) bool {
			return of == w || !core.IsWhole(w) && len(of) > len(w) && of[:len(w)] == w
		})
	})
}

// audit records a change if a request makes it.
func (s *Store) audit(ctx context.Context, publisherID, objectID core.ID, object string) {
	o := core.OriginOf(ctx)
	if o.Operation == "" {
		return
	}
	s.log = append(s.log, core.AuditEntry{ID: core.NewID(), At: s.now(), Action: o.Operation, Actor: o.Actor(),
		PublisherID: publisherID, ObjectID: objectID, Object: object, Network: o.Network, RequestID: o.RequestID})
}

// AuditLog implements core.AuditStore.
func (s *Store) AuditLog(_ context.Context, f core.AuditFilter) ([]core.AuditEntry, int64, error) {
	defer s.lock()()
	var rows []*core.AuditEntry
	for i := range s.log {
		if f.PublisherID == nil || s.log[i].PublisherID == *f.PublisherID {
			rows = append(rows, &s.log[i])
		}
	}
	slices.Reverse(rows)
	return paged(rows, f.Page, func(e *core.AuditEntry) core.AuditEntry {
		entry := *e
		if r, ok := s.subscribers[e.Actor.ID]; ok {
			entry.Actor.Name = r.Name
		}
		if p, ok := s.publishers[e.PublisherID]; ok {
			entry.PublisherSlug, entry.PublisherName = p.Slug, p.Name
		}
		if c, ok := s.channels[e.ObjectID]; ok && !c.deleted {
			entry.Channel = new(s.ref(c))
		}
		return entry
	})
}
