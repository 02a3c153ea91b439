package postgres

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

	"github.com/sininho/sininho/server/internal/core"
)

// DeliveryBatch is some devices of a notification, in the order in which they were found. The view deliveries has a row
// for each of them that has its outcome.
type DeliveryBatch struct {
	bun.BaseModel `bun:"table:delivery_batches,alias:b"`

	NotificationID core.ID    `bun:"notification_id,pk"`
	First          int64      `bun:"first,pk"`
	Devices        []core.ID  `bun:"devices,array"`
	Outcomes       string     `bun:"outcomes"`         // a letter for each device
	RevisedAt      *time.Time `bun:"revised_at"`       // of the change that Revised is about
	Revised        string     `bun:"revised,nullzero"` // IsRevised for each device that has the change
}

// The letters of devices that have no outcome yet.
const (
	Waiting = '.' // to be pushed
	Held    = '-' // until quiet hours end
)

// IsRevised is the letter of a device to which a change has been pushed.
const IsRevised = 'r'

type result struct {
	outcome core.Outcome
	cause   string
}

// outcomeLetters are the letters of outcomes. The table outcome_letters has the same ones.
var outcomeLetters = map[result]byte{
	{core.Accepted, ""}:                     'a',
	{core.Suppressed, core.CauseBell}:       'b',
	{core.Suppressed, core.CauseMuted}:      'm',
	{core.Suppressed, core.CauseUnfollowed}: 'l',
	{core.Suppressed, core.CauseRead}:       'r',
	{core.Failed, core.CauseUnregistered}:   'U',
	{core.Failed, core.CauseSenderMismatch}: 'S',
	{core.Failed, core.CauseInvalid}:        'I',
	{core.Failed, core.CauseRetired}:        'R',
	{core.Failed, core.CauseOff}:            'O',
	{core.Expired, core.CauseExpired}:       'X',
	{core.Expired, core.CauseWithdrawn}:     'W',
	{core.Expired, core.CauseSuspended}:     'Z',
}

// OutcomeLetter returns the letter of an outcome.
func OutcomeLetter(outcome core.Outcome, cause string) (byte, error) {
	letter, ok := outcomeLetters[result{outcome, cause}]
	if !ok {
		return 0, fmt.Errorf("the outcome %s %s has no letter", outcome, cause)
	}
	return letter, nil
}

// outcomesByLetter is the inverse of outcomeLetters.
var outcomesByLetter = func() map[byte]result {
	inverse := make(map[byte]result, len(outcomeLetters))
	for r, letter := range outcomeLetters {
		inverse[letter] = r
	}
	return inverse
}()

// OutcomeOf returns the outcome of a letter; ok is false for the letter of a device without an outcome.
func OutcomeOf(letter byte) (outcome core.Outcome, cause string, ok bool) {
	r, ok := outcomesByLetter[letter]
	return r.outcome, r.cause, ok
}

// RecordDeliveries stores outcomes. If a device already has one for a notification, the first remains.
func RecordDeliveries(ctx context.Context, tx bun.IDB, deliveries []core.Delivery) error {
	return ChangeDeliveryBatches(ctx, tx, deliveries, func(b *DeliveryBatch, of []core.Delivery) error {
		outcomes := []byte(b.Outcomes)
		for _, d := range of {
			letter, err := OutcomeLetter(d.Outcome, d.Cause)
			if err != nil {
				return err
			}
			if before := outcomes[d.Place.Index]; before == Waiting || before == Held {
				outcomes[d.Place.Index] = letter
			}
		}
		b.Outcomes = string(outcomes)
		return nil
	})
}

// SetRevised marks devices as those to which the change of that time has been pushed, unless there is a later one.
func (b *DeliveryBatch) SetRevised(devices []core.Delivery, at time.Time) {
	if b.RevisedAt != nil && b.RevisedAt.After(at) {
		return
	}
	if b.RevisedAt == nil || b.RevisedAt.Before(at) {
		b.RevisedAt, b.Revised = &at, strings.Repeat(".", len(b.Outcomes))
	}
	revised := []byte(b.Revised)
	for _, d := range devices {
		revised[d.Place.Index] = IsRevised
	}
	b.Revised = string(revised)
}

type batchKey struct {
	notificationID core.ID
	first          int64
}

// ChangeDeliveryBatches locks the batches of deliveries, without their devices, and stores what change makes of each.
func ChangeDeliveryBatches(
	ctx context.Context, tx bun.IDB, deliveries []core.Delivery,
	change func(b *DeliveryBatch, of []core.Delivery) error,
) error {
	byBatch := map[batchKey][]core.Delivery{}
	for _, d := range deliveries {
		key := batchKey{d.NotificationID, d.Place.First}
		byBatch[key] = append(byBatch[key], d)
	}
	batches, err := lockDeliveryBatches(ctx, tx, slices.Collect(maps.Keys(byBatch)))
	if err != nil {
		return err
	}
	for i := range batches {
		b := &batches[i]
		if err := change(b, byBatch[batchKey{b.NotificationID, b.First}]); err != nil {
			return err
		}
	}
	return updateDeliveryBatches(ctx, tx, batches)
}

// lockDeliveryBatches locks in the order of the primary key, so that two transactions do not wait for each other.
func lockDeliveryBatches(ctx context.Context, tx bun.IDB, keys []batchKey) (batches []DeliveryBatch, err error) {
	if len(keys) == 0 {
		return nil, nil
	}
	notifications, firsts := make([]core.ID, len(keys)), make([]int64, len(keys))
	for i, k := range keys {
		notifications[i], firsts[i] = k.notificationID, k.first
	}
	err = tx.NewSelect().Model(&batches).ExcludeColumn("devices").
		Join("join unnest(?::uuid[], ?::bigint[]) k (notification_id, first) "+
			"on k.notification_id = b.notification_id and k.first = b.first",
			pgdialect.Array(notifications), pgdialect.Array(firsts)).
		Order("b.notification_id", "b.first").For("no key update of b").Scan(ctx)
	return batches, err
}

func updateDeliveryBatches(ctx context.Context, tx bun.IDB, batches []DeliveryBatch) error {
	if len(batches) == 0 {
		return nil
	}
	n := len(batches)
	notifications, firsts := make([]core.ID, n), make([]int64, n)
	outcomes, revised := make([]string, n), make([]*string, n)
	revisedAt := make([]*time.Time, n)
	for i, b := range batches {
		notifications[i], firsts[i] = b.NotificationID, b.First
		outcomes[i], revisedAt[i] = b.Outcomes, b.RevisedAt
		if b.Revised != "" {
			revised[i] = &b.Revised
		}
	}
	// Raw, because each row gets values of its own.
	_, err := tx.NewRaw(`
		update delivery_batches b set outcomes = v.outcomes, revised_at = v.revised_at, revised = v.revised
		from unnest(?::uuid[], ?::bigint[], ?::text[], ?::timestamptz[], ?::text[])
			v (notification_id, first, outcomes, revised_at, revised)
		where b.notification_id = v.notification_id and b.first = v.first`,
		pgdialect.Array(notifications), pgdialect.Array(firsts), pgdialect.Array(outcomes),
		pgdialect.Array(revisedAt), pgdialect.Array(revised)).Exec(ctx)
	return err
}
