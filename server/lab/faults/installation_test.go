package faults

import (
	"testing"

	"github.com/sininho/sininho/server/lab/cluster"
	"github.com/sininho/sininho/server/lab/pgtest"
	"github.com/sininho/sininho/server/lab/standin/pushservice"
)

// installation is what one test breaks: a cluster, and what its clients did and saw.
type installation struct {
	*cluster.Cluster
	t         *testing.T
	ledger    *ledger
	reads     *ledger     // of requests that publish nothing
	listeners []*listener // each must hear every notification that is published after it has opened
	services  []*pushservice.Service
}

// newInstallation returns an installation on a database of the tests' PostgreSQL, without nodes.
func newInstallation(t *testing.T) *installation {
	t.Helper()
	i := newInstallationOn(t, cluster.New(t, binary, pgtest.URL(t)))
	i.CreatePublisher()
	return i
}

// newInstallationOn returns an installation on a cluster.
func newInstallationOn(t *testing.T, c *cluster.Cluster) *installation {
	t.Helper()
	return &installation{Cluster: c, t: t, ledger: &ledger{}, reads: &ledger{}}
}

// followers creates n followers of the channel, each with a device whose address is follower-1 and so on.
func (i *installation) followers(n int) {
	i.t.Helper()
	i.Exec(`
		with people as (
			insert into subscribers (id, email, name, locale, timezone)
			select gen_random_uuid(), 'follower-' || i || '@example.com', 'follower-' || i, 'pt', 'Europe/Lisbon'
			from generate_series(1, $1::int) i
			returning id, name
		), devices as (
			insert into devices (id, subscriber_id, installation_id, kind, address, platform, name, rings_since)
			select gen_random_uuid(), id, name, 'token', name, 'web', 'Browser', now() from people
		)
		insert into subscriptions (subscriber_id, channel_id, bell, followed_at, read_ordinal, read_at)
		select people.id, c.id, 'all', now(), 0, now()
		from people, channels c join publishers p on p.id = c.publisher_id
		where p.slug = 'demo' and c.slug = 'novidades'`, n)
}
