package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sininho/sininho/server/internal/dev"
)

const (
	clients          = 16
	channels         = 50
	perChannel       = 1_000
	subscriberEmail  = "bench@example.com"
	publisherAddress = "demo"
)

// world is a running server with data: channels with history, a subscriber to all of them, and a channel with devices.
type world struct {
	dev     *dev.Dev
	pool    *pgxpool.Pool
	http    *http.Client
	cookie  string
	devices int
}

func newWorld(ctx context.Context, d *dev.Dev, pool *pgxpool.Pool, devices int) (*world, error) {
	w := &world{dev: d, pool: pool, devices: devices,
		http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 4 * clients}}}
	for _, sql := range []string{makeChannels, makeHistory, makeFollowers, makeRaw} {
		if _, err := pool.Exec(ctx,
			strings.NewReplacer("@channels", fmt.Sprint(channels), "@each", fmt.Sprint(perChannel), "@devices",
				fmt.Sprint(devices)).Replace(sql)); err != nil {
			return nil, fmt.Errorf("%s: %w", sql[:40], err)
		}
	}
	if err := w.signIn(ctx); err != nil {
		return nil, err
	}
	_, err := pool.Exec(ctx, `
		insert into subscriptions (subscriber_id, channel_id, bell, followed_at, read_ordinal, read_at)
		select s.id, c.id, 'none', now(),
			coalesce((select max(ordinal) from notifications n where n.channel_id = c.id), 0), now()
		from subscribers s, channels c where s.email = $1 and c.slug like 'bench-%'`, subscriberEmail)
	if err != nil {
		return nil, err
	}
	_, err = pool.Exec(ctx, "analyze")
	return w, err
}

const makeRaw = `
	create table bench_raw (id uuid primary key, channel_id uuid, title text, body text, published_at timestamptz)`

const makeChannels = `
	insert into channels (id, publisher_id, category_id, slug, name)
	select gen_random_uuid(), p.id, (select id from categories limit 1), 'bench-' || i, 'Bench ' || i
	from publishers p, generate_series(1, @channels) i where p.slug = 'demo'
	union all
	select gen_random_uuid(), p.id, (select id from categories limit 1), 'devices', 'Devices'
	from publishers p where p.slug = 'demo'`

const makeHistory = `
	with made as (
		insert into notifications (id, channel_id, title, body, importance, visible, published_at, position,
			stream_position, ordinal)
		select gen_random_uuid(), c.id, 'Notificação ' || i, repeat('Um texto como outro qualquer. ', 8), 'normal',
			true, now() - i * interval '1 minute' - random() * interval '1 minute', p, p, i
		from (select id, row_number() over () as c_n from channels where slug like 'bench-%') c,
			generate_series(1, @each) i,
			lateral (select nextval('stream_positions') as p where i > 0 and c.c_n > 0) s
		returning channel_id)
	insert into channel_heads (channel_id, ordinal, visible)
	select channel_id, @each, count(*) from made group by channel_id`

const makeFollowers = `
	with people as (
		insert into subscribers (id, google_subject, email, name, locale, timezone)
		select gen_random_uuid(), 'bench-' || i, 'bench-' || i || '@example.com', 'Bench', 'pt', 'Europe/Lisbon'
		from generate_series(1, @devices) i
		returning id, google_subject
	), devices as (
		insert into devices (id, subscriber_id, installation_id, kind, address, platform, name)
		select gen_random_uuid(), id, google_subject, 'token', google_subject, 'web', 'Bench' from people
	)
	insert into subscriptions (subscriber_id, channel_id, bell, followed_at, read_ordinal, read_at)
	select people.id, c.id, 'all', now(), 0, now() from people, channels c where c.slug = 'devices'`

// signIn gets a session through the Google stand-in.
func (w *world) signIn(ctx context.Context) error {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return err
	}
	var state string
	c := &http.Client{Jar: jar, CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		// Go's cookie jar does not send Secure cookies over http, even to loopback, so they are copied here.
		for _, x := range r.Response.Cookies() {
			if strings.HasPrefix(x.Name, "__Host-") && x.MaxAge >= 0 {
				state += x.Name + "=" + x.Value + "; "
			}
		}
		r.Header.Set("Cookie", state)
		return nil
	}}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet,
		w.dev.URL+"/api/v1/auth/google?login_hint="+subscriberEmail, nil)
	if err != nil {
		return err
	}
	res, err := c.Do(req)
	if err != nil {
		return err
	}
	_ = res.Body.Close()
	for part := range strings.SplitSeq(state, "; ") {
		if strings.HasPrefix(part, "__Host-sininho=") {
			w.cookie = part
		}
	}
	if w.cookie == "" {
		return fmt.Errorf("sign-in gave no session (%s)", res.Status)
	}
	return nil
}
