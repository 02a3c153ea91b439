package postgres_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

func search(t *testing.T, q string) core.Search {
	t.Helper()
	return must(core.ParseSearch(q))
}

// found returns the addresses of the channels that a search finds, in order.
func (w *world) found(t *testing.T, q string) []string {
	t.Helper()
	list, total, err := w.Channels(t.Context(), core.ChannelFilter{Search: search(t, q), Page: core.Page{Limit: 100}})
	succeed(t, "search channels", err)
	equal(t, "total of a search that fits a page", total, int64(len(list)))
	addresses := []string{}
	for _, c := range list {
		addresses = append(addresses, c.Address())
	}
	slices.Sort(addresses)
	return addresses
}

// newChannel creates a public channel.
func (w *world) newChannel(t *testing.T, publisher, category core.ID, slug, name string) core.Channel {
	t.Helper()
	in := core.ChannelInput{Slug: slug, Name: name, CategoryID: category, Visibility: core.Public}
	return must3(w.CreateChannel(t.Context(), core.NewID(), publisher, in, w.now, core.Idempotency{}))
}

// TestSearchChannelsByNames finds channels by their own, their publisher's and their category's names, also after each
// of them has changed.
func TestSearchChannelsByNames(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	metro := w.publisher(t, "metro", "Metropolitano", w.subscriber)
	category := core.Category{ID: core.NewID(), Slug: "transportes", Name: "Transportes Públicos"}
	transport := must(w.EnsureCategory(t.Context(), category))
	lines := w.newChannel(t, metro.ID, transport, "linhas", "Estado das linhas, v2.10")
	want := func(q string, addresses ...string) {
		t.Helper()
		if got := w.found(t, q); !slices.Equal(got, addresses) {
			t.Errorf("searching channels for %q: got %q, want %q", q, got, addresses)
		}
	}
	for _, q := range []string{
		"metro", "METROPOL", "publicos", "Públicos linhas", "transportes metro est", "v2 10", "linhas,metro",
	} {
		want(q, "metro/linhas")
	}
	for _, q := range []string{"étro", "linhas vila", "%", "- !", "linhas & | ! metro xz"} {
		want(q)
	}
	want("", "metro/linhas", "vila/agenda")
	want(" ", "metro/linhas", "vila/agenda")

	must(w.UpdatePublisher(t.Context(), metro.ID, core.PublisherPatch{Name: new("Comboios")}, nil, w.now))
	want("comboios", "metro/linhas")
	want("metropolitano")
	must(w.UpdateCategory(t.Context(), transport, core.CategoryPatch{Name: new("Mobilidade")}, nil, w.now))
	want("mobilidade", "metro/linhas")
	want("publicos")
	city := w.category(t, "cidade")
	change := core.ChannelPatch{CategoryID: &city, Name: new("Horários")}
	must(w.UpdateChannel(t.Context(), lines.ID, change, nil, w.now, nil))
	want("horarios cidade comboios", "metro/linhas")
	want("mobilidade")
	succeed(t, "delete the channel", w.DeleteChannel(t.Context(), lines.ID, nil, w.now))
	want("comboios")
}

// TestSearchSeesARenameAtTheSameMoment creates a channel while its publisher or category is renamed.
func TestSearchSeesARenameAtTheSameMoment(t *testing.T) {
	t.Parallel()
	for table, rename := range map[string]string{
		"publisher": "update publishers set name = 'Comboios' where slug = 'vila'",
		"category":  "update categories set name = 'Comboios' where slug = 'cidade'",
	} {
		t.Run(table, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			vila, city := must(w.PublisherBySlug(t.Context(), "vila")), w.category(t, "cidade")
			tx := must(w.db.Pool().Begin(t.Context()))
			_, err := tx.Exec(t.Context(), rename)
			succeed(t, "rename", err)
			var made sync.WaitGroup
			made.Go(func() {
				in := core.ChannelInput{Slug: "novo", Name: "Novo", CategoryID: city, Visibility: core.Public}
				_, _, err := w.CreateChannel(context.Background(), core.NewID(), vila.ID, in, w.now, core.Idempotency{})
				if err != nil {
					t.Errorf("making a channel: %v", err)
				}
			})
			for w.blocked(t) == 0 && w.count(t, "select count(*) from channels") == 1 {
				runtime.Gosched()
			}
			succeed(t, "commit the rename", tx.Commit(t.Context()))
			made.Wait()
			if got, want := w.found(t, "comboios"), []string{"vila/agenda", "vila/novo"}; !slices.Equal(got, want) {
				t.Errorf("channels found by the new name: got %q, want %q", got, want)
			}
		})
	}
}

