package postgres_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/sininho/sininho/server/internal/core"
)

// TestWordsOfTheLongestTexts writes the words of texts that are long in themselves, or that become long when ligatures
// and accents are taken apart: none of them holds up the others.
func TestWordsOfTheLongestTexts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	var distinct strings.Builder
	for i := range 3_300 {
		fmt.Fprintf(&distinct, "%03x\ufdfa ", i)
	}
	for _, body := range []string{strings.Repeat("é", 20_000), strings.Repeat("\ufdfa", 20_000), distinct.String()} {
		n := w.notification("long")
		n.Body = body
		must3(w.Publish(t.Context(), n, core.Idempotency{}))
	}
	w.publish(t, "afterwards")
	for must(w.WriteWords(t.Context())).More {
	}
	f := core.FeedFilter{Search: must(core.ParseSearch("afterwards")), Page: core.Page{Limit: 10}}
	data, total, _, err := readFeed(t.Context(), w, w.subscriber, f)
	succeed(t, "search", err)
	if len(data) != 1 || total != 1 {
		t.Errorf("notifications found after long ones: got %d of %d, want 1 of 1", len(data), total)
	}
}

// hostileBodies are expressions for texts of 20,000 characters that cost the most to index. i is the number of a text.
var hostileBodies = map[string]string{
	"random words":          `(select left(string_agg(substr(md5(i || '-' || w), 1, 6), ' '), 20000) from generate_series(1, 3000) w)`,
	"ideographs":            `(select string_agg(chr(19968 + (w * 7 + i * 13) % 20900), ' ') from generate_series(1, 10000) w)`,
	"rare ideographs":       `(select string_agg(chr(131072 + (w * 7 + i * 13) % 42000), ' ') from generate_series(1, 10000) w)`,
	"ideographs as one":     `(select string_agg(chr(19968 + (w * 7 + i * 13) % 20900), '') from generate_series(1, 20000) w)`,
	"ligatures":             `(select left(string_agg(w || U&'\FDFA', ' '), 20000) from generate_series(1, 4000) w)`,
	"long words":            `(select left(string_agg(repeat(md5(i || '-' || w), 60), ' '), 20000) from generate_series(1, 11) w)`,
	"combining marks":       `(select left(string_agg('a' || repeat(chr(768 + w % 112), w % 40) || w, ' '), 20000) from generate_series(1, 4000) w)`,
	"marks of other kinds":  `(select string_agg(chr(2304 + w % 128) || chr(8400 + w % 33), '') from generate_series(1, 10000) w)`,
	"punctuation":           `repeat('a.b-c/d@e_f:', 1660)`,
	"addresses and numbers": `(select left(string_agg('x' || w || '.pt/a-' || w || '?b=1e' || w, ' '), 20000) from generate_series(1, 2000) w)`,
	"emoji":                 `(select string_agg(chr(127744 + w % 500) || chr(97 + w % 26), '') from generate_series(1, 10000) w)`,
	"words of one letter":   `repeat('a b c d e f g h i j ', 1000)`,
}

// publishHostile publishes 45 texts of each of the hostile kinds.
func (w *world) publishHostile(t *testing.T) (texts int64) {
	t.Helper()
	for _, body := range hostileBodies {
		w.exec(t, `
			insert into notifications (id, channel_id, title, body, importance, visible, published_at, stream_position)
			select gen_random_uuid(), $1, 'Edital', `+body+`, 'normal', true, $2, nextval('stream_positions')
			from generate_series(1, 45) i`, w.channel.ID, w.now)
		texts += 45
	}
	return texts
}

// TestWordsBesideHostileTexts publishes 540 texts of 20,000 characters, the worst there are, and then an ordinary one.
// It is found after the first batch, and all of them soon: no batch runs into its time limit.
func TestWordsBesideHostileTexts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	texts := w.publishHostile(t)
	w.publish(t, "Ordinary")
	begun, written := time.Now(), w.writtenAhead(t)
	more := must(w.WriteWords(t.Context())).More
	t.Logf("the ordinary notification is found after %s", time.Since(begun))
	if got := w.searchFeed(t, "ordinary"); got != 1 {
		t.Errorf("ordinary notifications found after one batch: got %d, want 1", got)
	}
	longest := time.Duration(0)
	for more {
		batch := time.Now()
		more = must(w.WriteWords(t.Context())).More
		longest = max(longest, time.Since(batch))
	}
	t.Logf("%d texts are found after %s, the longest batch took %s; %d kB of WAL", texts, time.Since(begun), longest,
		(w.writtenAhead(t)-written)>>10)
	equal(t, "texts found by their title", w.searchFeed(t, "edital"), texts)
	equal(t, "batches that failed", w.count(t, "select sum(failures) from search_progress"), int64(0))
	equal(t, "words of the text with the most of them",
		w.count(t, "select max(length(words)) from notification_words"), int64(1_001))
}

