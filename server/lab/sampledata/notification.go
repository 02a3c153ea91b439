package sampledata

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// state is what has become of a notification.
type state int

const (
	statePublished state = iota
	stateWithdrawn
	stateExpired
	stateEdited
	stateExpiring  // published, and expires later
	stateScheduled // not published yet
)

// state returns the state of a notification, by chance.
func (g *generator) state(notification int) state {
	switch roll := g.mix(kindNotification, notification) % 1000; {
	case roll < 8:
		return stateWithdrawn
	case roll < 20:
		return stateExpired
	case roll < 40:
		return stateEdited
	case roll < 60:
		return stateExpiring
	case roll < 61:
		return stateScheduled
	default:
		return statePublished
	}
}

func (s state) visible() bool { return s != stateWithdrawn && s != stateExpired && s != stateScheduled }

// changed reports whether the stream has a change after the publication.
func (s state) changed() bool { return s == stateWithdrawn || s == stateExpired || s == stateEdited }

// head is what a channel's row in channel_heads says.
type head struct {
	ordinal, visible, hidden int64
	published                time.Time // the latest
}

// number gives notifications their ordinals, 0 for scheduled ones, and counts them.
func (g *generator) number() {
	g.ordinals = make([]int64, g.sizes.Notifications)
	g.heads = make([]head, g.sizes.Channels)
	for i, c := range g.channelOf {
		h, s := &g.heads[c], g.state(i)
		if s == stateScheduled {
			continue
		}
		h.ordinal++
		h.published = g.published(i) // in order
		g.ordinals[i] = h.ordinal
		if s.visible() {
			h.visible++
		} else {
			h.hidden = h.ordinal
		}
	}
}

func (g *generator) notificationID(notification int) core.ID {
	return g.id(kindNotification, notification, g.published(notification))
}

func (g *generator) notificationRows(yield func([]any) bool) {
	dice, position, changes := g.dice(kindNotification), int64(0), int64(g.sizes.Notifications)
	for i := range g.sizes.Notifications {
		s := g.state(i)
		var first, latest, ordinal *int64
		if s != stateScheduled {
			position++
			first, latest, ordinal = new(position), new(position), new(g.ordinals[i])
		}
		if s.changed() { // all changes come after all publications
			changes++
			latest = new(changes)
		}
		if !yield(append(g.content(dice, i), g.times(i, s, first, latest, ordinal)...)) {
			return
		}
	}
}

// lastPosition returns a position on the stream that is not before any given by notificationRows.
func (g *generator) lastPosition() int64 { return 2 * int64(g.sizes.Notifications) }

// content returns the columns from id to external_id.
func (g *generator) content(dice *rand.Rand, i int) []any {
	channel := int(g.channelOf[i])
	s := subjects[channel%len(subjects)]
	row := make([]any, 0, 20)
	row = append(row, raw(g.notificationID(i)), raw(g.channelID(channel)), s.title(dice), s.body(dice))
	var image, link, external, data *string
	roll := dice.Uint32()
	if roll%100 < 15 {
		image = new(fmt.Sprintf("https://cdn.example.com/imagens/%d.jpg", i))
	}
	if roll>>8%100 < 70 {
		link = new(fmt.Sprintf("https://example.com/%s/%d", s.slug, i))
	}
	if roll>>16%100 < 30 {
		external = new(fmt.Sprintf("%s-%d", s.slug, i))
	}
	if roll>>24 < 25 {
		data = new(fmt.Sprintf(`{"linha": "%d", "origem": "%s"}`, i%9, s.slug))
	}
	importance := core.Normal
	if roll>>4%20 == 0 {
		importance = core.Important
	}
	return append(row, image, link, string(importance), data, external)
}

// times returns the columns from visible to ordinal.
func (g *generator) times(i int, s state, first, latest, ordinal *int64) []any {
	at := g.published(i)
	later := at.Add(g.now.Sub(at) / 2)
	var published, scheduled, expires, edited, withdrawn *time.Time
	if published = &at; s == stateScheduled {
		published, scheduled = nil, new(g.now.Add(30*24*time.Hour+time.Duration(i)*time.Second))
	}
	switch s {
	case stateWithdrawn:
		withdrawn = &later
	case stateExpired:
		expires = &later
	case stateEdited:
		edited = &later
	case stateExpiring:
		expires = new(g.now.Add(7*24*time.Hour + time.Duration(i)*time.Second))
	}
	return []any{s.visible(), published, scheduled, expires, edited, withdrawn, at, first, latest, ordinal}
}

func (g *generator) headRows(yield func([]any) bool) {
	for c, h := range g.heads {
		if h.ordinal > 0 && !yield([]any{raw(g.channelID(c)), h.ordinal, h.visible, h.hidden, 1, h.published}) {
			return
		}
	}
}

// hiddenRows counts the hidden publications of channels in the runs that the trigger of notifications counts.
func (g *generator) hiddenRows(yield func([]any) bool) {
	type run struct {
		channel int32
		level   int
		number  int64
	}
	counts := map[run]int64{}
	for i, c := range g.channelOf {
		if g.ordinals[i] == 0 || g.state(i).visible() {
			continue
		}
		for level := 1; level <= 5; level++ {
			counts[run{c, level, g.ordinals[i] >> (6 * level)}]++
		}
	}
	for r, n := range counts {
		if !yield([]any{raw(g.channelID(int(r.channel))), r.level, r.number, n}) {
			return
		}
	}
}

// dispatchRows makes the finished dispatch of each publication.
func (g *generator) dispatchRows(yield func([]any) bool) {
	for i := range g.sizes.Notifications {
		if g.ordinals[i] == 0 {
			continue
		}
		channel, at := int(g.channelOf[i]), g.published(i)
		devices := g.count(channel)
		if !yield([]any{raw(g.notificationID(i)), raw(g.channelID(channel)),
			raw(g.publisherID(g.publisherOf(channel))), string(core.Normal), at, devices, at, at, at, devices}) {
			return
		}
	}
}
