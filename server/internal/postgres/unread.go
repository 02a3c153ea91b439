package postgres

// IsRead is true when a reader with subscription s and receipt r has read notification n. Those who no longer follow
// the channel have read it if they did so one by one. Whatever counts or selects what is unread derives from this.
const IsRead = "coalesce(r.read, n.ordinal <= s.read_ordinal, r.read_at is not null)"

// readState is the times since when IsRead is true, since when receipt r is archived, and until when it is postponed.
const readState = `case when ` + IsRead + ` then coalesce(r.read_at, s.read_at) end as read_at,
	case when r.snoozed_until is null then r.archived_at end as archived_at, r.snoozed_until`

// noReader is readState of nobody.
const noReader = `null::timestamptz as read_at, null::timestamptz as archived_at, null::timestamptz as snoozed_until`

// joinReader joins what IsRead needs of the reader, an argument that may be NULL.
func joinReader(argument string) string {
	return `
	left join subscriptions s on s.channel_id = n.channel_id and s.subscriber_id = ` + argument +
		joinReceipt("s.subscriber_id")
}

// joinReceipt joins the receipt of a reader for each notification n. It is looked up for each row: joined, PostgreSQL
// may read all receipts of the reader, or those that everybody has of a notification.
func joinReceipt(reader string) string {
	return `
	left join lateral (
		select read, read_at, archived_at, snoozed_until from receipts
		where subscriber_id = ` + reader + ` and notification_id = n.id offset 0
	) r on true`
}

// unreadPublications counts what subscription s has not read of a channel with head h. Publications are numbered
// without gaps within a channel, and deleted from the first on, so those after the last one read are a difference of
// two numbers. The hidden ones are left out, where there may be any: up to the end of the last one's run of 64 they are
// counted, then whole runs from hidden_counts, of 64 to the end of the next larger one, and so on: after 100, those of
// 101 to 127 are counted, then runs 2 to 63 of level 1 (128 to 4095), then runs 1 to 63 of level 2 (to 262,143).
const unreadPublications = `
	h.ordinal - greatest(s.read_ordinal, h.pruned) - case when h.hidden > greatest(s.read_ordinal, h.pruned) then (
		select count(*) from notifications n
		where n.channel_id = s.channel_id and n.ordinal > greatest(s.read_ordinal, h.pruned)
			and n.ordinal <= greatest(s.read_ordinal, h.pruned) | 63 and not n.visible
	) + case when h.hidden > greatest(s.read_ordinal, h.pruned) | 63 then (
		select coalesce(sum(k.count), 0)::bigint from (
			select level, greatest(s.read_ordinal, h.pruned) >> 6 * level as last from generate_series(1, 5) level
		) v cross join lateral (
			select count from hidden_counts
			where channel_id = s.channel_id and level = v.level and run > v.last and run <= v.last | 63 offset 0
		) k
	) else 0 end else 0 end`

// unreadDifference is the difference that receipt r of visible notification n makes to the number of publications that
// subscription s has not read, so that it is how many are unread in a feed. In a list, archived ones count too.
const (
	unreadDifference       = "(case when not " + IsRead + " and r.archived_at is null then 1 else 0 end" + lessAfterRead
	unreadDifferenceOfList = "(case when not " + IsRead + " then 1 else 0 end" + lessAfterRead

	lessAfterRead = " - case when n.ordinal > s.read_ordinal then 1 else 0 end)"
)

// isException is true of the receipts that count: those that differ from what their subscription says, and archived
// ones, among which are the postponed ones. An index finds them.
const isException = "(r.read is not null or r.archived_at is not null)"

// fromExceptions selects from these receipts r, with their visible notifications n and their subscriptions s, those of
// channels that are not suspended.
const fromExceptions = `
	from receipts r
	join notifications n on n.id = r.notification_id and n.visible
	join subscriptions s on s.subscriber_id = r.subscriber_id and s.channel_id = n.channel_id
	where ` + isException + ` and ` + isShown
