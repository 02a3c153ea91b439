package postgres_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// index writes the words of all channels that wait for it.
func (w *world) index(t *testing.T) {
	t.Helper()
	for must(w.WriteChannelWords(t.Context())).More {
	}
}

// rested lets a minute pass since the words of all channels were written.
func (w *world) rested(t *testing.T) {
	t.Helper()
	w.execute(t, "update channel_words set written_at = written_at - interval '1 minute'")
}

// ranked returns the addresses of the channels that a search finds, in order.
func (w *world) ranked(t *testing.T, q string, sort core.ChannelSort) (addresses []string) {
	t.Helper()
	f := core.ChannelFilter{Search: search(t, q), Sort: sort, Page: core.Page{Limit: 100}}
	list, _, err := w.Channels(t.Context(), f)
	succeed(t, "search channels", err)
	for _, c := range list {
		addresses = append(addresses, c.Address())
	}
	return addresses
}

func (w *world) wantFound(t *testing.T, what, q string, addresses ...string) {
	t.Helper()
	if got := w.found(t, q); !slices.Equal(got, addresses) {
		t.Errorf("%s: searching channels for %q: got %q, want %q", what, q, got, addresses)
	}
}

// TestSearchPublishedText finds a channel by what it has published, and no longer by what was changed or withdrawn.
func TestSearchPublishedText(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.publish(t, "Estação fechada")
	w.wantFound(t, "before it is indexed", "estacao")
	w.index(t)
	for _, q := range []string{"estacao", "ESTAÇÃO", "estac fech", "agenda estacao", "cidade fechada"} {
		w.wantFound(t, "published", q, "vila/agenda")
	}
	w.wantFound(t, "a word that was not published", "estacao aberta")

	w.change(t, n.ID, func(n *core.Notification) { n.Title = "Estação aberta" })
	w.index(t)
	w.wantFound(t, "within a minute", "fechada", "vila/agenda")
	w.rested(t)
	w.index(t)
	w.wantFound(t, "corrected", "fechada")
	w.wantFound(t, "corrected", "aberta", "vila/agenda")

	must(w.UpdateChannel(t.Context(), w.channel.ID, core.ChannelPatch{Name: new("Vias")}, nil, w.now, nil))
	w.wantFound(t, "renamed", "agenda estacao")
	w.index(t)
	w.wantFound(t, "renamed and indexed", "vias estacao", "vila/agenda")
	must(w.UpdatePublisher(t.Context(), w.owner(t), core.PublisherPatch{Name: new("Comboios")}, nil, w.now))
	w.index(t)
	w.wantFound(t, "renamed publisher", "comboios estacao", "vila/agenda")

	w.change(t, n.ID, func(n *core.Notification) { n.Visible = false })
	w.rested(t)
	w.index(t)
	w.wantFound(t, "withdrawn", "aberta")
}

// change corrects a notification.
func (w *world) change(t *testing.T, id core.ID, change func(*core.Notification)) {
	t.Helper()
	_, err := w.Correct(t.Context(), w.channel.ID, id, func(n *core.Notification) error {
		change(n)
		return nil
	})
	succeed(t, "correct a notification", err)
}

// TestSearchPublishedTextOfListedChannels leaves out what others must not find.
func TestSearchPublishedTextOfListedChannels(t *testing.T) {
	t.Parallel()
	for what, hide := range map[string]string{
		"an unlisted channel":      "update channels set visibility = 'unlisted'",
		"a suspended channel":      "update channels set suspended = true, suspended_at = now(), suspension_reason = 'x'",
		"a demonstration":          "update channels set demonstration = true",
		"a scheduled notification": "update notifications set visible = false",
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.publish(t, "Greve")
			w.execute(t, hide)
			w.index(t)
			w.wantFound(t, what, "greve")
		})
	}
	w := newWorld(t)
	w.publish(t, "Greve")
	w.index(t)
	succeed(t, "delete the channel", w.DeleteChannel(t.Context(), w.channel.ID, nil, w.now))
	equal(t, "rows of a deleted channel", w.count(t, "select count(*) from channel_words"), 0)
	w.index(t)
	equal(t, "rows of a deleted channel, indexed", w.count(t, "select count(*) from channel_words"), 0)
}

// TestSearchReadsTheLatestNotifications finds a channel by the 50 latest notifications only.
func TestSearchReadsTheLatestNotifications(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.publish(t, "Primeira")
	for range 49 {
		w.publish(t, "outra")
	}
	w.index(t)
	w.wantFound(t, "the 50th latest", "primeira", "vila/agenda")
	w.publish(t, "mais uma")
	w.rested(t)
	w.index(t)
	w.wantFound(t, "the 51st latest", "primeira")
}

