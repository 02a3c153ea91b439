package postgres

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"sync"
	"time"
	"unsafe"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/sininho/sininho/server/internal/core"
)

const (
	keptSize  = 16       // notifications of a channel that are kept; a page of the feed has 10
	keptBytes = 32 << 20 // of all channels together
)

// newest keeps the newest notifications of channels in memory. A reader learns the heads of channels from the database,
// and uses what is kept only when it covers them. So it is never older than the reader's request, whichever node has
// published.
type newest struct {
	reads *gatherer[core.ID, *kept]

	mu    sync.Mutex
	kept  *simplelru.LRU[core.ID, *kept]
	ids   map[channelAddress]core.ID // of kept
	bytes int
}

// channelHead says which state of a channel a reader has found, and what they want of it.
type channelHead struct {
	channelVersion
	Ordinal int64 // of the latest publication
	Since   int64 `db:"-"` // only publications after this one are wanted,
	Wanted  int64 `db:"-"` // so many visible ones; 0: it is not known
}

// channelVersion is raised by each change: the number by publications and corrections, the time by another name or icon
// of the channel.
type channelVersion struct {
	Version   int64
	UpdatedAt time.Time
}

// covers reports whether v is as new as another version, or newer.
func (v channelVersion) covers(other channelVersion) bool {
	return v.Version >= other.Version && !v.UpdatedAt.Before(other.UpdatedAt)
}

// kept is the newest visible notifications of a channel, at least one. They are the same for everyone and must not be
// changed.
type kept struct {
	channelVersion
	rows          []*keptRow
	ids, ordinals string // of the rows, as arguments that a statement casts to arrays
	all           bool   // the channel has no others
}

// keptRow is a notification as everyone sees it, with its number in the channel.
type keptRow struct {
	core.Notification
	ordinal int64
}

func (h channelHead) wants(row *keptRow) bool {
	return row.ordinal > h.Since && row.ordinal <= h.Ordinal
}

// hasAll reports whether all that a reader wants is kept. It counts, because the times of notifications need not have
// the order of their numbers.
func (k *kept) hasAll(h channelHead) bool {
	if k.all || h.Wanted == 0 {
		return k.all
	}
	has := int64(0)
	for _, row := range k.rows {
		if h.wants(row) {
			has++
		}
	}
	return has >= h.Wanted
}

func (k *kept) address() channelAddress {
	channel := k.rows[0].Channel
	return channelAddress{channel.PublisherSlug, channel.Slug}
}

func newNewest(find func(ctx context.Context, ids []core.ID) (map[core.ID]*kept, error)) *newest {
	n := &newest{ids: map[channelAddress]core.ID{}}
	// The number of entries is limited by their bytes.
	n.kept, _ = simplelru.NewLRU(keptBytes, func(id core.ID, old *kept) {
		n.bytes -= old.size()
		if address := old.address(); n.ids[address] == id {
			delete(n.ids, address)
		}
	})
	n.reads = newGatherer(func(ctx context.Context, ids []core.ID) (map[core.ID]*kept, error) {
		found, err := find(ctx, ids)
		n.keep(found)
		return found, err
	})
	return n
}

// of returns the newest notifications of channels, newest first, up to a number of them, and whether the channels have
// no others that are wanted. It leaves out those that were published after the heads, and those that others may come
// before: beyond what is kept of a channel, and beyond the bound of what other channels have, unless that is zero.
func (n *newest) of(ctx context.Context, heads map[core.ID]channelHead, bound core.Cursor, limit int) (
	rows []*keptRow, all bool, err error) {
	found, err := n.covering(ctx, heads)
	if err != nil || len(found) < len(heads) {
		return nil, false, err
	}
	all = bound == core.Cursor{}
	for id, k := range found {
		if last := k.rows[len(k.rows)-1].Cursor(); !k.hasAll(heads[id]) && newestLast(last, bound) > 0 {
			all, bound = false, last
		}
	}
	for id, k := range found {
		for _, row := range k.rows {
			if heads[id].wants(row) && newestLast(row.Cursor(), bound) >= 0 {
				rows = append(rows, row)
			}
		}
	}
	slices.SortFunc(rows, func(a, b *keptRow) int { return newestLast(b.Cursor(), a.Cursor()) })
	if len(rows) > limit {
		return rows[:limit], false, nil
	}
	return rows, all, nil
}

