package main

import (
	"context"
	"time"

	"github.com/sininho/sininho/server/lab/sampledata"
)

// slowDispatch dispatches to a large channel, and to small ones in the middle of it.
func (w *world) slowDispatch(ctx context.Context, _ time.Duration) (figures, error) {
	small := figures{}
	d, err := w.dispatch(ctx, sampledata.Reach(2), func() error { return w.pushToSmall(ctx, small) })
	if err != nil {
		return nil, err
	}
	f := d.figures()
	f["small"], f["smallAlone"] = small["neighbour"], small["neighbour"]
	f["smallOwn"], f["smallOwnAlone"] = small["own"], small["own"]
	return f, nil
}

// slowLimit sends as the Admin SDK does, and pushes to the small channels on an idle server.
func (w *world) slowLimit(ctx context.Context, length time.Duration) (figures, error) {
	f, err := w.sendEach(ctx, length)
	if err != nil {
		return nil, err
	}
	small := figures{}
	err = w.pushToSmall(ctx, small)
	f["small"], f["smallOwn"] = small["neighbour"], small["own"]
	return f, err
}

// pushToSmall publishes to the small channels of the measured publisher and of its neighbour, and sets after what time
// each of them had its first push. The measured publisher's own comes first.
func (w *world) pushToSmall(ctx context.Context, took figures) error {
	own, err := w.data.OwnChannel(sampledata.Small)
	if err != nil {
		return err
	}
	neighbour, err := w.data.NeighbourChannel()
	if err != nil {
		return err
	}
	first, err := w.publishSmall(ctx, w.data.APIKey, own)
	if err != nil {
		return err
	}
	second, err := w.publishSmall(ctx, w.data.NeighbourAPIKey, neighbour)
	if err != nil {
		return err
	}
	if took["neighbour"], err = second(); err != nil {
		return err
	}
	took["own"], err = first()
	return err
}

// publishSmall publishes to a small channel. The function that it returns waits for the push to one of its devices, and
// returns after how many milliseconds the stand-in had it.
func (w *world) publishSmall(
	ctx context.Context, apiKey string, channel sampledata.Address,
) (wait func() (float64, error), err error) {
	c, err := dial(ctx, w.server.URL, bearer(apiKey))
	if err != nil {
		return nil, err
	}
	defer c.close()
	var address string
	if err := w.pool.QueryRow(ctx, `
		select d.address from subscriptions s join devices d on d.subscriber_id = s.subscriber_id
		where s.channel_id = $1 and d.retired_at is null limit 1`, channel.ID).Scan(&address); err != nil {
		return nil, err
	}
	began := time.Now()
	body, err := c.publishAt(channelPath(channel.Publisher, channel.Slug) + "/notifications")
	if err != nil {
		return nil, err
	}
	id, err := notificationID(body)
	return func() (float64, error) {
		at, err := w.waitSent(ctx, address, id)
		return milliseconds(at.Sub(began)), err
	}, err
}
