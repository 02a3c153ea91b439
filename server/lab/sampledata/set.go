package sampledata

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sininho/sininho/server/internal/core"
)

// Set is loaded data, and what is needed to use it.
type Set struct {
	APIKey          string // of the measured publisher
	NeighbourAPIKey string

	generator *generator
}

// Address is the slugs of a channel and its publisher, and its id.
type Address struct {
	ID            core.ID
	Publisher     string
	Slug          string
	Notifications int64 // visible ones
	Subscribers   int
}

// Channel returns the channel of a rank, the first of which has the most notifications and is followed by everyone with
// a device.
func (s *Set) Channel(rank int) Address {
	g := s.generator
	publisher, slug := g.address(rank)
	return Address{ID: g.channelID(rank), Publisher: publisher, Slug: slug, Notifications: g.heads[rank].visible,
		Subscribers: g.count(rank)}
}

// OwnChannel returns a channel of the measured publisher by its slug.
func (s *Set) OwnChannel(slug string) (Address, error) { return s.find(Publisher, slug) }

// NeighbourChannel returns the small channel of the other publisher.
func (s *Set) NeighbourChannel() (Address, error) { return s.find(Neighbour, Small) }

func (s *Set) find(publisher, slug string) (Address, error) {
	for c := range s.generator.sizes.Channels {
		if p, found := s.generator.address(c); p == publisher && found == slug {
			return s.Channel(c), nil
		}
	}
	return Address{}, fmt.Errorf("sample data: no channel %s/%s", publisher, slug)
}

// Reader returns the person who follows that many channels: 1, 10, 50, 100 or 1,000, or all ordinary ones if there are
// fewer. They have read all but a few notifications.
func (s *Set) Reader(channels int) (Person, error) {
	for i, n := range readerChannels {
		if n == channels {
			return s.generator.person(s.generator.reader(i)), nil
		}
	}
	return Person{}, fmt.Errorf("sample data: nobody follows %d channels", channels)
}

// Owners returns up to n people who have a device and follow the channel Everyone.
func (s *Set) Owners(n int) []Person {
	people := make([]Person, min(n, s.generator.countOwners()))
	for i := range people {
		people[i] = s.generator.person(nthOwner(i))
	}
	return people
}

// Devices returns how many devices are in use.
func (s *Set) Devices() int { return s.generator.sizes.Devices }

// AddFollowers makes people follow a channel, for sizes beyond those of the set. One of them has devices.
func AddFollowers(ctx context.Context, pool *pgxpool.Pool, channel core.ID, n int) error {
	_, err := pool.Exec(ctx, `
		with people as (
			insert into subscribers (id, email, name, locale, timezone)
			select gen_random_uuid(), 'seguidor@example.com', 'Seguidor', 'pt', 'Europe/Lisbon'
			from generate_series(2, $2) returning id
		), followed as (
			insert into subscriptions (subscriber_id, channel_id, bell, followed_at, read_ordinal, read_at)
			select id, $1::uuid, 'all', now(), 0, now() from people
			union all
			(select subscriber_id, $1::uuid, 'all', now(), 0, now() from devices
			where retired_at is null order by id limit 1)
		)
		insert into channel_counts as k (channel_id, stripe, subscribers) values ($1, 0, $2)
		on conflict (channel_id, stripe) do update set subscribers = k.subscribers + excluded.subscribers`, channel, n)
	return err
}