// statements records the selects of bun.
type statements struct{ selects []string }

func (*statements) BeforeQuery(ctx context.Context, _ *bun.QueryEvent) context.Context { return ctx }

func (s *statements) AfterQuery(_ context.Context, e *bun.QueryEvent) {
	if query := strings.TrimSpace(e.Query); strings.HasPrefix(strings.ToLower(query), "select") {
		s.selects = append(s.selects, query)
	}
}

// fillSearch adds 10,000 publishers with a channel each.
func (w *world) fillSearch(t *testing.T) {
	t.Helper()
	tx := must(w.db.Pool().Begin(t.Context()))
	for _, statement := range []string{"set local statement_timeout = 0", `
		with p as (
			insert into publishers (id, slug, name, description)
			select gen_random_uuid(), 'p-' || i, 'Ação número ' || i, repeat('palavra ' || i % 100 || ' ', 20)
			from generate_series(1, 10000) i returning id, slug, name, description
		)
		insert into channels (id, publisher_id, category_id, slug, name, description)
		select gen_random_uuid(), p.id, g.id, 'canal-' || p.slug, 'Avisos: ' || p.name, p.description
		from p, categories g`,
		`insert into channel_counts (channel_id, stripe, subscribers)
		select id, s, 1 from channels, generate_series(0, 7) s`,
	} {
		_, err := tx.Exec(t.Context(), statement)
		succeed(t, "add publishers and channels", err)
	}
	succeed(t, "commit publishers and channels", tx.Commit(t.Context()))
	w.execute(t, "vacuum analyze")
}

// TestSearchUsesItsIndex reads the plan of every statement of a search over many rows.
func TestSearchUsesItsIndex(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fillSearch(t)
	var run statements
	hooked := w.Hooked(&run)
	page := core.Page{Limit: 10}
	for _, list := range []struct {
		index string
		read  func(q string) (int64, error)
	}{
		{"channels_search_idx", func(q string) (int64, error) {
			_, total, err := hooked.Channels(t.Context(), core.ChannelFilter{Search: search(t, q), Page: page})
			return total, err
		}},
		{"publishers_search_idx", func(q string) (int64, error) {
			_, total, err := hooked.Publishers(t.Context(), core.PublisherFilter{Search: search(t, q), Page: page})
			return total, err
		}},
	} {
		run.selects = nil
		if total, err := list.read("acao 123 pal"); err != nil || total != 11 {
			t.Errorf("%s: found %d, want 11: %v", list.index, total, err)
		}
		if len(run.selects) != 2 {
			t.Fatalf("%s: a search ran %d selects, want the page and the total", list.index, len(run.selects))
		}
		for _, query := range run.selects {
			if plan := w.plan(t, query); !strings.Contains(plan, list.index) {
				t.Errorf("the plan does not use %s:\n%s\n%s", list.index, query, plan)
			}
		}
	}
}

func (w *world) plan(t *testing.T, query string) string {
	t.Helper()
	rows, err := w.db.Pool().Query(t.Context(), "explain "+query)
	succeed(t, "explain a query", err)
	return strings.Join(must(pgx.CollectRows(rows, pgx.RowTo[string])), "\n")
}

// TestSearchTimeout wants the reason of a search that takes too long.
func TestSearchTimeout(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	release := w.hold(t, "lock table channels in access exclusive mode")
	defer release()
	_, _, err := w.Channels(t.Context(), core.ChannelFilter{Search: search(t, "metro"), Page: core.Page{Limit: 10}})
	var got *core.Error
	if want := core.ErrSearchTimeout(nil).Reason; !errors.As(err, &got) || got.Reason != want {
		t.Errorf("a search that has to wait: got %v, want the reason %q", err, want)
	}
}
