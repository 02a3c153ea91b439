package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/sininho/sininho/server/lab/sampledata"
)

const (
	slowResponse    = 50 * time.Millisecond // of the push service, as real ones take
	dispatchTimeout = 10 * time.Minute
	pollEvery       = 20 * time.Millisecond
	lookEvery       = 250 * time.Millisecond // at the server's goroutines and connections, which takes milliseconds
)

// dispatches are the measurements of pushing to many devices.
func (w *world) dispatches() []*measurement {
	return []*measurement{
		{name: "dispatch", limit: w.bareSends,
			ours: func(ctx context.Context, _ time.Duration) (figures, error) {
				d, err := w.dispatch(ctx, sampledata.Everyone)
				return d.figures(), err
			},
			rows: []*Row{
				{What: fmt.Sprintf("dispatch to %d devices", w.Sizes.Devices), Figure: "rate", Unit: "/s",
					Bar: atLeast(0.55)},
				{What: "dispatch, peak memory of the server", Figure: "memory", Unit: "MiB"},
			}},
		{name: "dispatch, slow responses",
			ours:  w.slowly(w.slowDispatch),
			limit: w.slowly(w.slowLimit), rows: []*Row{
				{What: "dispatch, responses take 50 ms, to one SendEach", Figure: "rate", Unit: "/s", Bar: atLeast(8)},
				{What: "dispatch, slow: peak goroutines of the server", Figure: "goroutines"},
				{What: "dispatch, slow: connections to the push service", Figure: "connections"},
				{What: "small channel in the middle of that, to idle", Figure: "small", Unit: "ms", Bar: atMost(5)},
				{What: "small channel in the middle of that", Figure: "smallAlone", Unit: "ms", Bar: within(2000)},
				{What: "small channel of the same publisher, to idle", Figure: "smallOwn", Unit: "ms", Bar: atMost(5)},
				{What: "small channel of the same publisher", Figure: "smallOwnAlone", Unit: "ms", Bar: within(2000)},
			}},
	}
}

// dispatched is what a dispatch has shown.
type dispatched struct {
	pushes                  int
	took                    time.Duration
	memory                  float64 // KiB
	goroutines, connections int     // peaks
}

func (d dispatched) figures() figures {
	return figures{"rate": float64(d.pushes) / d.took.Seconds(), "memory": d.memory / 1024,
		"goroutines": float64(d.goroutines), "connections": float64(d.connections)}
}

// dispatch publishes to a channel and waits until every device has its outcome. What is in the middle is called when a
// tenth was pushed.
func (w *world) dispatch(ctx context.Context, slug string, middle ...func() error) (d dispatched, err error) {
	ctx, cancel := context.WithTimeout(ctx, dispatchTimeout)
	defer cancel()
	devices, err := w.countDevices(ctx, slug)
	if err != nil {
		return d, err
	}
	if err := errors.Join(w.clearSent(ctx), w.server.resetPeak()); err != nil {
		return d, err
	}
	began := time.Now()
	id, err := w.publishOnce(ctx, slug)
	if err != nil {
		return d, err
	}
	if err := w.watch(ctx, &d, devices, middle); err != nil {
		return d, err
	}
	if err := w.waitRecorded(ctx, id, devices); err != nil {
		return d, err
	}
	d.took, d.pushes = time.Since(began), devices
	d.memory, err = w.server.peakMemory()
	return d, err
}

// publishOnce publishes over a connection of its own.
func (w *world) publishOnce(ctx context.Context, slug string) (id uuid.UUID, err error) {
	c, err := w.publisher(ctx)
	if err != nil {
		return id, err
	}
	defer c.close()
	body, err := c.publishTo(slug)
	if err != nil {
		return id, err
	}
	return notificationID(body)
}

// waitRecorded waits until all devices have an outcome.
func (w *world) waitRecorded(ctx context.Context, id uuid.UUID, devices int) error {
	for {
		if n, err := w.recorded(ctx, id); err != nil || n >= devices {
			return err
		}
		time.Sleep(pollEvery)
	}
}

func notificationID(body []byte) (uuid.UUID, error) {
	var n struct{ ID uuid.UUID }
	err := json.Unmarshal(body, &n)
	return n.ID, err
}

// countDevices returns how many devices a channel of the measured publisher reaches.
func (w *world) countDevices(ctx context.Context, slug string) (n int, err error) {
	channel, err := w.data.OwnChannel(slug)
	if err != nil {
		return 0, err
	}
	err = w.pool.QueryRow(ctx, `
		select count(*) from subscriptions s join devices d on d.subscriber_id = s.subscriber_id
		where s.channel_id = $1 and d.retired_at is null`, channel.ID).Scan(&n)
	return n, err
}

// watch waits until the stand-in has accepted all pushes, and looks at the server meanwhile.
func (w *world) watch(ctx context.Context, d *dispatched, devices int, middle []func() error) error {
	var looked time.Time
	for {
		accepted, err := w.accepted(ctx)
		if err != nil || accepted >= devices {
			return err
		}
		if time.Since(looked) > lookEvery {
			if err := w.look(ctx, d); err != nil {
				return err
			}
			looked = time.Now()
		}
		if len(middle) > 0 && accepted > devices/10 {
			if err := middle[0](); err != nil {
				return err
			}
			middle = middle[1:]
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("only %d of %d pushes: %w", accepted, devices, ctx.Err())
		case <-time.After(pollEvery):
		}
	}
}

// look raises the peaks to what the server has now.
func (w *world) look(ctx context.Context, d *dispatched) error {
	n, err := goroutines(ctx, w.server.Control)
	if err != nil {
		return err
	}
	connections, err := w.server.connectionsTo(w.services.FCMURL)
	d.goroutines, d.connections = max(d.goroutines, n), max(d.connections, connections)
	return err
}

// accepted returns how many pushes the stand-in has accepted since clearSent.
func (w *world) accepted(ctx context.Context) (int, error) {
	var stats struct{ Accepted int }
	err := fetch(ctx, http.MethodGet, w.services.FCMURL+"/stats", &stats)
	return stats.Accepted, err
}

// clearSent empties the stand-in's record.
func (w *world) clearSent(ctx context.Context) error {
	for _, path := range []string{"/sent", "/stats"} {
		if err := fetch(ctx, http.MethodDelete, w.services.FCMURL+path, nil); err != nil {
			return err
		}
	}
	return nil
}

// slowly makes each response of the stand-in take as long as a real one's.
func (w *world) slowly(s side) side {
	return func(ctx context.Context, length time.Duration) (f figures, err error) {
		fault, err := json.Marshal(map[string]string{"delay": slowResponse.String()})
		if err != nil {
			return nil, err
		}
		res, err := http.Post(w.services.FCMURL+"/faults", "application/json", bytes.NewReader(fault)) //nolint:noctx // short
		if err != nil {
			return nil, err
		}
		_ = res.Body.Close()
		f, err = s(ctx, length)
		if cleared := fetch(context.WithoutCancel(ctx), http.MethodDelete, w.services.FCMURL+"/faults", nil); err == nil {
			err = cleared
		}
		return f, err
	}
}