// TestSearchRanks wants names first, then descriptions, publishers and categories, then what was published.
func TestSearchRanks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.publish(t, "Obras no túnel")
	w.index(t)
	metro := w.publisher(t, "metro", "Túnel e Metro", w.subscriber)
	w.newChannel(t, metro.ID, w.category(t, "cidade"), "linhas", "Linhas")
	w.newChannel(t, w.owner(t), w.category(t, "cidade"), "tunel", "Avisos")
	w.newChannel(t, w.owner(t), w.category(t, "cidade"), "obras", "O túnel em obras")
	for day, slug := range []string{"agenda", "obras", "tunel", "linhas"} { // the newest would come first
		w.execute(t, "update channels set created_at = created_at + make_interval(days => $1) where slug = $2", day, slug)
	}
	for q, want := range map[string][]string{
		"tunel":        {"vila/tunel", "vila/obras", "metro/linhas", "vila/agenda"},
		"tunel obras":  {"vila/obras", "vila/agenda"},
		"tunel cidade": {"metro/linhas", "vila/tunel", "vila/obras", "vila/agenda"},
	} {
		for _, sort := range []core.ChannelSort{core.SortPopular, core.SortTrending, core.SortNewest} {
			equal(t, fmt.Sprintf("channels found by %q, sorted by %s", q, sort), w.ranked(t, q, sort), want)
		}
	}
	equal(t, "channels found by \"tunel\", sorted by active", w.ranked(t, "tunel", core.SortActive),
		[]string{"vila/obras", "vila/tunel", "metro/linhas", "vila/agenda"})
}

