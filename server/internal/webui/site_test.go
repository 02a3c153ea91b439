package webui

import (
	"context"
	"log/slog"
	"net/http"
	"sync/atomic"
	"testing/fstest"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

const origin = "https://sininho.example"

var (
	published = core.ID{1}
	start     = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
)

// site has the publishers, channels and notifications of a test.
type site struct {
	publishers    map[string]core.Publisher
	channels      map[string]core.Channel
	notifications map[core.ID]core.Notification
	listed        []core.ListedChannel
	err           error
	wait          chan struct{} // nil: nothing is waited for
	reads         atomic.Int64
}

func (s *site) begin(ctx context.Context) error {
	s.reads.Add(1)
	if s.wait != nil {
		select {
		case <-s.wait:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return s.err
}

func (s *site) Publisher(ctx context.Context, slug string) (core.Publisher, error) {
	if err := s.begin(ctx); err != nil {
		return core.Publisher{}, err
	}
	p, ok := s.publishers[slug]
	if !ok {
		return p, core.NotFound()
	}
	return p, nil
}

func (s *site) Channel(ctx context.Context, publisherSlug, slug string) (core.Channel, error) {
	if err := s.begin(ctx); err != nil {
		return core.Channel{}, err
	}
	c, ok := s.channels[publisherSlug+"/"+slug]
	switch {
	case !ok:
		return c, core.NotFound()
	case c.Suspended:
		return core.Channel{}, core.ErrHidden()
	default:
		return c, nil
	}
}

func (s *site) Notification(ctx context.Context, _, _ string, id core.ID) (core.Notification, error) {
	if err := s.begin(ctx); err != nil {
		return core.Notification{}, err
	}
	n, ok := s.notifications[id]
	if !ok {
		return n, core.NotFound()
	}
	return n, nil
}

func (s *site) Listed(ctx context.Context, limit int) ([]core.ListedChannel, error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	return s.listed[:min(len(s.listed), limit)], nil
}

// newSite has a publisher metro with the channels linhas, which is public, oculto, which is unlisted, and fraude, which
// is suspended.
func newSite() *site {
	metro := core.Publisher{Slug: "metro", Name: "Metro de Lisboa", Description: "O metropolitano.", ChannelCount: 1,
		Avatar: "https://metro.example/avatar.png"}
	s := &site{publishers: map[string]core.Publisher{"metro": metro, "novo": {Slug: "novo", Name: "Novo"}},
		channels: map[string]core.Channel{}, notifications: map[core.ID]core.Notification{}}
	for _, c := range []core.Channel{
		{ChannelRef: core.ChannelRef{Slug: "linhas", Name: "Linhas", Icon: "https://metro.example/icon.png"},
			Description: "Perturbações\nna circulação.", Visibility: core.Public},
		{ChannelRef: core.ChannelRef{Slug: "oculto", Name: "Oculto"}, Visibility: core.Unlisted},
		{ChannelRef: core.ChannelRef{Slug: "fraude", Name: "Fraude", Suspended: true}, Visibility: core.Public},
	} {
		c.PublisherSlug, c.Publisher = "metro", metro
		s.channels[c.Address()] = c
	}
	s.notifications[published] = core.Notification{ID: published, Channel: s.channels["metro/linhas"].ChannelRef,
		Title: "Linha azul reaberta", Body: "A circulação foi retomada.", Image: "https://metro.example/azul.jpg"}
	return s
}

func relayed(address string) string { return origin + "/pictures/signed/" + address }

func withHead() fstest.MapFS {
	files := built()
	files["index.html"] = &fstest.MapFile{Data: []byte("<!doctype html>\n<html lang=\"pt-PT\">\n  <head>\n" +
		"    <!-- head -->\n    <title>Sininho</title>\n    <!-- /head -->\n  </head>\n  <body></body>\n</html>\n")}
	return files
}

// clock is the time of a test.
type clock struct{ now atomic.Pointer[time.Time] }

func newClock() *clock {
	c := &clock{}
	c.now.Store(&start)
	return c
}

func (c *clock) Now() time.Time { return *c.now.Load() }

func (c *clock) pass(d time.Duration) {
	then := c.Now().Add(d)
	c.now.Store(&then)
}

func siteConfig(s *site) Config {
	return Config{Env: map[string]string{"WAITLIST": "open"}, PublicURL: origin, Picture: relayed, Pages: s, Now: newClock().Now,
		ReadAllowed: func(*http.Request) bool { return true }, Log: slog.New(slog.DiscardHandler)}
}
