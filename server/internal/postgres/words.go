package postgres

import "context"

// writtenAtOnce is how many notifications WriteWords reads at most.
const writtenAtOnce = 500

// WriteWords writes the words by which the next notifications on the stream are found, and reports whether more may
// follow. It does nothing while another node does it, and locks nothing while there is nothing to write.
func (s *Store) WriteWords(ctx context.Context) (more bool, err error) {
	var read int
	// Raw, because it is one statement: the row that it locks is what other nodes skip, and moves with what is written.
	err = s.db.NewRaw(`
		with written as (
			select position from notification_words_written
			where position < (select max(stream_position) from notifications) for update skip locked
		), next as materialized (
			select n.id, n.channel_id, n.title, n.body, n.visible, n.stream_position
			from written w cross join lateral (
				select * from notifications where stream_position > w.position order by stream_position limit ?
			) n
		), put as (
			insert into notification_words (notification_id, words)
			select id, notification_words(channel_id, title, body) from next where visible
			on conflict (notification_id) do update set words = excluded.words
		), hidden as (
			delete from notification_words where notification_id in (select id from next where not visible)
		), moved as (
			update notification_words_written set position = (select max(stream_position) from next)
			where exists (select from next)
		)
		select count(*) from next`, writtenAtOnce).Scan(ctx, &read)
	return read == writtenAtOnce, Error(err)
}
