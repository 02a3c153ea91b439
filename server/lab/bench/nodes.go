package main

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/sininho/sininho/server/lab/sampledata"
)

const (
	mostNodes   = 3
	nodeClients = 64 // that publish, over all servers
)

// wide measures how figures change with the number of servers on the database. Servers, PostgreSQL, the stand-ins and
// the clients share the cores, so that on one machine more servers can be faster only while cores are idle.
func (w *world) wide(ctx context.Context) (all []*Curve, err error) {
	for _, c := range []*Curve{
		w.byNodes("publish, 64 clients, distinct channels, by servers", "/s", w.publishOver),
		w.byNodes("dispatch, by servers", "/s", func(ctx context.Context, _ []*sininho) (float64, error) {
			d, err := w.dispatch(ctx, sampledata.Everyone)
			return d.figures()["rate"], err
		}),
	} {
		if selects(w.Only, c.What) {
			all = append(all, c)
			err = errors.Join(err, c.run(ctx, w.Rounds))
		}
	}
	return all, err
}

// byNodes is a curve whose points have 1 to mostNodes servers.
func (w *world) byNodes(what, unit string, measure func(context.Context, []*sininho) (float64, error)) *Curve {
	c := &Curve{What: what, Of: "servers", Unit: unit}
	for n := range mostNodes {
		c.Points = append(c.Points, &Point{Size: n + 1, measure: func(ctx context.Context) (value float64, err error) {
			nodes := []*sininho{w.server}
			for range n {
				node, err := w.anotherNode(ctx)
				if err != nil {
					return 0, err
				}
				defer func() { err = errors.Join(err, node.stop()) }()
				nodes = append(nodes, node)
			}
			return measure(ctx, nodes)
		}})
	}
	return c
}

// anotherNode starts one more server on the same database, with further settings: names, each followed by its value.
func (w *world) anotherNode(ctx context.Context, settings ...string) (*sininho, error) {
	addr, err := freeAddress(ctx)
	if err != nil {
		return nil, err
	}
	environment := w.services.environment(w.services.DatabaseURL, addr)
	environment["SECRET_KEY"] = w.environment["SECRET_KEY"]
	for i := 0; i < len(settings); i += 2 {
		environment[settings[i]] = settings[i+1]
	}
	return startServer(ctx, environment)
}

// publishOver publishes to all servers at once, and returns the sum of their rates.
func (w *world) publishOver(ctx context.Context, nodes []*sininho) (float64, error) {
	var n atomic.Int64
	f, err := load(ctx, nodeClients, w.Length, func(ctx context.Context, i int) (client, error) {
		c, err := dial(ctx, nodes[i%len(nodes)].URL, bearer(w.data.APIKey))
		if err != nil {
			return client{}, err
		}
		return client{do: func(context.Context) error {
			_, err := c.publishTo(sampledata.Quiet(int(n.Add(1))))
			return err
		}, close: c.close}, nil
	})
	return f["rate"], err
}
