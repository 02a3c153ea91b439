package delivery

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/guard"
	"github.com/sininho/sininho/server/internal/postgres"
)

const (
	readEvery   = 2 * time.Second // what a person reads meanwhile is pushed together
	readStop    = 2 * time.Second // for the last ones, when the server stops
	readLately  = 7 * 24 * time.Hour
	readAtOnce  = 20 // ids in a push; even a push service that takes only small messages takes as many
	mostRead    = 100
	mostReaders = 10_000
)

// reader is a person, and the session or access token by which they read.
type reader struct{ subscriberID, by core.ID }

// reading is what a reader has read lately: all, all of some channels, and single notifications.
type reading struct {
	all           bool
	channels, ids []core.ID
}

// readings collects what people read on this node, so that a person who reads much causes few pushes, and nobody who
// reads waits for the database. What is too much, or lost in a crash, is closed when the app is opened.
type readings struct {
	mu sync.Mutex
	by map[reader]*reading
}

// Read collects what a person has read, to close it on their other devices. It never blocks.
func (d *Dispatcher) Read(subscriberID core.ID, e core.ReadEvent) {
	d.readings.add(reader{subscriberID, e.By}, e)
}

func (rs *readings) add(by reader, e core.ReadEvent) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	r := rs.by[by]
	if r == nil {
		if len(rs.by) >= mostReaders {
			return
		}
		if rs.by == nil {
			rs.by = map[reader]*reading{}
		}
		r = &reading{}
		rs.by[by] = r
	}
	r.add(e)
}

func (r *reading) add(e core.ReadEvent) {
	switch {
	case e.NotificationID == nil && e.ChannelID == nil:
		*r = reading{all: true}
	case e.NotificationID == nil:
		r.channels = withLast(r.channels, *e.ChannelID)
	case e.ReadAt == nil && (e.Archived == nil || !*e.Archived): // it is unread again
		r.ids = slices.DeleteFunc(r.ids, func(id core.ID) bool { return id == *e.NotificationID })
	default:
		r.ids = withLast(r.ids, *e.NotificationID)
	}
}

// withLast adds an id at the end, unless it is there, and keeps the last ones.
func withLast(ids []core.ID, id core.ID) []core.ID {
	if slices.Contains(ids, id) {
		return ids
	}
	ids = append(ids, id)
	return ids[max(0, len(ids)-mostRead):]
}

func (rs *readings) take() map[reader]*reading {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	taken := rs.by
	rs.by = nil
	return taken
}

// reading inserts turns for what was read, and those for the last ones when the server stops.
func (d *Dispatcher) reading(ctx context.Context) {
	tick := time.NewTicker(readEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			guard.Run(ctx, d.Log, d.pushRead)
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), readStop)
			defer cancel()
			guard.Run(last, d.Log, d.pushRead)
			return
		}
	}
}

func (d *Dispatcher) pushRead(ctx context.Context) {
	taken := d.readings.take()
	if len(taken) == 0 {
		return
	}
	if err := d.insertRead(ctx, taken); err != nil {
		d.warn(ctx, "closing what was read on other devices failed; they see it when they are opened", err)
	}
}

func (d *Dispatcher) insertRead(ctx context.Context, taken map[reader]*reading) error {
	people, ids := make([]core.ID, 0, len(taken)), []core.ID{}
	for by := range taken {
		people = append(people, by.subscriberID)
	}
	devices, err := silentDevices(ctx, d.DB, people)
	if err != nil || len(devices) == 0 {
		return err
	}
	for by, r := range taken {
		if len(devices[by.subscriberID]) > 0 {
			ids = append(ids, r.ids...)
		}
	}
	lately, err := publishedSince(ctx, d.DB, ids, d.Now().Add(-readLately))
	if err != nil {
		return err
	}
	var turns []turn
	for by, r := range taken {
		r.ids = slices.DeleteFunc(r.ids, func(id core.ID) bool { return !lately[id] })
		for _, device := range devices[by.subscriberID] {
			if !device.isOf(by) {
				turns = append(turns, r.turns(device, d.Now())...)
			}
		}
	}
	return d.insertAndWake(ctx, turns)
}

