package checker

import (
	"fmt"
	"time"

	"github.com/sininho/sininho/server/lab/simulation/history"
)

// checkReads checks every page of a feed or list, and every list of subscriptions, against the registers.
func (j *judge) checkReads() {
	j.of(func(o op) {
		if o.done() {
			j.checkPage(o)
		}
	}, history.Feed, history.UnreadFeed, history.List)
	j.of(func(o op) {
		if o.done() {
			j.checkSubscriptions(o)
		}
	}, history.Subscriptions)
	j.of(func(o op) {
		if o.done() {
			j.checkFollowers(o)
		}
	}, history.Channel)
}

// belonging says whether a notification surely is, or may be, in what a person reads.
type belonging struct{ must, may, mustUnread, mayUnread bool }

// belongs returns whether a notification belongs to what an operation reads.
func (j *judge) belongs(o op, r *row) (b belonging) {
	b = belonging{must: true, may: true, mustUnread: true, mayUnread: true}
	need := func(v values[bool], want bool) {
		b.must, b.may = b.must && v.must(want), b.may && v.may(want)
	}
	need(r.visible.between(o.from, o.to), true)
	if o.Kind == history.List {
		if o.Channel != r.Channel {
			b.must, b.may = false, false
		}
		return b
	}
	need(j.follow(o.Person, r.Channel).between(o.from, o.to), true)
	need(r.person(o.Person).archived.between(o.from, o.to), false)
	read := r.person(o.Person).read.between(o.from, o.to)
	b.mustUnread, b.mayUnread = b.must && read.must(false), b.may && read.may(false)
	if o.Kind == history.UnreadFeed {
		b.must, b.may = b.mustUnread, b.mayUnread
	}
	return b
}

func (j *judge) checkPage(o op) {
	where := func() string {
		return fmt.Sprintf("%s of %s%s at %s after %s", o.Kind, o.Person, o.Channel, o.Node,
			o.from.Round(time.Millisecond))
	}
	page, seen := o.got.Items, map[string]bool{}
	for i, item := range page {
		r := j.rows[item.ID]
		if seen[item.ID] {
			j.breach("duplicate", "%s is twice in the %s", item.Title, where())
		}
		seen[item.ID] = true
		if i > 0 && !newestFirst(page[i-1], item) {
			j.breach("order", "%s before %s in the %s", page[i-1].Title, item.Title, where())
		}
		switch {
		case r == nil:
			j.breach("phantom", "%s %s in the %s", item.Title, item.ID, where())
			continue
		case !j.belongs(o, r).may:
			j.breach("not due", "%s is in the %s", item.Title, where())
		case !r.title.between(o.from, o.to).may(item.Title):
			j.breach("corrections", "%s is in the %s, want one of %v", item.Title, where(),
				r.title.between(o.from, o.to))
		case o.Kind != history.List && !r.person(o.Person).read.between(o.from, o.to).may(item.Read):
			j.breach("read marks", "%s has read %t in the %s", item.Title, item.Read, where())
		}
	}
	j.checkComplete(o, where, seen)
}

// checkComplete checks that nothing is missing on a page, and that its counts are possible.
func (j *judge) checkComplete(o op, where func() string, seen map[string]bool) {
	page := o.got.Items
	var least, most, leastUnread, mostUnread int
	for id, r := range j.rows {
		b := j.belongs(o, r)
		least, most = least+count(b.must), most+count(b.may)
		leastUnread, mostUnread = leastUnread+count(b.mustUnread), mostUnread+count(b.mayUnread)
		older := len(page) >= o.Limit && r.Published != nil &&
			!r.Published.After(page[len(page)-1].Published)
		if b.must && !seen[id] && !older {
			j.breach("missing", "%s %s is not in the %s", r.Title, id, where())
		}
	}
	if o.got.Total < least || o.got.Total > most {
		j.breach("totals", "%d in the %s, want %d to %d", o.got.Total, where(), least, most)
	}
	if o.Kind != history.List && (o.got.Unread < leastUnread || o.got.Unread > mostUnread) {
		j.breach("unread counts", "%d in the %s, want %d to %d", o.got.Unread, where(), leastUnread, mostUnread)
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// newestFirst reports whether a item may be before b on a page.
func newestFirst(a, b history.Item) bool {
	return a.Published.After(b.Published) || a.Published.Equal(b.Published) && a.ID > b.ID
}

func (j *judge) checkSubscriptions(o op) {
	listed := map[string]bool{}
	for _, got := range o.got.Items {
		listed[got.Channel] = true
		if !j.follow(o.Person, got.Channel).between(o.from, o.to).may(true) {
			j.breach("subscriptions", "%s follows %s at %s, and should not", o.Person, got.Channel, o.Node)
		}
		j.checkSubscription(o, got)
	}
	for key, follows := range j.follows {
		person, channel := key[0], key[1]
		if person == o.Person && !listed[channel] && follows.between(o.from, o.to).must(true) {
			j.breach("subscriptions", "%s does not follow %s at %s, and should", person, channel, o.Node)
		}
	}
}

func (j *judge) checkSubscription(o op, got history.Item) {
	if v := j.bell(o.Person, got.Channel).between(o.from, o.to); !v.may(got.Bell) {
		j.breach("bells", "%s has %s for %s, want one of %v", o.Person, got.Bell, got.Channel, v)
	}
	if v := j.mute(o.Person, got.Channel).between(o.from, o.to); !v.may(got.Muted) {
		j.breach("bells", "%s has muted %s: %t, want %v", o.Person, got.Channel, got.Muted, v)
	}
	least, most := 0, 0
	for _, r := range j.rows {
		if r.Channel == got.Channel {
			b := j.belongs(op{Event: history.Event{Kind: history.Feed, Person: o.Person}, from: o.from, to: o.to}, r)
			least, most = least+count(b.mustUnread), most+count(b.mayUnread)
		}
	}
	if got.Unread < least || got.Unread > most {
		j.breach("unread counts", "%d of %s for %s at %s, want %d to %d", got.Unread, got.Channel, o.Person, o.Node,
			least, most)
	}
}

// checkFollowers checks the number of a channel's followers.
func (j *judge) checkFollowers(o op) {
	least, most := 0, 0
	for key, follows := range j.follows {
		if key[1] == o.Channel {
			v := follows.between(o.from, o.to)
			least, most = least+count(v.must(true)), most+count(v.may(true))
		}
	}
	if o.got.Total < least || o.got.Total > most {
		j.breach("totals", "%d followers of %s at %s, want %d to %d", o.got.Total, o.Channel, o.Node, least, most)
	}
}