// newestLast compares the places of notifications in lists.
func newestLast(a, b core.Cursor) int {
	return cmp.Or(a.PublishedAt.Compare(b.PublishedAt), bytes.Compare(a.ID[:], b.ID[:]))
}

// covering returns what covers the heads. It lacks channels of which nothing is visible any more, and those that the
// reader found on a replica that is ahead.
func (n *newest) covering(ctx context.Context, heads map[core.ID]channelHead) (map[core.ID]*kept, error) {
	found, missing := make(map[core.ID]*kept, len(heads)), []core.ID(nil)
	n.mu.Lock()
	for id, head := range heads {
		if k, ok := n.kept.Get(id); ok && k.covers(head.channelVersion) {
			found[id] = k
		} else {
			missing = append(missing, id)
		}
	}
	n.mu.Unlock()
	if len(missing) == 0 {
		return found, nil
	}
	read, err := n.reads.getAll(ctx, missing...)
	for _, id := range missing {
		if k := read[id]; k != nil && k.covers(heads[id].channelVersion) {
			found[id] = k
		}
	}
	return found, err
}

// at returns what is kept of a channel, perhaps of an earlier version, or of a deleted channel with the same address.
func (n *newest) at(a channelAddress) *kept {
	n.mu.Lock()
	defer n.mu.Unlock()
	k, _ := n.kept.Get(n.ids[a])
	return k
}

func (n *newest) keep(found map[core.ID]*kept) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for id, k := range found {
		n.kept.Remove(id)
		n.kept.Add(id, k)
		n.ids[k.address()] = id
		n.bytes += k.size()
	}
	for n.bytes > keptBytes {
		n.kept.RemoveOldest()
	}
}

// size returns about how many bytes are in memory.
func (k *kept) size() int {
	size := int(unsafe.Sizeof(*k)) + len(k.ids) + len(k.ordinals) + 200 // with the entry of the list and the map
	for _, row := range k.rows {
		size += int(unsafe.Sizeof(*row)) + row.TextBytes() + len(row.ExternalID) + 100*len(row.Data)
	}
	return size
}

// findNewest reads the newest notifications of channels, of each up to smallPage bytes, and the versions of the
// channels in one snapshot. It finds no channel without any.
func (s *Store) findNewest(ctx context.Context, ids []core.ID) (map[core.ID]*kept, error) {
	rows, err := Hot[struct {
		notificationRow
		channelVersion
		Ordinal int64
		boundedRow
	}](ctx, s.db, `
		select`+notificationColumns+`, n.ordinal, `+noReader+`, h.version, c.updated_at, n.found, n.bytes_then
		from unnest($1::uuid[]) v (channel_id)
		join channel_heads h on h.channel_id = v.channel_id
		join channels c on c.id = v.channel_id
		join publishers p on p.id = c.publisher_id
		cross join lateral (`+withinBytes(" n.*", `
			from (
				select * from notifications n where n.channel_id = v.channel_id and n.visible
				order by `+newestFirst+limit(core.Page{Limit: keptSize + 1})+`) n`, smallPage)+`) n
		order by n.channel_id, `+newestFirst, UUIDs(ids))
	found := make(map[core.ID]*kept, len(ids))
	for _, row := range rows {
		k := found[row.ChannelID]
		if k == nil {
			k = &kept{channelVersion: row.channelVersion}
			found[row.ChannelID] = k
		}
		if len(k.rows) < keptSize {
			k.rows = append(k.rows, &keptRow{row.notification(), row.Ordinal})
		}
		k.all = row.Found == int64(len(k.rows))
	}
	for _, k := range found {
		k.ids, k.ordinals = idsAndOrdinals(k.rows)
	}
	return found, err
}
