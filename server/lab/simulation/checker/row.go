package checker

import (
	"strings"
	"time"

	"github.com/sininho/sininho/server/lab/simulation/history"
)

// row is a notification as it was in the end, with its registers.
type row struct {
	history.Event
	label   *label
	visible *register[bool]
	title   *register[string]
	people  map[string]*receipt
}

// receipt is what a person did with a notification.
type receipt struct{ read, archived *register[bool] }

// label is everything that was asked for a notification. Its name is the title with which it was published, which no
// other notification has.
type label struct {
	name     string
	ops      []op
	item     history.Item // of a batch
	expires  *time.Time
	schedule *time.Time
	from     time.Duration // of the first attempt
	to       time.Duration // of the first that was acknowledged
}

// labelOf returns the label of a title, which a correction has extended.
func labelOf(title string) string {
	name, _, _ := strings.Cut(title, history.Correction)
	return name
}

// readLabels gathers the attempts to publish each notification.
func (j *judge) readLabels() {
	add := func(o op, item history.Item) {
		l := j.labels[item.Title]
		if l == nil {
			l = &label{name: item.Title, item: item, from: o.from, to: never, expires: o.Expires, schedule: o.Scheduled}
			j.labels[l.name] = l
		}
		l.ops = append(l.ops, o)
		if o.done() {
			l.to = min(l.to, o.to)
		}
	}
	j.of(func(o op) {
		if o.Kind == history.Publish {
			add(o, history.Item{Title: o.Title, ExternalID: o.ExternalID})
		}
		for _, item := range o.Items {
			add(o, item)
		}
	}, history.Publish, history.Batch)
}

// channel is where a label was published to.
func (l *label) channel() string { return l.ops[0].Channel }

// important reports whether the notification was published as important.
func (l *label) important() bool { return l.ops[0].Important }

// maybe reports whether an attempt may have succeeded.
func (l *label) maybe() bool {
	for _, o := range l.ops {
		if o.maybe() {
			return true
		}
	}
	return false
}

// readRows makes the registers of each notification.
func (j *judge) readRows() {
	shown := map[string]time.Duration{} // when a stream first showed a notification
	for _, e := range j.all(history.Message) {
		if _, ok := shown[e.ID]; !ok && e.Event == "notification" {
			shown[e.ID] = e.At
		}
	}
	for id, r := range j.rows {
		r.visible, r.title, r.people = newRegister(false), newRegister(""), map[string]*receipt{}
		if r.label = j.labels[labelOf(r.Title)]; r.label == nil {
			r.label = &label{name: r.Title, to: never, ops: []op{{Event: r.Event}}} // a phantom
		}
		from, to := r.label.from, r.label.to
		if at := r.label.schedule; at != nil {
			from, to = max(from, j.wall(*at)-j.ahead), never
		}
		if at, ok := shown[id]; ok {
			to = min(to, at)
		}
		r.title.write(r.label.from, min(to, r.label.to), r.label.name, true)
		if r.Published != nil {
			r.visible.write(from, to, true, true)
		}
		if at := r.label.expires; at != nil {
			r.visible.write(max(from, j.wall(*at)-j.ahead), never, false, false)
		}
	}
	j.of(func(o op) {
		switch r := j.rows[o.ID]; {
		case r == nil:
		case o.Kind == history.Withdraw:
			r.visible.writeOp(o, false)
		default:
			r.title.writeOp(o, o.Title)
		}
	}, history.Withdraw, history.Correct)
	j.readReceipts()
}

// published returns when a row surely is published, and when it may be at the earliest.
func (r *row) published() (from, to time.Duration) {
	for _, w := range r.visible.writes {
		if w.value {
			return w.from, w.to
		}
	}
	return r.label.from, never
}

// person returns the registers of a person.
func (r *row) person(name string) *receipt {
	p := r.people[name]
	if p == nil {
		p = &receipt{read: newRegister(true), archived: newRegister(false)}
		p.read.write(r.publishedWrite())
		r.people[name] = p
	}
	return p
}

// publishedWrite is the publication as a write to whether a person has read the notification.
func (r *row) publishedWrite() (from, to time.Duration, read, sure bool) {
	from, to = r.published()
	return from, to, false, true
}

// readFollows makes the registers of subscriptions.
func (j *judge) readFollows() {
	j.of(func(o op) { j.follow(o.Person, o.Channel).writeOp(o, o.Kind == history.Follow) },
		history.Follow, history.Unfollow)
	j.of(func(o op) {
		if may, must := j.begins(o); may { // who follows again has the bell that they had
			j.bell(o.Person, o.Channel).write(o.from, o.to, "all", must)
			j.mute(o.Person, o.Channel).write(o.from, o.to, false, must)
		}
	}, history.Follow)
	j.of(func(o op) { j.bell(o.Person, o.Channel).writeOp(o, o.Bell) }, history.Bell)
	j.of(func(o op) { j.mute(o.Person, o.Channel).writeOp(o, o.Muted) }, history.Mute)
}

// begins reports whether a person may have, and whether they surely have, followed the channel for the first time.
func (j *judge) begins(follow op) (may, must bool) {
	may, must = follow.maybe(), follow.done()
	for _, w := range j.follow(follow.Person, follow.Channel).writes {
		if w.value && w.from != follow.from && w.from <= follow.to {
			may, must = may && !(w.sure && w.to < follow.from), false
		}
	}
	return may, must
}

func (j *judge) follow(person, channel string) *register[bool] {
	return at(j.follows, person, channel, false)
}

func (j *judge) bell(person, channel string) *register[string] {
	return at(j.bells, person, channel, "all")
}

func (j *judge) mute(person, channel string) *register[bool] {
	return at(j.mutes, person, channel, false)
}

func at[T comparable](all map[[2]string]*register[T], person, channel string, first T) *register[T] {
	key := [2]string{person, channel}
	if all[key] == nil {
		all[key] = newRegister(first)
	}
	return all[key]
}

// readReceipts makes the registers of what people did with notifications.
func (j *judge) readReceipts() {
	j.of(func(o op) {
		if r := j.rows[o.ID]; r != nil {
			r.person(o.Person).read.writeOp(o, o.Kind == history.Read)
		}
	}, history.Read, history.Unread)
	j.of(func(o op) {
		if r := j.rows[o.ID]; r != nil {
			r.person(o.Person).archived.writeOp(o, o.Kind == history.Archive)
		}
	}, history.Archive, history.Restore)
	j.of(func(o op) { // everything that is there is read
		for _, r := range j.rows {
			if o.maybe() && (o.Channel == r.Channel || o.Channel == "") {
				follows := j.follow(o.Person, r.Channel).between(o.from, o.to)
				if follows.may(true) {
					r.person(o.Person).read.write(o.from, o.to, true, o.done() && follows.must(true))
				}
			}
		}
	}, history.ReadAll)
	j.of(func(o op) { // and so is the history of a channel that somebody begins to follow
		may, must := j.begins(o)
		for _, r := range j.rows {
			if may && o.Channel == r.Channel {
				r.person(o.Person).read.write(o.from, o.to, true, must)
			}
		}
	}, history.Follow)
}
