package sampledata

import (
	"fmt"
	"strings"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// The measured publisher has the channels below. Another publisher has only a small channel, too.
const (
	Publisher = "medidas"
	Neighbour = "vizinho"
	Everyone  = "todos"   // followed by everyone with a device
	Small     = "pequeno" // followed by ten people with a device
)

const (
	quiet          = 256 // channels with quietFollowers each, who have no devices
	quietFollowers = 3
	fresh          = 64 // channels without followers
	smalls         = 2  // channels with smallFollowers, one of each publisher
	smallFollowers = 10
	reaches        = 3 // channels followed by 1,000, 10,000 and 100,000 people with a device
)

// Quiet returns the slug of one of 256 channels whose few followers have no devices, so that publishing to it pushes
// nothing.
func Quiet(n int) string { return fmt.Sprintf("canal-%03d", n%quiet) }

// Fresh returns the slug of one of 64 channels that nobody follows.
func Fresh(n int) string { return fmt.Sprintf("novo-%02d", n%fresh) }

// Reach returns the slug of the channel that 1,000 (0), 10,000 (1) or 100,000 (2) people with a device follow, or all
// of them if there are fewer.
func Reach(n int) string { return fmt.Sprintf("alcance-%d", n) }

// reach returns the wanted number of followers of such a channel.
func reach(n int) int { return [reaches]int{1_000, 10_000, 100_000}[n] }

// role says for what a channel is there.
type role int

const (
	roleOrdinary role = iota
	roleEveryone
	roleSmall
	roleQuiet
	roleFresh
	roleReach
)

// role returns the role of a channel, and its number among those with that role. Ordinary channels come after the first
// one, in order of their rank.
func (g *generator) role(channel int) (role, int) {
	switch left := g.sizes.Channels - channel; {
	case channel == 0:
		return roleEveryone, 0
	case left <= quiet:
		return roleQuiet, left - 1
	case left <= quiet+fresh:
		return roleFresh, left - quiet - 1
	case left <= quiet+fresh+reaches:
		return roleReach, left - quiet - fresh - 1
	case left <= quiet+fresh+reaches+smalls:
		return roleSmall, left - quiet - fresh - reaches - 1
	default:
		return roleOrdinary, channel - 1
	}
}

// ordinary returns the number of ordinary channels: those from 1 to this.
func (g *generator) ordinary() int { return g.sizes.Channels - quiet - fresh - reaches - smalls - 1 }

func (g *generator) channelID(channel int) core.ID {
	return g.id(kindChannel, channel, g.since(channel, g.sizes.Channels))
}

// address returns the slugs of a channel and its publisher.
func (g *generator) address(channel int) (publisher, slug string) {
	role, n := g.role(channel)
	switch role {
	case roleEveryone:
		return Publisher, Everyone
	case roleSmall:
		return publisherSlug(n), Small
	case roleQuiet:
		return Publisher, Quiet(n)
	case roleFresh:
		return Publisher, Fresh(n)
	case roleReach:
		return Publisher, Reach(n)
	default:
		p := g.publisherOf(channel)
		return publisherSlug(p), fmt.Sprintf("%s-%d", subjects[channel%len(subjects)].slug, channel)
	}
}

// publishers is the number of publishers, of which the first are the measured one and its neighbour.
func (g *generator) publishers() int { return g.sizes.Channels / 50 }

// publisherOf gives large channels to different publishers.
func (g *generator) publisherOf(channel int) int {
	switch role, n := g.role(channel); role {
	case roleOrdinary:
		return 2 + channel%(g.publishers()-2)
	case roleSmall:
		return n
	default:
		return 0
	}
}

func publisherSlug(p int) string {
	switch p {
	case 0:
		return Publisher
	case 1:
		return Neighbour
	}
	return fmt.Sprintf("%s-%d", organizations[p%len(organizations)].slug, p)
}

func (g *generator) publisherID(p int) core.ID { return g.id(kindPublisher, p, g.now.Add(-history)) }

func (g *generator) categoryRows(yield func([]any) bool) {
	at := g.now.Add(-history)
	for i, s := range subjects {
		if !yield([]any{raw(g.categoryID(i)), s.slug, s.name, i, at, at}) {
			return
		}
	}
}

func (g *generator) categoryID(subject int) core.ID {
	return g.id(kindCategory, subject, g.now.Add(-history))
}

func (g *generator) publisherRows(yield func([]any) bool) {
	at := g.now.Add(-history)
	for p := range g.publishers() {
		o := organizations[p%len(organizations)]
		name := fmt.Sprintf("%s %d", o.name, p)
		if !yield([]any{raw(g.publisherID(p)), publisherSlug(p), name, o.name + " ao seu serviço.", at, at}) {
			return
		}
	}
}

func (g *generator) channelRows(yield func([]any) bool) {
	for c := range g.sizes.Channels {
		s, at := subjects[c%len(subjects)], g.since(c, g.sizes.Channels)
		_, slug := g.address(c)
		name := strings.ToUpper(slug[:1]) + strings.ReplaceAll(slug[1:], "-", " ")
		publisher, category := g.publisherID(g.publisherOf(c)), g.categoryID(c%len(subjects))
		if !yield([]any{raw(g.channelID(c)), raw(publisher), raw(category), slug, name,
			s.sentences[c%len(s.sentences)], at, at, at}) {
			return
		}
	}
}

// apiKeyRows makes the keys of the first publishers.
func (g *generator) apiKeyRows(secrets ...string) func(yield func([]any) bool) {
	return func(yield func([]any) bool) {
		at := g.now.Add(-time.Hour)
		scopes := []string{string(core.ScopePublish), string(core.ScopeChannels), string(core.ScopeRead)}
		for p, secret := range secrets {
			if !yield([]any{raw(g.id(kindAPIKey, p, at)), raw(g.publisherID(p)), "Medidas", secret[len(secret)-4:],
				core.HashSecret(secret), scopes, at}) {
				return
			}
		}
	}
}
