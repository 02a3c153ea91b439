package simulation

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/simulation/history"
	"github.com/sininho/sininho/server/lab/standin/fcm"
)

// patience is how long a run waits for something that must come. What has not come by then is missing.
const patience = 30 * time.Second

// await waits until something is true, or patience ends.
func await(ok func() bool) {
	for until := time.Now().Add(patience); !ok() && time.Now().Before(until); {
		time.Sleep(50 * time.Millisecond)
	}
}

// settle waits until what is due, or soon will be, is published or gone, publishes a last notification to each channel,
// and waits until it is on every stream.
func (r *run) settle() {
	await(func() bool {
		return one[int](r.db, `
			select count(*) from notifications where withdrawn_at is null and (
				published_at is null and scheduled_at <= now() + interval '3 seconds' or
				visible and expires_at <= now() + interval '3 seconds')`) == 0
	})
	for _, s := range r.streams {
		s.reconnect()
	}
	last := r.publisher("last")
	for c := range channelCount {
		last.publish(step{Channel: c, Node: c})
	}
	r.awaitStreams(r.streams)
}

// awaitStreams waits until streams have come to the last change that they must have.
func (r *run) awaitStreams(streams []*stream) {
	for _, s := range streams {
		condition := "where c.slug = '" + channel(s.draw.Channel) + "'"
		if s.draw.Person >= 0 {
			condition = "join subscriptions s on s.channel_id = c.id join subscribers p on p.id = s.subscriber_id " +
				"where p.name = '" + person(s.draw.Person) + "'"
		}
		// Without what has just expired: of that nobody knows whether a stream must have it yet.
		position := one[int64](r.db, `
			select coalesce(max(n.position), 0) from notifications n join channels c on c.id = n.channel_id `+condition+
			" and n.title like 'last-%'")
		await(func() bool { return s.reaches(position) })
		r.history.Add(history.Event{Type: history.Note, Kind: history.Awaited, Process: s.name,
			Value: history.Value{Position: position}})
	}
}

// observe reads everything at each node, stops all, and reads again at one that starts anew, when every dispatch is
// finished.
func (r *run) observe(ctx context.Context) {
	for node := range nodeCount {
		r.readAll(node)
	}
	var stopping sync.WaitGroup
	for node := range nodeCount {
		stopping.Go(func() { r.stop(node) })
	}
	stopping.Wait()
	r.note(history.Restarted, history.Value{})
	r.moveUp("running", "scheduled", "retryable") // nothing runs any more
	r.db.exec("update turns set due_at = now() where parked")
	r.cluster.Nodes[0].Start()
	await(func() bool {
		if one[int](r.db, "select count(*) from dispatches where finished_at is null") == 0 {
			return true
		}
		r.moveUp("scheduled", "retryable")
		return false
	})
	r.replay(ctx)
	r.readAll(0)
}

// moveUp makes due what would be so later, as if time had passed: jobs in some states, turns, the wait of a device, and
// the end of a pause of the push service.
func (r *run) moveUp(states ...string) {
	r.db.exec("update river_job set state = 'available', scheduled_at = now() where state::text = any ($1)", states)
	r.db.exec(
		"update turns set due_at = now() where parked and due_at > now() + interval '21 seconds'",
	) // not under way
	r.db.exec("update devices set retry_at = null where retry_at is not null")
	r.db.exec("update pacers set paused_until = null")
	r.db.exec("update dispatches set check_at = now() where finished_at is null")
}

// replay reads streams from their beginning.
func (r *run) replay(ctx context.Context) {
	ctx, stop := context.WithCancel(ctx)
	var reading sync.WaitGroup
	var streams []*stream
	for _, of := range r.draw.Streams {
		s := r.stream("replay of the "+streamName(of), streamDraw{Person: of.Person, Channel: of.Channel, Replay: true})
		streams = append(streams, s)
		reading.Go(func() { s.read(ctx) })
	}
	r.awaitStreams(streams)
	stop()
	reading.Wait()
}