// TestWordsOfTextThatCannotBeIndexed makes PostgreSQL give up one of many texts whatever it is indexed with: it is left
// out after some failures, and all others are found.
func TestWordsOfTextThatCannotBeIndexed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	for i := range 40 {
		n := w.notification(fmt.Sprintf("Edital %d", i))
		n.Body = strings.Repeat("texto ", 1+i%2*400)
		must3(w.Publish(t.Context(), n, core.Idempotency{}))
	}
	poison := w.count(t, "select stream_position from notifications where title = 'Edital 21'")
	w.execute(t, fmt.Sprintf(`
		create function give_up() returns trigger language plpgsql as $$
		begin
			if exists (select from notifications where id = new.notification_id and stream_position = %d) then
				raise 'canceling statement due to statement timeout' using errcode = 'query_canceled';
			end if;
			return new;
		end
		$$`, poison))
	w.execute(t, `create trigger give_up before insert on notification_words for each row execute function give_up()`)
	var skipped []core.ID
	failures := 0
	for more := true; more && failures < 100; {
		done, err := w.WriteWords(t.Context())
		if err != nil {
			failures++
		}
		skipped, more = append(skipped, done.Skipped...), done.More
	}
	t.Logf("%d batches failed", failures)
	equal(t, "notifications that are found", w.searchFeed(t, "edital"), int64(39))
	equal(t, "notifications that were left out", len(skipped), 1)
	for _, id := range skipped {
		equal(t, "position of what was left out",
			w.count(t, "select stream_position from notifications where id = '"+id.String()+"'"), poison)
	}
	w.publish(t, "Edital")
	for must(w.WriteWords(t.Context())).More {
	}
	equal(t, "notifications found afterwards", w.searchFeed(t, "edital"), int64(40))
}

// TestWordsOnSeveralNodes writes words on several nodes at once: none does what another does.
func TestWordsOnSeveralNodes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range 300 {
		w.publish(t, fmt.Sprintf("Edital %d", i))
	}
	release := w.hold(t, "select from search_progress where part = 'short' for update")
	equal(t, "more to do while another node does it", must(w.WriteWords(t.Context())).More, false)
	release()
	w.execute(t, `create table written (id uuid);
		create function note() returns trigger language plpgsql as $$
		begin insert into written values (new.notification_id); return new; end $$;
		create trigger note before insert on notification_words for each row execute function note()`)
	var nodes errgroup.Group
	for range 4 {
		nodes.Go(func() error {
			for {
				done, err := w.WriteWords(t.Context())
				if core.IsCode(err, core.CodeUnavailable) {
					continue // on a busy machine, as a node does
				}
				if err != nil || !done.More && w.count(t, "select count(*) from notification_words") == 300 {
					return err
				}
			}
		})
	}
	succeed(t, "write words on several nodes", nodes.Wait())
	equal(t, "words that were written", w.count(t, "select count(*) from written"), int64(300))
}

// TestWordsOfCorrectedText corrects a long text to a short one, while only the short ones are indexed. The words of the
// long one do not come back when it is the turn of the long ones.
func TestWordsOfCorrectedText(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	n := w.notification("Edital")
	n.Body = strings.Repeat("antigo ", 400)
	must3(w.Publish(t.Context(), n, core.Idempotency{}))
	w.change(t, n.ID, func(n *core.Notification) { n.Body = "novo" })
	must(w.WriteWords(t.Context()))
	equal(t, "found by the new text", w.searchFeed(t, "novo"), int64(1))
	equal(t, "found by the old text", w.searchFeed(t, "antigo"), int64(0))
	w.change(t, n.ID, func(n *core.Notification) { n.Visible = false })
	must(w.WriteWords(t.Context()))
	equal(t, "words of a hidden notification", w.count(t, "select count(*) from notification_words"), int64(0))
}

// searchFeed returns how many notifications of the subscriber's feed have a word.
func (w *world) searchFeed(t *testing.T, word string) int64 {
	t.Helper()
	f := core.FeedFilter{Search: must(core.ParseSearch(word)), Page: core.Page{Limit: 1}}
	_, total, _, err := readFeed(t.Context(), w, w.subscriber, f)
	succeed(t, "search", err)
	return total
}

// writtenAhead returns how many bytes PostgreSQL has written to its write-ahead log. Other tests write to it too.
func (w *world) writtenAhead(t *testing.T) int64 {
	t.Helper()
	return w.count(t, "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint")
}