// TestSearchOfHostileText searches for, and publishes, what is hard to index.
func TestSearchOfHostileText(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, title := range []string{
		"100% grátis_hoje", "🚇 metro 🚇", "مرحبا بالعالم", "שלום", `'); drop table channels; --`, `a\b:*&|!<->(c)`,
	} {
		w.publish(t, title)
	}
	w.index(t)
	const found = "vila/agenda"
	for q, want := range map[string][]string{
		"%": {}, "_": {}, "🚇": {}, `\`: {}, "'": {}, "()": {}, "<->": {}, "\u202e": {},
		"100%": {found}, "gratis_hoje": {found}, "metro 🚇": {found}, "مرح": {found}, "שלום": {found},
		"\u202eשלום": {found}, "drop table": {found}, "drop & !table:* | x": {found}, "%%metro%%": {found},
		strings.Repeat("x", 200): {}, strings.Repeat("㌖", 200): {}, strings.Repeat("ﷺ", 200): {},
		strings.Repeat("metro ", 33): {found},
	} {
		w.wantFound(t, "hostile text", q, want...)
	}
}

// TestIndexOfHostileText indexes as many distinct words as 50 notifications can have, and as long ones.
func TestIndexOfHostileText(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `
		insert into notifications (id, channel_id, title, body, importance, visible, published_at)
		select gen_random_uuid(), $1, 'lote ' || n, case n % 4
				when 0 then (select string_agg('ﷺ' || (n * 2000 + i)::text, 'x') from generate_series(1, 2000) i)
				when 1 then (select string_agg(chr(131072 + n * 800 + i), ' ') from generate_series(1, 900) i)
				when 2 then repeat('㌖', 20000)
				else (select string_agg((n * 2000 + i)::text, ' ') from generate_series(1, 3000) i) end,
			'normal', true, $2
		from generate_series(1, 50) n`, w.channel.ID, w.now)
	w.publish(t, "Depois")
	w.index(t)
	w.wantFound(t, "after much text", "depois", "vila/agenda")
	w.wantFound(t, "much text", "lote", "vila/agenda")
	const names = 3 // agenda, vila and cidade
	equal(t, "words of the channel", w.count(t, "select length(words) from channel_words"), int64(2_000+names))
}

// TestChannelThatCannotBeIndexed makes PostgreSQL give up the texts of one of many channels: it is found by its names
// only, and all others by what they published.
func TestChannelThatCannotBeIndexed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fillSearch(t)
	w.exec(t, `
		insert into notifications (id, channel_id, title, body, importance, visible, published_at)
		select gen_random_uuid(), id, 'Edital', '', 'normal', true, now() from channels order by id limit 30`)
	w.exec(t, `insert into channel_heads (channel_id, ordinal, visible, version, published_at)
		select channel_id, 1, 1, 1, now() from notifications`)
	w.execute(t, `
		create function give_up() returns trigger language plpgsql as $$
		begin
			if new.channel_id = (select min(channel_id::text)::uuid from channel_heads) and new.words @@ 'edital' then
				raise 'canceling statement due to statement timeout' using errcode = 'query_canceled';
			end if;
			return new;
		end
		$$`)
	w.execute(t, `create trigger give_up before insert on channel_words for each row execute function give_up()`)
	var skipped []core.ID
	for batches := 0; batches < 100; batches++ {
		done, err := w.WriteChannelWords(t.Context())
		skipped = append(skipped, done.Skipped...)
		if err == nil && !done.More {
			break
		}
	}
	equal(t, "channels that are found by their texts",
		w.count(t, "select count(*) from channel_words where words @@ 'edital'"), int64(29))
	equal(t, "channels that are found by their names", w.count(t, "select count(*) from channel_words"), int64(30))
	equal(t, "channels that were left out", len(skipped), 1)
}

// TestRenameWhileIndexing renames a channel while its words are written, in either order. Afterwards it is found by the
// new name together with what it has published.
func TestRenameWhileIndexing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.publish(t, "Greve")
	w.index(t)
	w.publish(t, "Retoma")
	w.rested(t)
	tx := must(w.db.Pool().Begin(t.Context()))
	must(tx.Exec(t.Context(), "update channels set name = 'Comboios' where id = $1", w.channel.ID))
	w.index(t) // it skips the channel
	succeed(t, "commit the rename", tx.Commit(t.Context()))
	w.index(t)
	w.wantFound(t, "renamed before it was indexed", "comboios retoma", "vila/agenda")
	w.wantFound(t, "renamed before it was indexed", "agenda retoma", "vila/agenda") // its slug
	w.publish(t, "Fim")
	w.rested(t)
	release := w.hold(t, "lock table channel_words in exclusive mode")
	indexed := make(chan error, 1)
	go func() {
		_, err := w.WriteChannelWords(t.Context())
		indexed <- err
	}()
	w.waiting(t, 1)
	renamed := make(chan error, 1)
	go func() {
		_, err := w.UpdateChannel(t.Context(), w.channel.ID, core.ChannelPatch{Name: new("Barcos")}, nil, w.now, nil)
		renamed <- err
	}()
	for w.blocked(t) < 2 && len(renamed) == 0 {
		runtime.Gosched()
	}
	release()
	succeed(t, "index", <-indexed)
	succeed(t, "rename", <-renamed)
	w.wantFound(t, "renamed while it was indexed", "comboios fim")
	w.index(t)
	w.wantFound(t, "renamed while it was indexed", "barcos fim", "vila/agenda")
}

// TestSearchOfManyNotifications searches beside 200,000 notifications: no statement reads them, however common the
// words are.
func TestSearchOfManyNotifications(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fillSearch(t)
	w.exec(t, `
		insert into notifications (id, channel_id, title, body, importance, visible, published_at)
		select gen_random_uuid(), c.id, 'Aviso comum ' || c.slug, repeat('texto ', 20) || i, 'normal', true,
			now() - i * interval '1 hour'
		from channels c, generate_series(1, 5) i`)
	w.exec(t, `insert into channel_heads (channel_id, ordinal, visible, version, published_at)
		select id, 5, 5, 1, now() from channels`)
	begun := time.Now()
	w.index(t)
	t.Logf("indexed %d channels in %s", w.count(t, "select count(*) from channel_words"), time.Since(begun))
	w.execute(t, "vacuum analyze")
	var run statements
	hooked := w.Hooked(&run)
	for q, index := range map[string]string{
		"comum": "", "aviso comum texto": "", // in all channels
		"canal p 77 comum": "channel_words_idx", "xyz": "channel_words_idx",
	} {
		for _, sort := range []core.ChannelSort{core.SortPopular, core.SortTrending, core.SortNewest, core.SortActive} {
			run.selects = nil
			begun := time.Now()
			f := core.ChannelFilter{Search: search(t, q), Sort: sort, Page: core.Page{Limit: 10}}
			_, total, err := hooked.Channels(t.Context(), f)
			for range 5 { // beside other tests a search may take too long
				if !core.IsCode(err, core.CodeUnavailable) {
					break
				}
				run.selects = nil
				_, total, err = hooked.Channels(t.Context(), f)
			}
			succeed(t, "search channels", err)
			t.Logf("%q by %s: %d channels in %s", q, sort, total, time.Since(begun))
			for _, query := range run.selects {
				plan := w.plan(t, query)
				if strings.Contains(plan, "Seq Scan on notifications") || !strings.Contains(plan, index) {
					t.Errorf("the plan reads all notifications, or not the index %q:\n%s\n%s", index, query, plan)
				}
			}
		}
	}
}