// readAll reads everything at a node.
func (r *run) readAll(node int) {
	for _, f := range r.followers {
		for _, limit := range limits {
			f.page(step{Node: node, Do: history.Feed, Limit: limit})
			f.page(step{Node: node, Do: history.UnreadFeed, Limit: limit})
		}
		f.subscriptions(node)
	}
	for c := range channelCount {
		for _, limit := range limits {
			r.followers[0].page(step{Node: node, Do: history.List, Channel: c, Limit: limit})
		}
		r.followers[0].channel(node, channel(c))
	}
}

// rows records what is in the database and at the push service.
func (r *run) rows() {
	for _, q := range []struct{ kind, sql string }{
		{history.Notification, `
			select json_build_object('id', n.id, 'channel', c.slug, 'title', n.title,
				'externalId', coalesce(n.external_id, ''), 'published', n.published_at, 'visible', n.visible,
				'position', coalesce(n.position, 0), 'latest', coalesce(n.stream_position, 0))::text
			from notifications n join channels c on c.id = n.channel_id`},
		{history.Delivery, `
			select json_build_object('id', notification_id, 'device', device_id, 'outcome', outcome,
				'cause', coalesce(cause, ''))::text from deliveries`},
		{history.Device, `
			select json_build_object('device', d.id, 'person', p.name, 'address', d.address,
				'key', d.installation_id, 'cause', coalesce(d.retired_cause, ''))::text
			from devices d join subscribers p on p.id = d.subscriber_id`},
		{history.Dispatch, `
			select json_build_object('id', notification_id, 'finished', finished_at is not null,
				'total', targeted, 'accepted', coalesce(accepted, 0))::text from dispatches`},
	} {
		r.record(q.kind, q.sql)
	}
	for _, s := range r.cluster.FCM.Sent(0, "") {
		if e := pushed(r, s); e.Value.Title != confirmation {
			r.history.AddAt(r.history.At(s.At), e)
		}
	}
}

// record records the JSON that a query selects.
func (r *run) record(kind, sql string) {
	lines := all[string](r.db, sql)
	for _, line := range lines {
		e := history.Event{Type: history.Final, Kind: kind}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			r.t.Fatalf("read %s: %v", kind, err)
		}
		r.history.Add(e)
	}
}

// confirmation is the title of the push to a new address of a device, which is of no notification.
var confirmation = core.NewConfirmation(core.ID{}, core.Portuguese, time.Time{}).Title

func pushed(r *run, s fcm.Sent) history.Event {
	var message struct {
		Data         struct{ ID, Revision string }
		Notification struct{ Title string }
		Webpush      struct{ Notification struct{ Tag string } }
	}
	if err := json.Unmarshal(s.Message, &message); err != nil {
		r.t.Errorf("message of a push: got %s, want JSON: %v", s.Message, err)
	}
	return history.Event{Type: history.Final, Kind: history.Push, ID: message.Data.ID, Value: history.Value{
		Address: s.Token, Title: message.Notification.Title, Tag: message.Webpush.Notification.Tag,
		Revision: message.Data.Revision}}
}

// summary says what a run was.
func summary(events []history.Event) string {
	operations, faults := 0, 0
	as := map[history.Type]int{}
	kinds := map[string]int{}
	for _, e := range events {
		switch {
		case e.Op > 0 && e.Type != history.Invoke:
			as[e.Type]++
			operations++
		case e.Kind == history.Fault:
			faults++
		case e.Type == history.Final || e.Kind == history.Message:
			kinds[e.Kind]++
		}
	}
	return fmt.Sprintf(
		"%d operations %v, %d faults, %d notifications, %d deliveries, %d pushes, %d stream events",
		operations, as, faults, kinds[history.Notification], kinds[history.Delivery], kinds[history.Push],
		kinds[history.Message])
}
