package sampledata

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// readerChannels are how many channels the measured readers follow. They have no devices.
var readerChannels = []int{1, 10, 50, 100, 1000}

// drawFollowers gives ordinary channels their number of followers, by Zipf, out of what the special ones leave.
func (g *generator) drawFollowers() {
	n := g.ordinary()
	left := g.sizes.Subscriptions
	for c := range g.sizes.Channels {
		if role, _ := g.role(c); role != roleOrdinary {
			left -= g.count(c)
		}
	}
	for _, channels := range readerChannels {
		left -= min(channels, n)
	}
	sum := 0.0
	for rank := range n {
		sum += 1 / float64(rank+1)
	}
	g.followers = make([]int, n)
	share, given := 0.0, 0
	for rank := range n {
		share += float64(max(0, left)) / float64(rank+1) / sum
		g.followers[rank] = min(int(share+0.5)-given, g.citizens())
		given += g.followers[rank] // what is too much for one goes to the next ones
	}
}

// count returns the number of followers of a channel, readers included.
func (g *generator) count(channel int) int {
	switch role, n := g.role(channel); role {
	case roleEveryone:
		return g.countOwners()
	case roleSmall:
		return min(smallFollowers, g.countOwners())
	case roleReach:
		return min(reach(n), g.countOwners())
	case roleQuiet:
		return min(quietFollowers, g.citizens()/8)
	case roleOrdinary:
		return g.followers[n]
	default:
		return 0
	}
}

// follower returns the nth follower of a channel.
func (g *generator) follower(channel, n int) int {
	switch role, _ := g.role(channel); role {
	case roleEveryone, roleSmall, roleReach:
		return nthOwner(n)
	case roleQuiet:
		return withoutDevice + 8*((channel*quietFollowers+n)%(g.citizens()/8))
	default:
		return g.shuffled(channel, n)
	}
}

// shuffled returns the nth person in an order that differs from channel to channel and has everyone once.
func (g *generator) shuffled(channel, n int) int {
	people := g.citizens()
	x := g.mix(kindSubscription, channel)
	first, step := int(x%uint64(people)), int(x>>32%uint64(people))|1
	for gcd(step, people) != 1 {
		step += 2
	}
	return (first + n*step%people) % people
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// reader returns the person who is a measured reader.
func (g *generator) reader(n int) int { return g.citizens() + n }

// readerFollows returns the channels that a reader follows, the most popular ones more probably.
func (g *generator) readerFollows(n int) []int {
	wanted, ordinary := min(readerChannels[n], g.ordinary()), g.ordinary()
	dice := rand.New(rand.NewPCG(g.seed, g.mix(kindSubscription, -1-n)))
	order := make([]int, ordinary)
	weight := make([]float64, ordinary)
	for rank := range ordinary {
		order[rank] = rank
		weight[rank] = dice.ExpFloat64() * float64(rank+1) // the smallest of these are a draw by Zipf
	}
	slices.SortFunc(order, func(a, b int) int {
		if weight[a] < weight[b] {
			return -1
		}
		return 1
	})
	channels := make([]int, wanted)
	for i := range channels {
		channels[i] = order[i] + 1
	}
	return channels
}

func (g *generator) subscriptionRows(yield func([]any) bool) {
	dice := g.dice(kindSubscription)
	for c := range g.sizes.Channels {
		for n := range g.count(c) {
			if !yield(g.subscription(dice, c, g.follower(c, n))) {
				return
			}
		}
	}
	for r := range readerChannels {
		for i, c := range g.readerFollows(r) {
			read := g.heads[c].ordinal
			if i%16 == 0 { // few are unread
				read = max(0, read-2)
			}
			if !yield([]any{raw(g.personID(g.reader(r))), raw(g.channelID(c)), string(core.BellAll), nil,
				g.now.Add(-history / 2), read, g.now.Add(-time.Hour)}) {
				return
			}
		}
	}
}

// subscription makes the subscription of a person, who has read everything or all but the last ones.
func (g *generator) subscription(dice *rand.Rand, channel, person int) []any {
	bell, muted := core.BellAll, (*time.Time)(nil)
	if role, _ := g.role(channel); role == roleOrdinary {
		switch roll := dice.IntN(100); {
		case roll < 3:
			bell = core.BellNone
		case roll < 10:
			bell = core.BellImportant
		case roll < 12:
			muted = new(g.now.Add(24 * time.Hour))
		}
	}
	read := g.heads[channel].ordinal
	if dice.IntN(10) < 4 {
		read = max(0, read-int64(dice.IntN(20)))
	}
	age := time.Duration(dice.Int64N(int64(history)))
	return []any{raw(g.personID(person)), raw(g.channelID(channel)), string(bell), muted, g.now.Add(-age), read,
		g.now.Add(-age / 10)}
}

// countRows makes the number of followers of each channel.
func (g *generator) countRows(yield func([]any) bool) {
	counts := make([]int, g.sizes.Channels)
	for c := range counts {
		counts[c] = g.count(c)
	}
	for r := range readerChannels {
		for _, c := range g.readerFollows(r) {
			counts[c]++
		}
	}
	for c, n := range counts {
		if n > 0 && !yield([]any{raw(g.channelID(c)), int16(0), n}) {
			return
		}
	}
}