// turns returns the turns that push a reading to a device.
func (r *reading) turns(to silentDevice, at time.Time) (turns []turn) {
	add := func(args readArgs) {
		args.DeviceID, args.At = to.ID, at
		turns = append(turns, turn{Queue: queueOf(to.Service), Owner: to.SubscriberID, Service: to.Service,
			Kind: kindRead, Devices: 1, Args: asJSON(args)})
	}
	if r.all {
		add(readArgs{})
	}
	for _, id := range r.channels {
		add(readArgs{ChannelID: &id})
	}
	for some := range slices.Chunk(r.ids, readAtOnce) {
		add(readArgs{Notifications: pack(some)})
	}
	return turns
}

// silentDevice is a device to which a push may show nothing.
type silentDevice struct {
	ID            core.ID  `bun:"id"`
	SubscriberID  core.ID  `bun:"subscriber_id"`
	SessionID     *core.ID `bun:"session_id"`
	AccessTokenID *core.ID `bun:"access_token_id"`
	Service       string   `bun:"service"`
}

// isOf reports whether it is the device on which the reader reads.
func (d silentDevice) isOf(by reader) bool {
	return d.SessionID != nil && *d.SessionID == by.by || d.AccessTokenID != nil && *d.AccessTokenID == by.by
}

// silentDevices finds the devices of people, by person, without those of browsers: they all count pushes after which
// nothing is shown, see docs/devices.md.
func silentDevices(ctx context.Context, db bun.IDB, people []core.ID) (map[core.ID][]silentDevice, error) {
	var rows []silentDevice
	err := db.NewSelect().Table("devices").
		Column("id", "subscriber_id", "session_id", "access_token_id", "service").
		Where("subscriber_id = any (?::uuid[])", pgdialect.Array(people)).
		Where("retired_at is null").Where("platform <> 'web'").Scan(ctx, &rows)
	byPerson := map[core.ID][]silentDevice{}
	for _, r := range rows {
		byPerson[r.SubscriberID] = append(byPerson[r.SubscriberID], r)
	}
	return byPerson, postgres.Error(err)
}

// publishedSince finds those of the notifications that were published since a time.
func publishedSince(ctx context.Context, db bun.IDB, ids []core.ID, since time.Time) (map[core.ID]bool, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	var rows []core.ID
	err := db.NewSelect().Table("notifications").Column("id").Where("id = any (?::uuid[])", pgdialect.Array(ids)).
		Where("published_at > ?", since).Scan(ctx, &rows)
	found := make(map[core.ID]bool, len(rows))
	for _, id := range rows {
		found[id] = true
	}
	return found, postgres.Error(err)
}

// kindRead is the kind of turns that push to a device what was read on another: notifications, all of a channel, or
// all.
const kindRead = "read"

type readArgs struct {
	DeviceID      core.ID   `json:"deviceId"`
	Notifications []byte    `json:"notifications,omitempty"` // packed ids
	ChannelID     *core.ID  `json:"channelId,omitempty"`
	At            time.Time `json:"at"`
}

// pushReadings pushes to the devices, and parks the turns of those whose push service does not take it now.
func (d *Dispatcher) pushReadings(ctx context.Context, run []*turn) (closed time.Duration, err error) {
	r, read, ids := d.newRun(run, noteDevices), make([]readArgs, len(run)), make([]core.ID, len(run))
	for i, t := range run {
		if err := json.Unmarshal(t.Args, &read[i]); err != nil {
			return 0, err
		}
		ids[i] = read[i].DeviceID
	}
	var rows []address
	err = d.DB.NewSelect().TableExpr("devices d").ColumnExpr("d.id as device_id, "+pushColumns).
		Where("d.id = any (?::uuid[])", pgdialect.Array(ids)).Where("d.retired_at is null").Scan(ctx, &rows)
	if err != nil {
		return 0, postgres.Error(err)
	}
	to := map[core.ID]address{}
	for _, a := range rows {
		to[a.DeviceID] = a
	}
	for i, args := range read {
		push := core.NewReading(unpack(args.Notifications), args.ChannelID, args.At)
		if a, ok := to[args.DeviceID]; ok && d.Now().Before(push.Expires) {
			r.items = append(r.items, &item{address: a, push: &push, turn: run[i], targets: []target{{}}})
		}
	}
	return r.do(ctx)
}
