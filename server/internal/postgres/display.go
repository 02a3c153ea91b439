package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// display is a person and a notification that was displayed to them. The device is zero if it is not known.
type display struct{ subscriberID, notificationID, deviceID core.ID }

// GatherDisplays makes each transaction that records displays begin at least that long after the one before, so that
// very many people share it. Without it they share one only while another is under way.
func (s *Store) GatherDisplays(every time.Duration) { s.displays.group.Every = every }

// RecordDisplayed implements core.FeedStore.
func (s *Store) RecordDisplayed(
	ctx context.Context, subscriberID core.ID, deviceID *core.ID, notificationIDs []core.ID,
) error {
	displays := make([]display, len(notificationIDs))
	for i, id := range notificationIDs {
		displays[i] = display{subscriberID: subscriberID, notificationID: id}
		if deviceID != nil {
			displays[i].deviceID = *deviceID
		}
	}
	recorded, err := s.displays.getAll(ctx, displays...)
	if err != nil {
		return Error(err)
	}
	for _, d := range displays {
		if _, ok := recorded[d]; ok {
			return nil
		}
	}
	return core.NotFound()
}

// recordDisplays inserts one row for all displays of notifications that are in the feed of their subscriber, and
// returns those. It also notes which devices show pushes, in one order, so that two nodes do not wait for each other.
func (s *Store) recordDisplays(ctx context.Context, displays []display) (map[display]struct{}, error) {
	subscribers, notifications, devices := columnsOf(displays)
	rows, err := Hot[struct{ SubscriberID, NotificationID, DeviceID core.ID }](ctx, s.db, `
		with displayed as materialized (
			select s.subscriber_id, n.id as notification_id, v.device_id,
				(select number from subscribers where id = s.subscriber_id) as person
			from unnest($1::uuid[], $2::uuid[], $3::uuid[]) v (subscriber_id, notification_id, device_id)
			join notifications n on n.id = v.notification_id and n.visible`+joinSubscription("v.subscriber_id")+`
			where `+isShown+`
		), added as (
			insert into new_displays (notification_ids, people)
			select array_agg(notification_id order by notification_id, person),
				array_agg(person order by notification_id, person)
			from (select distinct notification_id, person from displayed) d having count(*) > 0
		), showing as (
			select id from devices
			where id = any ($3::uuid[]) and (coalesce(shown_at < now() - $4 * interval '1 second', true)
				or unshown_since is not null or id in (
					select device_id from unnest($3::uuid[]) v (device_id)
					except all select device_id from displayed))
			order by id for no key update
		), shown as (
			update devices d set shown_at = now(), unshown_since = null from showing where d.id = showing.id
		)
		select subscriber_id, notification_id, device_id from displayed`, UUIDs(subscribers), UUIDs(notifications),
		UUIDs(devices), core.DeviceShownEvery.Seconds())
	recorded := make(map[display]struct{}, len(rows))
	for _, r := range rows {
		recorded[display{r.SubscriberID, r.NotificationID, r.DeviceID}] = struct{}{}
	}
	return recorded, err
}

func columnsOf(displays []display) (subscribers, notifications, devices []core.ID) {
	for _, d := range displays {
		subscribers, notifications = append(subscribers, d.subscriberID), append(notifications, d.notificationID)
		devices = append(devices, d.deviceID)
	}
	return subscribers, notifications, devices
}

// DisplaysDue is true in SQL when new displays are to be folded: when there are so many that they take long to count,
// or after a time in which most people see what was pushed to them, because each fold writes a row of a notification.
const DisplaysDue = `(
			coalesce((select at < now() - interval '5 minutes' from new_displays order by id limit 1), false)
			or coalesce((select max(id) - min(id) >= 1000 from new_displays), false))`

const (
	displaysLock = 0x53_4e_44_49_53_50 // of the node that folds displays: SNDISP in ASCII
	// foldedDisplays is how many rows of new displays are folded by one statement.
	foldedDisplays = 1_000
	// fullDisplays is to how many people's numbers more are added: a larger row would be stored apart, and wholly
	// written again for each change.
	fullDisplays = 400
)

// FoldDisplays moves what was displayed to where each notification has a number once. One node does it at a time,
// because two would not see what the other adds.
func (s *Store) FoldDisplays(ctx context.Context) error {
	for folded := foldedDisplays; folded == foldedDisplays; {
		err := s.tx(ctx, func(ctx context.Context, tx Tx) error {
			if err := Unlimited(ctx, tx); err != nil {
				return err
			}
			var locked bool
			folded = 0
			err := tx.NewSelect().ColumnExpr("pg_try_advisory_xact_lock(?)", int64(displaysLock)).Scan(ctx, &locked)
			if err != nil || !locked {
				return err
			}
			return tx.NewRaw(foldDisplays, foldedDisplays, fullDisplays).Scan(ctx, &folded)
		})
		if err != nil {
			return fmt.Errorf("fold displays: %w", Error(err))
		}
	}
	return nil
}

// foldDisplays is raw because it moves a number of rows. What is there of each notification is looked up in the index,
// because PostgreSQL might read all displays otherwise. Displays of deleted notifications are dropped.
const foldDisplays = `
	with taken as (
		delete from new_displays where id in (select id from new_displays order by id limit ?0)
		returning notification_ids, people
	), pairs as materialized (
		select distinct v.notification_id, v.person
		from taken cross join lateral unnest(notification_ids, people) v (notification_id, person)
	), fresh as (
		select notification_id, person from pairs
		except
		select n.notification_id, unnest(d.people)
		from (select distinct notification_id from pairs) n cross join lateral (
			select people from displays where notification_id = n.notification_id offset 0) d
	), parts as materialized (
		select f.notification_id, f.people, l.part, coalesce(l.count < ?1, false) as added
		from (select notification_id, array_agg(person order by person) as people from fresh group by 1) f
		join notifications n on n.id = f.notification_id
		left join lateral (
			select part, count from displays where notification_id = f.notification_id
			order by part desc limit 1) l on true
	), changed as (
		update displays d set people = d.people || p.people
		from parts p where p.added and d.notification_id = p.notification_id and d.part = p.part
	), inserted as (
		insert into displays (notification_id, part, people)
		select notification_id, coalesce(part + 1, 0), people from parts where not added
	)
	select count(*) from taken`
