package delivery

import (
	"context"
	"encoding/json"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// turn is a row of turns: pushes of one kind of one owner at one push service, or the search for the devices of a
// revision.
type turn struct {
	bun.BaseModel `bun:"table:turns"`

	ID             int64           `bun:"id,pk,autoincrement"`
	Queue          string          `bun:"queue"`
	Owner          core.ID         `bun:"owner"`   // whose turn it is
	Service        string          `bun:"service"` // of the devices, or sharedService
	Class          int             `bun:"class"`
	Kind           string          `bun:"kind"`
	Devices        int             `bun:"devices"` // about as many
	NotificationID *core.ID        `bun:"notification_id"`
	Batch          *int64          `bun:"first"` // where it begins: DeliveryBatch.First
	Args           json.RawMessage `bun:"args,type:jsonb,nullzero"`
	Traceparent    string          `bun:"traceparent,nullzero"`
	Tries          int             `bun:"tries,nullzero,default:0"`
	Started        bool            `bun:"started,nullzero,default:false"` // something of it was sent
	Parked         bool            `bun:"parked,nullzero,default:false"`

	waited time.Duration // since it was due
	until  time.Time     // no other node takes it
	age    time.Duration
	again  time.Duration // until the rest of it may be pushed
	left   bool          // there is a rest
}

// The queues, each with a capacity of its own, so that push services which strangers choose cannot hold up FCM.
const (
	queueFCM         = "fcm"
	queueWebPush     = "webpush"
	queueFindRevised = "find" // searches for devices that show what has changed
)

var queueNames = []string{queueFCM, queueWebPush, queueFindRevised}

const (
	batchSize = 500
	// ownBatchSize is how many devices of a page a push service other than FCM has at least to get batches of its own.
	// The others share batches, so that push services with few devices need few.
	ownBatchSize  = 50
	sharedService = "~"
)

// classes are the largest dispatches, in devices, of each class but the last.
var classes = []int64{1_000, 20_000, 200_000}

// queueOf returns the queue for the devices of a push service.
func queueOf(service string) string {
	if service == core.ServiceFCM {
		return queueFCM
	}
	return queueWebPush
}

// everybody owns the turns that many people share: no one of them can make it wait for long. It is a valid UUIDv8,
// after all ids of people and accounts, so that it comes last in a round.
var everybody = core.ID{0: 0xff, 6: 0x80, 8: 0x80}

// insertTurns stores turns, which are taken once the transaction is committed.
func insertTurns(ctx context.Context, db bun.IDB, turns []turn) error {
	if len(turns) == 0 {
		return nil
	}
	_, err := db.NewInsert().Model(&turns).ExcludeColumn("id").Exec(ctx)
	return postgres.Error(err)
}

// endTurns deletes the turns that are over, and parks the others until the rest of them may be pushed.
func endTurns(ctx context.Context, db bun.IDB, turns []*turn) error {
	var over, parked []int64
	var again []float64
	var started []bool
	for _, t := range turns {
		if t.left {
			parked, again, started = append(parked, t.ID), append(again, t.again.Seconds()), append(started, t.Started)
		} else {
			over = append(over, t.ID)
		}
	}
	if len(over) > 0 {
		_, err := db.NewDelete().Model((*turn)(nil)).Where("id = any (?)", pgdialect.Array(over)).Exec(ctx)
		if err != nil {
			return err
		}
	}
	if len(parked) == 0 {
		return nil
	}
	// Raw, because each row gets values of its own, by the database's clock.
	_, err := db.NewRaw(`
		update turns t set parked = true, started = v.started,
			due_at = clock_timestamp() + v.again * interval '1 second'
		from unnest(?::bigint[], ?::float8[], ?::boolean[]) v (id, again, started) where t.id = v.id`,
		pgdialect.Array(parked), pgdialect.Array(again), pgdialect.Array(started)).Exec(ctx)
	return err
}

// unparkAtOnce bounds a statement; the rest follows at once.
const unparkAtOnce = 1_000

// unpark makes parked turns ready that are due. It returns whether there were some, and in what time the next one is:
// an hour if none is parked.
func unpark(ctx context.Context, db bun.IDB) (some bool, next time.Duration, err error) {
	var found int
	var seconds float64
	// Raw, because it changes rows in the order of an index. What another node has just locked it makes ready itself.
	err = db.NewRaw(`
		with due as (
			update turns set parked = false where id = any (array(
				select id from turns where parked and due_at <= (select clock_timestamp()) order by due_at limit ?0
				for update skip locked)) returning 1
		)
		select (select count(*) from due), coalesce((
			select extract(epoch from min(due_at) - clock_timestamp()) from turns
			where parked and due_at > (select clock_timestamp())), ?1)::float8`,
		unparkAtOnce, time.Hour.Seconds()).Scan(ctx, &found, &seconds)
	if found == unparkAtOnce {
		seconds = 0
	}
	return found > 0, max(0, postgres.InSeconds(seconds)), postgres.Error(err)
}

// pack writes ids one after another, which takes less than a list of them.
func pack(ids []core.ID) []byte {
	b := make([]byte, 0, len(ids)*len(core.ID{}))
	for _, id := range ids {
		b = append(b, id[:]...)
	}
	return b
}

func unpack(b []byte) []core.ID {
	ids := make([]core.ID, len(b)/len(core.ID{}))
	for i := range ids {
		copy(ids[i][:], b[i*len(core.ID{}):])
	}
	return ids
}
