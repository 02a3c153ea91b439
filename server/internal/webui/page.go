package webui

import (
	"context"
	"net/http"
	"path"
	"slices"
	"time"

	"github.com/google/uuid"
	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/semaphore"
	"golang.org/x/sync/singleflight"

	"github.com/sininho/sininho/pkg/rules"
	"github.com/sininho/sininho/server/internal/core"
)

// Pages reads what the pages of publishers show to strangers. Its methods fail with core.CodeNotFound for what
// strangers may not see.
type Pages interface {
	Publisher(ctx context.Context, slug string) (core.Publisher, error)
	Channel(ctx context.Context, publisherSlug, slug string) (core.Channel, error)
	Notification(ctx context.Context, publisherSlug, slug string, id core.ID) (core.Notification, error)
	// Listed returns up to limit channels that everyone can find, those with the latest changes.
	Listed(ctx context.Context, limit int) ([]core.ListedChannel, error)
}

const (
	// pageTime is how long a page waits for its head. Then the app is served without it, and finds out itself.
	pageTime  = 500 * time.Millisecond
	pageKept  = 15 * time.Second
	pagesKept = 1024
	// lookUps is how many heads are read from the database at the same time, so that most connections are left for
	// the API.
	lookUps = 4
)

// pages serves the app with the head of each page.
type pages struct {
	Config
	translated map[core.Language]translated
	kept       *lru.Cache[string, page]
	flights    singleflight.Group
	slots      *semaphore.Weighted
}

// translated is the app in a language, with the heads that need nothing from the database.
type translated struct {
	texts   texts
	shell   shell
	general *file
	fixed   map[kind]*file
	missing map[kind]*file
}

// page is a page with its head, or the one that says that there is nothing.
type page struct {
	file   *file
	status int
	until  time.Time
}

// newPages returns the pages of an app whose index.html is built in each language.
func newPages(config Config, index func(core.Language) *file) *pages {
	kept, _ := lru.New[string, page](pagesKept) // fails only for a size of 0
	p := &pages{Config: config, translated: map[core.Language]translated{}, kept: kept,
		slots: semaphore.NewWeighted(lookUps)}
	for _, l := range languages {
		p.translated[l] = translate(in(l), newShell(index(l)), config)
	}
	return p
}

func translate(texts texts, shell shell, config Config) translated {
	t := translated{texts: texts, shell: shell, fixed: map[kind]*file{}, missing: map[kind]*file{}}
	t.general = t.with(texts.general, config)
	for kind, head := range texts.fixed {
		if name, ok := policies[kind]; ok {
			text, given := config.Policies[name]
			if !given {
				continue
			}
			head = policyHead(head, text)
		}
		t.fixed[kind] = t.with(head, config)
	}
	for kind, head := range texts.missing() {
		t.missing[kind] = t.with(head, config)
	}
	return t
}

// with returns the app with a head.
func (t translated) with(h head, config Config) *file { return t.shell.with(t.texts.html(h, config)) }

func (p *pages) serve(w http.ResponseWriter, r *http.Request, name string, l core.Language) {
	kind, segments := routeOf(name)
	t := p.translated[l]
	if file := t.fixed[kind]; file != nil {
		file.serve(w, r, cacheControl("index.html"))
		return
	}
	shown := page{t.missing[kind], http.StatusNotFound, time.Time{}}
	if isAddress(kind, segments) {
		shown = p.find(r, l, kind, segments)
	}
	if shown.status == http.StatusOK {
		shown.file.serve(w, r, cacheControl("index.html"))
		return
	}
	shown.file.serveAs(w, r, shown.status, cacheControl("index.html"))
}

// isAddress reports whether there can be something at an address of a publisher, so that no other is looked up.
func isAddress(kind kind, segments []string) bool {
	switch kind {
	case publisherPage, channelPage:
		return !slices.ContainsFunc(segments[1:], func(s string) bool { return !rules.IsSlug(s) })
	case notificationPage:
		_, err := uuid.Parse(segments[3])
		return err == nil && len(segments[3]) == len(uuid.Nil.String()) && isAddress(channelPage, segments[:3])
	default:
		return false
	}
}

// find returns the page at an address of a publisher. It reads it once for all who ask for it in a short time.
func (p *pages) find(r *http.Request, l core.Language, kind kind, segments []string) page {
	address := path.Join(append([]string{string(l)}, segments[1:]...)...)
	if kept, ok := p.kept.Get(address); ok && p.Now().Before(kept.until) {
		return kept
	}
	if !p.ReadAllowed(r) {
		return page{file: p.translated[l].general, status: http.StatusOK}
	}
	found, _, _ := p.flights.Do(address, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), pageTime)
		defer cancel()
		return p.read(ctx, p.translated[l], kind, segments[1:]), nil
	})
	shown, _ := found.(page)
	if !shown.until.IsZero() {
		p.kept.Add(address, shown)
	}
	return shown
}

// read reads the page at an address of a publisher. When that fails, the page has a general head, and is not kept.
func (p *pages) read(ctx context.Context, t translated, kind kind, address []string) page {
	until := p.Now().Add(pageKept)
	head, err := p.readHead(ctx, t.texts, kind, address)
	switch {
	case err == nil:
		return page{t.with(head, p.Config), http.StatusOK, until}
	case core.IsCode(err, core.CodeNotFound):
		return page{t.missing[kind], http.StatusNotFound, until}
	default:
		p.Log.WarnContext(ctx, "served a page without its head", "page", path.Join(address...), "error", err)
		return page{file: t.general, status: http.StatusOK}
	}
}

func (p *pages) readHead(ctx context.Context, t texts, kind kind, address []string) (h head, err error) {
	if err := p.slots.Acquire(ctx, 1); err != nil {
		return h, err
	}
	defer p.slots.Release(1)
	if kind == publisherPage {
		publisher, err := p.Pages.Publisher(ctx, address[0])
		return t.publisherHead(publisher), err
	}
	channel, err := p.Pages.Channel(ctx, address[0], address[1])
	if err != nil || kind == channelPage {
		return t.channelHead(channel), err
	}
	n, err := p.Pages.Notification(ctx, address[0], address[1], uuid.MustParse(address[2]))
	return t.notificationHead(n, channel), err
}
