package sampledata

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// history is the age of the oldest data.
const history = 365 * 24 * time.Hour

// kind is a kind of row. It keeps the ids and dice of one kind apart from those of the others.
type kind uint64

const (
	kindCategory kind = iota + 1
	kindPublisher
	kindChannel
	kindPerson
	kindDevice
	kindSession
	kindNotification
	kindSubscription
	kindReceipt
	kindAPIKey
)

// generator makes rows. Each kind has dice of its own, so tables can be made in any order and at the same time.
type generator struct {
	sizes  Sizes
	seed   uint64
	now    time.Time
	people int // with the measured readers, who come last

	channelOf []int32   // of each notification
	inChannel [][]int32 // the notifications of each channel, oldest first
	ordinals  []int64   // of each notification
	heads     []head    // of each channel
	followers []int     // of each ordinary channel, without readers
}

func newGenerator(c Config) *generator {
	g := &generator{sizes: c.Sizes, seed: c.Seed, now: c.Now.UTC().Truncate(time.Microsecond)}
	g.people = g.sizes.Devices + len(readerChannels)
	g.drawChannels()
	g.number()
	g.drawFollowers()
	return g
}

func (g *generator) dice(k kind) *rand.Rand {
	return rand.New(rand.NewPCG(g.seed, uint64(k)))
}

// drawChannels gives each notification its channel, by Zipf: the channel of rank n gets 1/n of what the first one gets.
func (g *generator) drawChannels() {
	shares := make([]float64, g.sizes.Channels)
	sum := 0.0
	for i := range shares {
		sum += 1 / float64(i+1)
		shares[i] = sum
	}
	dice := g.dice(kindNotification)
	g.channelOf = make([]int32, g.sizes.Notifications)
	g.inChannel = make([][]int32, g.sizes.Channels)
	for i := range g.channelOf {
		c, _ := slices.BinarySearch(shares, dice.Float64()*sum)
		g.channelOf[i] = int32(c)
		g.inChannel[c] = append(g.inChannel[c], int32(i))
	}
}

// published returns the time of a notification. The more recent, the closer they are together.
func (g *generator) published(notification int) time.Time {
	left := 1 - float64(notification+1)/float64(g.sizes.Notifications+1)
	return g.now.Add(-time.Duration(math.Pow(left, 1.5) * float64(history))).Truncate(time.Microsecond)
}

// since returns the time at which the nth of many was created, at an even pace.
func (g *generator) since(n, many int) time.Time {
	left := 1 - float64(n+1)/float64(many+1)
	return g.now.Add(-time.Duration(left * float64(history))).Truncate(time.Microsecond)
}

// id returns the UUIDv7 of a row.
func (g *generator) id(k kind, n int, at time.Time) core.ID {
	var id core.ID
	binary.BigEndian.PutUint64(id[:8], uint64(at.UnixMilli())<<16)
	random := g.mix(k, n)
	id[6], id[7] = 0x70|byte(random>>60), byte(random>>52&0xff)
	binary.BigEndian.PutUint64(id[8:], mix(random))
	id[8] = id[8]&0x3f | 0x80
	return id
}

// mix returns a number that looks random and is always the same for the same row.
func (g *generator) mix(k kind, n int) uint64 {
	return mix(mix(g.seed^uint64(k)<<56) + uint64(n))
}

// mix is the finalizer of splitmix64.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
