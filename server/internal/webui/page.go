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
	pagesKept = 1024
	// lookUps is how many heads are read from the database at the same time, so that most connections are left for
	// the API.
	lookUps = 4
)

// pages serves the app with the head of each page. A head is read for each visit, so that no page shows what was
// withdrawn, suspended, deleted, hidden or corrected before its visitor asked for it.
type pages struct {
	Config
	translated map[core.Language]translated
	made       *lru.Cache[string, made]
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

// made is the page that was last made for an address. It is served again while its head is the same.
type made struct {
	head head
	file *file
}

// page is a page with its head, or the one that says that there is nothing.
type page struct {
	file   *file
	status int
}

// newPages returns the pages of an app whose index.html is built in each language.
func newPages(config Config, index func(core.Language) *file) *pages {
	kept, _ := lru.New[string, made](pagesKept) // fails only for a size of 0
	p := &pages{Config: config, translated: map[core.Language]translated{}, made: kept,
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
		if kind == waitingList && config.Env["WAITLIST"] != "open" {
			continue
		}
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

func (p *pages) serve(w http.ResponseWriter, r *http.Request, escaped string, l core.Language) {
	kind, segments := routeOf(escaped)
	t := p.translated[l]
	if file := t.fixed[kind]; file != nil {
		file.serve(w, r, cacheControl("index.html"))
		return
	}
	shown := page{t.missing[kind], http.StatusNotFound}
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

// find returns the page at an address of a publisher. Visitors who wait for the same read share it, but none gets a
// read that began before they came.
func (p *pages) find(r *http.Request, l core.Language, kind kind, segments []string) page {
	if !p.ReadAllowed(r) {
		return page{p.translated[l].general, http.StatusOK}
	}
	address := path.Join(append([]string{string(l)}, segments[1:]...)...)
	found, _, _ := p.flights.Do(address, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), pageTime)
		defer cancel()
		return p.read(ctx, p.translated[l], kind, address, segments[1:]), nil
	})
	shown, _ := found.(page)
	return shown
}

// read reads the page at an address of a publisher. When that fails, the page has a general head.
func (p *pages) read(ctx context.Context, t translated, kind kind, address string, segments []string) page {
	head, err := p.readHead(ctx, t.texts, kind, address, segments)
	switch {
	case err == nil:
		return page{p.with(t, address, head), http.StatusOK}
	case core.IsCode(err, core.CodeNotFound):
		return page{t.missing[kind], http.StatusNotFound}
	default:
		p.Log.WarnContext(ctx, "served a page without its head", "page", path.Join(segments...), "error", err)
		return page{t.general, http.StatusOK}
	}
}

// with returns the page of an address with its head.
func (p *pages) with(t translated, address string, h head) *file {
	if last, ok := p.made.Get(address); ok && last.head == h {
		return last.file
	}
	file := t.with(h, p.Config)
	p.made.Add(address, made{h, file})
	return file
}

func (p *pages) readHead(
	ctx context.Context, t texts, kind kind, address string, segments []string,
) (h head, err error) {
	if err := p.slots.Acquire(ctx, 1); err != nil {
		return h, err
	}
	defer p.slots.Release(1)
	p.flights.Forget(address) // who asks from now on waits for the next read
	if kind == publisherPage {
		publisher, err := p.Pages.Publisher(ctx, segments[0])
		return t.publisherHead(publisher), err
	}
	channel, err := p.Pages.Channel(ctx, segments[0], segments[1])
	if err != nil || kind == channelPage {
		return t.channelHead(channel), err
	}
	n, err := p.Pages.Notification(ctx, segments[0], segments[1], uuid.MustParse(segments[2]))
	return t.notificationHead(n, channel), err
}
