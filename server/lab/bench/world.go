package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sininho/sininho/server"
	"github.com/sininho/sininho/server/lab/sampledata"
)

// settings are how much is measured.
type settings struct {
	Rounds        int              `json:"rounds"`
	Length        time.Duration    `json:"length"`
	Sizes         sampledata.Sizes `json:"sizes"`
	People        int              `json:"people"`
	Streams       int              `json:"streams"`
	SecureStreams int              `json:"secureStreams"`
	Publish       int              `json:"publishes"`
	Only          string           `json:"only,omitempty"`
	Growth        bool             `json:"growth,omitempty"`
	Nodes         bool             `json:"nodes,omitempty"`
	Rehearse      bool             `json:"rehearse,omitempty"`
	JSONFile      string           `json:"-"`
}

// seed is that of the sample data.
const seed = 1

// world is what measurements share: sample data in a database, a server that uses it, and stand-ins.
type world struct {
	settings
	dir         string
	services    services
	environment map[string]string
	processes   []*process // without the server
	server      *sininho
	pool        *pgxpool.Pool
	data        *sampledata.Set
	loaded      time.Duration
	copied      atomic.Int64 // notifications of the limit of batches
}

// newWorld starts everything. The caller must close it, even after an error.
func newWorld(ctx context.Context, s settings) (w *world, err error) {
	w = &world{settings: s}
	if w.dir, err = os.MkdirTemp("", "sininho-bench-"); err != nil {
		return w, err
	}
	p, err := start(ctx, "services", map[string]string{dirVariable: filepath.Join(w.dir, "services")}, &w.services)
	if err != nil {
		return w, err
	}
	w.processes = append(w.processes, p)
	addr, err := freeAddress(ctx)
	if err != nil {
		return w, err
	}
	w.environment = w.services.environment(w.services.DatabaseURL, addr)
	began := time.Now()
	if w.pool, w.data, err = w.load(ctx, w.environment, s.Sizes); err != nil {
		return w, err
	}
	w.loaded = time.Since(began)
	w.server, err = startServer(ctx, w.environment)
	return w, err
}

func (w *world) close() (err error) {
	if w.server != nil {
		err = w.server.stop()
	}
	if w.pool != nil {
		w.pool.Close()
	}
	for _, p := range w.processes {
		err = errors.Join(err, p.stop())
	}
	return errors.Join(err, os.RemoveAll(w.dir))
}

// restart gives a server that has done nothing yet.
func (w *world) restart(ctx context.Context) (err error) {
	if err := w.server.stop(); err != nil {
		return fmt.Errorf("stop the server: %w", err)
	}
	w.server, err = startServer(ctx, w.environment)
	return err
}

// load migrates a database and fills it with sample data.
func (w *world) load(ctx context.Context, environment map[string]string, sizes sampledata.Sizes) (
	*pgxpool.Pool, *sampledata.Set, error) {
	c, err := server.ReadConfig(environment)
	if err != nil {
		return nil, nil, err
	}
	if err := server.Migrate(ctx, c, quiet()); err != nil {
		return nil, nil, err
	}
	pool, err := pgxpool.New(ctx, c.DatabaseURL)
	if err != nil {
		return nil, nil, err
	}
	data, err := sampledata.Load(ctx, pool, sampledata.Config{Sizes: sizes, Seed: seed, Now: time.Now()})
	if err == nil {
		_, err = pool.Exec(ctx, createRaw)
	}
	if err != nil {
		return pool, data, err
	}
	err = sampledata.Settle(ctx, pool)
	return pool, data, err
}

// createRaw creates the tables of the limits for publishing, one by one and in batches.
const createRaw = `
	create table bench_raw (id uuid primary key, channel_id uuid, title text, body text, published_at timestamptz);
	create table bench_notifications (like notifications including defaults including indexes)`

// poolOf returns a pool with that many connections, or with pgx's default: 4, or a connection for each core.
func (w *world) poolOf(ctx context.Context, connections int) (*pgxpool.Pool, error) {
	c, err := pgxpool.ParseConfig(w.services.DatabaseURL)
	if err != nil {
		return nil, err
	}
	if connections != defaultPool {
		c.MaxConns = int32(connections)
	}
	c.MinConns = c.MaxConns
	pool, err := pgxpool.NewWithConfig(ctx, c)
	if err != nil {
		return nil, err
	}
	if err := waitOpen(ctx, pool); err != nil {
		pool.Close()
		return nil, err
	}
	return pool, nil
}

const defaultPool = 0

// waitOpen waits until a pool has opened its connections.
func waitOpen(ctx context.Context, pool *pgxpool.Pool) error {
	for pool.Stat().TotalConns() < pool.Config().MinConns {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Millisecond):
		}
	}
	return nil
}

// createDatabase creates a second database and returns its URL.
func (w *world) createDatabase(ctx context.Context, name string) (string, error) {
	u, err := url.Parse(w.services.DatabaseURL)
	if err != nil {
		return "", err
	}
	u.Path = "/" + name
	_, err = w.pool.Exec(ctx, "create database "+pgx.Identifier{name}.Sanitize())
	return u.String(), err
}

// freeAddress returns an address that nobody listens on.
func freeAddress(ctx context.Context) (string, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}
