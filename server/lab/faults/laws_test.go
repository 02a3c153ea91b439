package faults

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// law is a part of the promise. Its query selects a line for each breach.
type law struct{ name, breaches string }

// laws of what is stored, which hold at any time.
var stored = []law{
	{"an acknowledged publish is there", `
		select distinct l.key || ' as ' || l.id from ledger l
		where l.status between 200 and 299
			and not exists (select from published n where n.id = l.id and n.title = l.key and n.visible)`},
	{"all acknowledgements of a key have one id", `
		select key || ': ' || string_agg(distinct id::text, ', ') from ledger
		where status between 200 and 299 group by key having count(distinct id) > 1`},
	{"there is one notification for a key", `
		select title || ': ' || count(*) from published group by title having count(*) > 1`},
	{"every notification was asked for", `
		select n.title || ' as ' || n.id from notifications n
		where n.published_at is not null and n.title not in (select key from ledger)`},
	{"a notification has its key, its place on the stream and its number in the channel", `
		select n.title from published n
		where n.position is null or n.ordinal is null
			or not exists (select from idempotency_keys where notification_id = n.id)`},
	{"no two notifications share a place or a number", `
		select 'place ' || position || ': ' || string_agg(title, ', ') from published
		group by position having count(*) > 1
		union all select 'number ' || ordinal || ': ' || string_agg(title, ', ') from published
		group by channel_id, ordinal having count(*) > 1`},
	{"the channel counts what there is", `
		select h.visible || ' counted, ' || count(*) || ' there'
		from published n join channel_heads h using (channel_id)
		where n.visible group by h.channel_id, h.visible having h.visible <> count(*)`},
	{"a feed has every notification once", `
		select f.follower || ': ' || n.title || ' ' || count(x.id) || ' times' from published n
		cross join (select distinct follower from feed) f left join feed x on x.follower = f.follower and x.id = n.id
		where n.visible group by f.follower, n.id, n.title having count(x.id) <> 1`},
	{"a feed has the newest first", `
		select a.follower || ': ' || m.title || ' before ' || n.title from feed a
		join feed b on b.follower = a.follower and b.place = a.place + 1
		join published m on m.id = a.id join published n on n.id = b.id where m.published_at < n.published_at`},
	{"a device is found once for a notification", `
		select n.title || ' to ' || f.device_id || ': ' || count(*)
		from found f join published n on n.id = f.notification_id
		group by n.title, f.device_id having count(*) > 1`},
	{"every push belongs to a notification and a device, and has its id as tag", `
		select s.seq || ': ' || coalesce(s.id::text, 'no id') || ' to ' || s.address || ' with tag ' || s.tag
		from sent s
		where s.tag is distinct from s.id::text or not exists (select from published n where n.id = s.id)
			or not exists (select from devices d where d.address = s.address)`},
}

// laws of what is finished, which hold when every device has its outcome.
var finished = []law{
	{"every device that was registered has one outcome", `
		select n.title || ' to ' || d.address || ': ' || count(o.outcome) from published n
		join subscriptions f on f.channel_id = n.channel_id and f.followed_at <= n.published_at
		join devices d on d.subscriber_id = f.subscriber_id
			and d.created_at <= n.published_at and coalesce(d.retired_at > n.published_at, true)
		left join outcome o on o.notification_id = n.id and o.device_id = d.id
		group by n.id, n.title, d.id, d.address having count(o.outcome) <> 1`},
	{"what was accepted was pushed", `
		select n.title || ' to ' || d.address from outcome o
		join published n on n.id = o.notification_id join devices d on d.id = o.device_id
		where o.outcome = 'accepted' and not exists (
			select from sent s where s.id = n.id and s.address = d.address)`},
	{"what was pushed was accepted", `
		select s.seq || ': ' || s.id || ' to ' || s.address from sent s join devices d on d.address = s.address
		where not exists (select from outcome o
			where o.notification_id = s.id and o.device_id = d.id and o.outcome = 'accepted')`},
	{"every dispatch is closed with the counts of its outcomes", `
		select n.title || ': ' || coalesce(x.targeted, -1) || ' targeted, ' || coalesce(x.accepted, -1) || ' accepted, '
			|| o.devices || ' and ' || o.accepted || ' recorded'
		from published n left join dispatches x on x.notification_id = n.id
		cross join lateral (select count(*) as devices, count(*) filter (where outcome = 'accepted') as accepted
			from outcome where notification_id = n.id) o
		where x.notification_id is not null and x.finished_at is null
			or coalesce(x.targeted, 0) <> o.devices or coalesce(x.accepted, 0) <> o.accepted`},
}

// laws of streams that were open all the time, or resumed.
var streamed = []law{
	{"every stream has every notification once", `
		select h.stream || ': ' || n.title || ' ' || count(x.id) || ' times' from published n
		cross join (select distinct stream from heard) h left join heard x on x.stream = h.stream and x.id = n.id
		where n.visible group by h.stream, n.id, n.title having count(x.id) <> 1`},
	{"every stream has the order of publication", `
		select a.stream || ': ' || a.key || ' before ' || b.key from heard a
		join heard b on b.stream = a.stream and b.place = a.place + 1
		join published m on m.id = a.id join published n on n.id = b.id where m.position >= n.position`},
}

// TestLaws breaks each law on purpose.
func TestLaws(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	i.followers(2)
	n := i.Start()
	i.listen("http://" + n.Addr)
	p := i.publisher(n)
	for k := range 3 {
		p.publish(t.Context(), fmt.Sprint("law-", k))
	}
	i.finish(0)
	all := slices.Concat(stored, finished, streamed)
	broken := []string{
		"delete from published where title = 'law-1'",
		"insert into ledger values ('law-1', 201, gen_random_uuid())",
		"insert into published select * from published where title = 'law-1'",
		"delete from ledger where key = 'law-1'",
		"update published set ordinal = null where title = 'law-1'",
		"update published set position = 1",
		"update channel_heads set visible = visible + 1",
		"delete from feed where place = 1",
		"update feed set place = 2 - place",
		"insert into found select * from found limit 1",
		"update sent set tag = 'another' where seq = 1",
		"delete from outcome where notification_id = (select id from published where title = 'law-1')",
		"delete from sent where seq = 1",
		"update outcome set outcome = 'failed'",
		"update dispatches set finished_at = null",
		"insert into heard select stream, 9, id, key from heard where place = 1",
		"update heard set place = 2 - place",
	}
	if len(broken) != len(all) {
		t.Fatalf("laws: got %d, want one for each of %d ways to break them", len(all), len(broken))
	}
	j := i.judge()
	defer j.close()
	for k, law := range all {
		j.exec("begin")
		j.exec(broken[k])
		named := func(breach string) bool { return strings.HasPrefix(breach, law.name+";") }
		if !slices.ContainsFunc(j.breaches(all), named) {
			t.Errorf("%q after %q: got no breach, want one", law.name, broken[k])
		}
		j.exec("rollback")
	}
}
