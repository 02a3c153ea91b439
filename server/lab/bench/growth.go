package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/sampledata"
)

// growth measures how figures grow with the data. Each curve has the figures of all sizes in every round.
func (w *world) growth(ctx context.Context) (all []*Curve, err error) {
	for _, make := range []func(context.Context) (*Curve, func() error, error){
		w.publishByFollowers, w.feedByNotifications, w.feedBySubscriptions, w.memoryByDevices,
	} {
		c, done, failed := make(ctx)
		if failed == nil && selects(w.Only, c.What) {
			all = append(all, c)
			failed = c.run(ctx, w.Rounds)
		}
		err = errors.Join(err, failed, done())
	}
	return all, err
}

func nothing() error { return nil }

const (
	mostFollowers   = 1_000_000
	publishesAPoint = 40
)

// publishByFollowers is the latency of a publish to channels with 10 to 1,000,000 followers.
func (w *world) publishByFollowers(ctx context.Context) (*Curve, func() error, error) {
	c := &Curve{What: "publish, one client, p50", Of: "followers", Unit: "ms", bar: flat}
	if !selects(w.Only, c.What) {
		return c, nothing, nil
	}
	for i, n := 0, 10; n <= min(mostFollowers, w.Sizes.Subscriptions); i, n = i+1, n*10 {
		slug := sampledata.Fresh(i)
		channel, err := w.data.OwnChannel(slug)
		if err != nil {
			return nil, nothing, err
		}
		if err := sampledata.AddFollowers(ctx, w.pool, channel.ID, n); err != nil {
			return nil, nothing, err
		}
		c.Points = append(c.Points, &Point{Size: n, measure: func(ctx context.Context) (float64, error) {
			return w.publishLatency(ctx, slug)
		}})
	}
	return c, nothing, sampledata.Settle(ctx, w.pool)
}

// publishLatency returns the p50 of some publishes, each after the devices of the one before have been found and pushed
// to.
func (w *world) publishLatency(ctx context.Context, slug string) (float64, error) {
	c, err := w.publisher(ctx)
	if err != nil {
		return 0, err
	}
	defer c.close()
	var took []time.Duration
	for range publishesAPoint {
		began := time.Now()
		body, err := c.publishTo(slug)
		took = append(took, time.Since(began))
		if err != nil {
			return 0, err
		}
		id, err := notificationID(body)
		if err != nil {
			return 0, err
		}
		for busy := true; busy; time.Sleep(pollEvery) {
			if err := w.pool.QueryRow(ctx, `
				select exists (select from dispatches where notification_id = $1 and expanded_at is null)
					or exists (select from delivery_batches where notification_id = $1 and strpos(outcomes, $2) > 0)`,
				id, string(postgres.Waiting)).Scan(&busy); err != nil {
				return 0, err
			}
		}
	}
	slices.Sort(took)
	return percentile(took, 50), nil
}

const leastNotifications = 10_000

// feedByNotifications is the latency of the feed's first page in databases with 10,000 notifications and more.
func (w *world) feedByNotifications(ctx context.Context) (c *Curve, done func() error, err error) {
	c = &Curve{What: "feed, first page, one client, p50", Of: "notifications", Unit: "ms", bar: logarithmic}
	var servers []*sininho
	done = func() (err error) {
		for _, s := range servers {
			err = errors.Join(err, s.stop())
		}
		return err
	}
	if !selects(w.Only, c.What) {
		return c, done, nil
	}
	for n := leastNotifications; n < w.Sizes.Notifications; n *= 10 {
		s, person, err := w.anotherServer(ctx, n)
		if err != nil {
			return c, done, err
		}
		servers = append(servers, s)
		c.Points = append(c.Points, &Point{Size: n, measure: func(ctx context.Context) (float64, error) {
			return w.feedLatency(ctx, s.URL, person)
		}})
	}
	person, err := w.data.Reader(feedChannels)
	ours := func(ctx context.Context) (float64, error) { return w.feedLatency(ctx, w.server.URL, person) }
	c.Points = append(c.Points, &Point{Size: w.Sizes.Notifications, measure: ours})
	return c, done, err
}

// anotherServer loads a database with another number of notifications, and starts a server for it.
func (w *world) anotherServer(ctx context.Context, notifications int) (*sininho, sampledata.Person, error) {
	url, err := w.createDatabase(ctx, fmt.Sprintf("with_%d", notifications))
	if err != nil {
		return nil, sampledata.Person{}, err
	}
	addr, err := freeAddress(ctx)
	if err != nil {
		return nil, sampledata.Person{}, err
	}
	environment := w.services.environment(url, addr)
	sizes := w.Sizes
	sizes.Notifications = notifications
	pool, data, err := w.load(ctx, environment, sizes)
	if pool != nil {
		pool.Close()
	}
	if err != nil {
		return nil, sampledata.Person{}, err
	}
	person, err := data.Reader(feedChannels)
	if err != nil {
		return nil, person, err
	}
	s, err := startServer(ctx, environment)
	return s, person, err
}

// feedLatency returns the p50 of the feed's first page for one client.
func (w *world) feedLatency(ctx context.Context, url string, person sampledata.Person) (float64, error) {
	f, err := load(ctx, 1, w.Length, func(ctx context.Context, _ int) (client, error) {
		c, err := dial(ctx, url, "Cookie: __Host-sininho="+person.Session)
		if err != nil {
			return client{}, err
		}
		return c.getting(feedPath), nil
	})
	return f["p50"], err
}

// feedBySubscriptions is the latency of the feed's first page for people who follow 1 to 1,000 channels.
func (w *world) feedBySubscriptions(context.Context) (*Curve, func() error, error) {
	c := &Curve{What: "feed, first page, one client, p50, by channels", Of: "subscriptions", Unit: "ms"}
	for _, n := range []int{1, 10, 50, 100, 1000} {
		person, err := w.data.Reader(n)
		if err != nil {
			return c, nothing, err
		}
		c.Points = append(c.Points, &Point{Size: n, measure: func(ctx context.Context) (float64, error) {
			return w.feedLatency(ctx, w.server.URL, person)
		}})
	}
	return c, nothing, nil
}

// leastPushes is how much is pushed for a point of memoryByDevices: the memory of a server grows until it collects its
// garbage for the first time, which a small dispatch does not make it do.
const leastPushes = 100_000

// memoryByDevices is the peak memory of a fresh server during dispatches to 1,000 devices and more. Small ones are
// repeated.
func (w *world) memoryByDevices(ctx context.Context) (*Curve, func() error, error) {
	c := &Curve{What: "dispatch, peak memory of the server", Of: "devices", Unit: "MiB", bar: flat}
	for _, slug := range []string{sampledata.Reach(0), sampledata.Reach(1), sampledata.Reach(2), sampledata.Everyone} {
		n, err := w.countDevices(ctx, slug)
		if err != nil {
			return c, nothing, err
		}
		c.Points = append(c.Points, &Point{Size: n, measure: func(ctx context.Context) (float64, error) {
			if err := w.restart(ctx); err != nil {
				return 0, err
			}
			peak := 0.0
			for pushed := 0; pushed < min(leastPushes, w.data.Devices()); pushed += n {
				d, err := w.dispatch(ctx, slug)
				if err != nil {
					return 0, err
				}
				peak = max(peak, d.memory/1024)
			}
			return peak, nil
		}})
	}
	return c, nothing, nil
}
