package sampledata

import (
	"math/rand/v2"
	"time"
)

const (
	readerReceipts = 30 // of each reader, of which readerArchived are archived
	readerArchived = 5
	recent         = 50 // notifications of a channel that people have touched
)

// receiptRows makes receipts of a quarter of the subscriptions, and those of the readers.
func (g *generator) receiptRows(yield func([]any) bool) {
	dice := g.dice(kindReceipt)
	for c, all := range g.inChannel {
		if len(all) == 0 {
			continue
		}
		for n := range g.count(c) {
			if dice.IntN(4) > 0 {
				continue
			}
			i := int(all[len(all)-1-dice.IntN(min(recent, len(all)))])
			if g.state(i).visible() && !yield(g.receipt(dice, g.follower(c, n), i)) {
				return
			}
		}
	}
	for r := range readerChannels {
		if !g.readerReceipts(r, yield) {
			return
		}
	}
}

// receipt says that a person has read, archived or marked a notification as unread.
func (g *generator) receipt(dice *rand.Rand, person, notification int) []any {
	at := g.published(notification)
	at = at.Add(g.now.Sub(at) / 3)
	var read *bool
	var readAt, archived, opened *time.Time
	switch roll := dice.IntN(100); {
	case roll < 75:
		read, readAt = new(true), &at
	case roll < 80:
		read = new(false)
	case roll < 95:
		read, readAt, archived = new(true), &at, &at
	}
	if read != nil && *read && dice.IntN(10) < 3 {
		opened = &at
	}
	return []any{raw(g.personID(person)), raw(g.notificationID(notification)), read, readAt, archived, opened}
}

// readerReceipts makes the receipts of a measured reader, spread over the channels that they follow.
func (g *generator) readerReceipts(reader int, yield func([]any) bool) bool {
	made, id := 0, raw(g.personID(g.reader(reader)))
	for _, c := range g.readerFollows(reader) {
		for _, i := range beforeLast(g.inChannel[c], 1+readerReceipts/readerChannels[reader]) {
			if made == readerReceipts {
				return true
			}
			if !g.state(int(i)).visible() {
				continue
			}
			at := g.published(int(i))
			var archived *time.Time
			if made < readerArchived {
				archived = &at
			}
			made++
			// The subscription says that it is read.
			if !yield([]any{id, raw(g.notificationID(int(i))), nil, at, archived, nil}) {
				return false
			}
		}
	}
	return true
}

// beforeLast returns up to n notifications before the last two, which stay as the subscription says.
func beforeLast(list []int32, n int) []int32 {
	end := max(0, len(list)-2)
	return list[max(0, end-n):end]
}
