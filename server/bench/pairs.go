package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/push/fcm"
)

func (w *world) pairs() []*pair {
	return []*pair{
		{
			Name: "publish, 16 clients, distinct channels", Bar: 0.50,
			ours: w.publish(func(i int64) int64 { return i%channels + 1 }), limit: w.rawInsert,
		},
		{
			Name: "publish, 16 clients, one channel", Bar: 0.35, ours: w.publish(func(int64) int64 { return 1 }),
			limit: w.rawInsert,
		},
		{Name: "feed, first page, 50 channels, 16 clients", Bar: 0.60, ours: w.feed, limit: w.rawFeed},
		{Name: fmt.Sprintf("dispatch to %d devices", w.devices), Bar: 0.55, ours: w.dispatch, limit: w.rawSends},
	}
}

// load runs do in 16 clients for length and returns operations per second.
func load(ctx context.Context, length time.Duration, do func(ctx context.Context, i int64) error) (float64, error) {
	var n atomic.Int64
	var failed atomic.Pointer[error]
	began := time.Now()
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			for time.Since(began) < length && failed.Load() == nil {
				if err := do(ctx, n.Add(1)); err != nil {
					failed.Store(&err)
				}
			}
		})
	}
	all.Wait()
	if err := failed.Load(); err != nil {
		return 0, *err
	}
	return float64(n.Load()) / time.Since(began).Seconds(), nil
}

func (w *world) do(req *http.Request, want int) error {
	res, err := w.http.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != want {
		return errors.Join(err, fmt.Errorf("%s: %s", res.Status, body))
	}
	return nil
}

var message = []byte(
	`{"title":"Linha azul reaberta","body":"A circulação foi retomada em toda a linha, com intervalos normais.","link":"https://example.com/1"}`,
)

func (w *world) publish(channel func(i int64) int64) func(context.Context, time.Duration) (float64, error) {
	return func(ctx context.Context, length time.Duration) (float64, error) {
		return load(ctx, length, func(ctx context.Context, i int64) error {
			url := fmt.Sprintf("%s/api/v1/channels/%s/bench-%d/notifications", w.dev.URL, publisherAddress, channel(i))
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(message))
			if err != nil {
				return err
			}
			req.Header.Set("Authorization", "Bearer "+w.dev.APIKey)
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Idempotency-Key", uuid.NewString())
			return w.do(req, http.StatusCreated)
		})
	}
}

func (w *world) rawInsert(ctx context.Context, length time.Duration) (float64, error) {
	channel := uuid.New()
	return load(ctx, length, func(ctx context.Context, _ int64) error {
		_, err := w.pool.Exec(ctx, "insert into bench_raw values ($1, $2, $3, $4, now())", uuid.Must(uuid.NewV7()),
			channel, "Linha azul reaberta", string(message))
		return err
	})
}

func (w *world) feed(ctx context.Context, length time.Duration) (float64, error) {
	return load(ctx, length, func(ctx context.Context, _ int64) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, w.dev.URL+"/api/v1/subscribers/notifications", nil)
		if err != nil {
			return err
		}
		req.Header.Set("Cookie", w.cookie)
		return w.do(req, http.StatusOK)
	})
}

// rawFeed only reads the rows of a page, with a prepared statement.
func (w *world) rawFeed(ctx context.Context, length time.Duration) (float64, error) {
	var subscriber uuid.UUID
	if err := w.pool.QueryRow(ctx, "select id from subscribers where email = $1", subscriberEmail).
		Scan(&subscriber); err != nil {
		return 0, err
	}
	return load(ctx, length, func(ctx context.Context, _ int64) error {
		rows, err := w.pool.Query(ctx, `
			select n.id, n.title, n.body, n.image, n.icon, n.link, n.importance, n.published_at, c.slug, c.name, p.slug
			from subscriptions s
			cross join lateral (select * from notifications n where n.channel_id = s.channel_id and n.visible
				order by n.published_at desc, n.id desc limit 10) n
			join channels c on c.id = n.channel_id join publishers p on p.id = c.publisher_id
			where s.subscriber_id = $1 order by n.published_at desc, n.id desc limit 10`, subscriber)
		if err != nil {
			return err
		}
		defer rows.Close()
		n := 0
		for rows.Next() {
			if _, err := rows.Values(); err != nil {
				return err
			}
			n++
		}
		if n != 10 {
			return fmt.Errorf("%d rows", n)
		}
		return rows.Err()
	})
}

// dispatch publishes to the channel with the devices and waits for the last outcome.
func (w *world) dispatch(ctx context.Context, _ time.Duration) (float64, error) {
	client, err := sininho.New(sininho.WithBaseURL(w.dev.URL), sininho.WithAPIKey(w.dev.APIKey))
	if err != nil {
		return 0, err
	}
	began := time.Now()
	published, err := client.Notifications.Publish(ctx, publisherAddress+"/devices",
		sininho.PublishInput{Title: "Para todos"})
	if err != nil {
		return 0, err
	}
	for n := 0; n < w.devices; {
		if err := w.pool.QueryRow(ctx, "select count(*) from deliveries where notification_id = $1",
			published.Notification.ID).Scan(&n); err != nil {
			return 0, err
		}
		if time.Since(began) > 5*time.Minute {
			return 0, fmt.Errorf("only %d of %d after 5 minutes", n, w.devices)
		}
		time.Sleep(20 * time.Millisecond) // polling, because this is a measurement
	}
	return float64(w.devices) / time.Since(began).Seconds(), nil
}

// rawSends only calls the Admin SDK's send in a loop, to the same stand-in and without a database.
func (w *world) rawSends(ctx context.Context, length time.Duration) (float64, error) {
	sender, err := w.sender(ctx)
	if err != nil {
		return 0, err
	}
	push := core.Push{
		ID: uuid.NewString(), Title: "Para todos", Channel: "demo/devices", Expires: time.Now().Add(time.Hour),
	}
	return load(ctx, length, func(ctx context.Context, i int64) error {
		if r := sender.Send(ctx, push, fmt.Sprint("raw-", i)); r.Outcome != core.Accepted {
			return fmt.Errorf("%+v", r)
		}
		return nil
	})
}

func (w *world) sender(ctx context.Context) (*fcm.Sender, error) {
	credentials, err := w.dev.StandIns.Credentials()
	if err != nil {
		return nil, err
	}
	return fcm.New(ctx, fcm.Config{ProjectID: w.dev.Settings.FirebaseProjectID, Credentials: credentials,
		Endpoint: w.dev.Settings.FCMEndpoint, Timeout: 10 * time.Second})
}
