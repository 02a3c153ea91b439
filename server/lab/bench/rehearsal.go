package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/sampledata"
)

const (
	rehearsalSteps   = 10
	rehearsalTimeout = 30 * time.Minute
)

// rehearse publishes once to everyone, over three servers, and returns when how many devices were pushed to and had
// their outcome. It also checks that each device was pushed to once and has one outcome.
func (w *world) rehearse(ctx context.Context) (all []*Curve, err error) {
	whole, cancel := context.WithTimeout(ctx, rehearsalTimeout)
	defer cancel()
	for range mostNodes - 1 {
		node, err := w.anotherNode(ctx)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, node.stop()) }()
	}
	devices, err := w.countDevices(ctx, sampledata.Everyone)
	if err != nil {
		return nil, err
	}
	if err := w.clearSent(ctx); err != nil {
		return nil, err
	}
	accepted := &Curve{What: "rehearsal: time until the push service has accepted", Of: "pushes", Unit: "s"}
	recorded := &Curve{What: "rehearsal: time until outcomes are recorded", Of: "outcomes", Unit: "s"}
	all = []*Curve{accepted, recorded}
	began := time.Now()
	id, err := w.publishOnce(ctx, sampledata.Everyone)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(os.Stderr, "published to %d devices after %s ", devices, time.Since(began).Round(time.Millisecond))
	both, ctx := errgroup.WithContext(whole)
	both.Go(func() error { return accepted.follow(ctx, began, devices, w.accepted) })
	both.Go(func() error {
		count := func(ctx context.Context) (int, error) { return w.recorded(ctx, id) }
		return recorded.follow(ctx, began, devices, count)
	})
	err = both.Wait()
	fmt.Fprintln(os.Stderr)
	if err != nil {
		return all, err
	}
	return all, w.checkOnce(whole, id, devices)
}

// follow adds a point each time the count has grown by a step, until it has reached all.
func (c *Curve) follow(
	ctx context.Context, began time.Time, all int, count func(context.Context) (int, error),
) error {
	for step := 1; step <= rehearsalSteps; {
		n, err := count(ctx)
		if err != nil {
			return err
		}
		if wanted := all * step / rehearsalSteps; n >= wanted {
			c.Points = append(c.Points, &Point{Size: n, Values: []float64{time.Since(began).Seconds()}})
			step = n*rehearsalSteps/all + 1
			fmt.Fprint(os.Stderr, ".")
			continue
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("only %d of %d: %w", n, all, ctx.Err())
		case <-time.After(lookEvery):
		}
	}
	return nil
}

// recorded returns how many devices have an outcome. It counts letters, because the view deliveries would take a
// second of PostgreSQL's time for a million devices.
func (w *world) recorded(ctx context.Context, id uuid.UUID) (n int, err error) {
	err = w.pool.QueryRow(ctx, `
		select coalesce(sum(length(translate(outcomes, $2, ''))), 0) from delivery_batches where notification_id = $1`,
		id, string(postgres.Waiting)+string(postgres.Held)).Scan(&n)
	return n, err
}

// checkOnce fails unless each device was pushed to once, and was accepted once.
func (w *world) checkOnce(ctx context.Context, id uuid.UUID, devices int) error {
	pushes, err := w.accepted(ctx)
	if err != nil {
		return err
	}
	var distinct, accepted int
	err = w.pool.QueryRow(ctx, `
		select count(distinct device_id), count(*) filter (where outcome = 'accepted')
		from deliveries where notification_id = $1`, id).Scan(&distinct, &accepted)
	if err == nil && (pushes != devices || distinct != devices || accepted != devices) {
		err = fmt.Errorf("%d devices got %d pushes, and %d of them have %d accepted outcomes",
			devices, pushes, distinct, accepted)
	}
	return err
}
