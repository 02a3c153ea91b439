package postgres

import (
	"context"
	"sync"
	"time"
	"unsafe"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/sininho/sininho/server/internal/core"
)

const (
	recentSize  = 16       // notifications of a channel that are kept; a page of the feed has 10
	recentBytes = 32 << 20 // of all channels together
)

// recent is the newest visible notifications of a channel. They are the same for everyone and must not be changed.
type recent struct {
	channelVersion
	newest []recentRow
	all    bool // the channel has no others
}

// channelVersion says which state of a channel was read. Each publication and change raises the version of the
// channel's head, each change of its name or icon the time.
type channelVersion struct {
	Version   int64
	UpdatedAt time.Time
}

// covers reports whether v is as new as another version, or newer.
func (v channelVersion) covers(other channelVersion) bool {
	return v.Version >= other.Version && !v.UpdatedAt.Before(other.UpdatedAt)
}

// channel returns the channel. What was found has at least one notification.
func (r *recent) channel() core.ChannelRef { return r.newest[0].Channel }

func (r *recent) address() channelAddress {
	return channelAddress{r.channel().PublisherSlug, r.channel().Slug}
}

// upTo returns the newest notifications with numbers up to an ordinal, and whether these are as many as wanted, or all.
func (r *recent) upTo(ordinal int64, wanted int) (newest []*recentRow, whole bool) {
	newest = make([]*recentRow, 0, min(wanted, len(r.newest)))
	for i := range r.newest {
		if n := &r.newest[i]; n.ordinal <= ordinal && len(newest) < wanted {
			newest = append(newest, n)
		}
	}
	return newest, r.all || len(newest) == wanted
}

// ids returns those of the notifications.
func (r *recent) ids() (ids []core.ID) {
	if r != nil {
		for i := range r.newest {
			ids = append(ids, r.newest[i].ID)
		}
	}
	return ids
}

// recentRow is a notification as everyone sees it, with its number in the channel.
type recentRow struct {
	core.Notification
	ordinal int64
}

// seen returns the notification for a reader with a receipt.
func (r *recentRow) seen(receipt feedReceipt) core.Notification {
	n := r.Notification
	n.ReadAt, n.ArchivedAt = receipt.readAt(r.ordinal), receipt.ArchivedAt
	return n
}

// recents keeps the newest notifications of channels in memory. A reader learns the versions of channels from the
// database, and uses what is kept only when it covers them. So it is never older than the reader's request, whichever
// node has published.
type recents struct {
	reads gatherer[core.ID, *recent]

	mu    sync.Mutex
	kept  *simplelru.LRU[core.ID, *recent]
	ids   map[channelAddress]core.ID // of those kept that have any notification
	bytes int
}

func newRecents(find func(ctx context.Context, ids []core.ID) (map[core.ID]*recent, error)) *recents {
	r := &recents{ids: map[channelAddress]core.ID{}}
	// The number of entries is limited by their bytes.
	r.kept, _ = simplelru.NewLRU(recentBytes, func(id core.ID, old *recent) {
		r.bytes -= old.size()
		if address := old.address(); r.ids[address] == id {
			delete(r.ids, address)
		}
	})
	r.reads.run = func(ctx context.Context, ids []core.ID) (map[core.ID]*recent, error) {
		found, err := find(ctx, ids)
		r.keep(found)
		return found, err
	}
	return r
}

// get returns the newest notifications of channels, in states that cover the versions.
func (r *recents) get(ctx context.Context, versions map[core.ID]channelVersion) (map[core.ID]*recent, error) {
	all, missing := r.covering(versions)
	if len(missing) == 0 {
		return all, nil
	}
	found, err := r.reads.getAll(ctx, missing...)
	for _, id := range missing {
		if all[id] = found[id]; all[id] == nil { // nothing is visible any more
			all[id] = &recent{all: true}
		}
	}
	return all, err
}

// peek returns what is kept of a channel, perhaps of an earlier version, or of a deleted channel with the same address.
func (r *recents) peek(a channelAddress) *recent {
	r.mu.Lock()
	defer r.mu.Unlock()
	kept, _ := r.kept.Get(r.ids[a])
	return kept
}

// covering returns what is kept and covers the versions, and the channels of which nothing does.
func (r *recents) covering(versions map[core.ID]channelVersion) (all map[core.ID]*recent, missing []core.ID) {
	all = make(map[core.ID]*recent, len(versions))
	r.mu.Lock()
	defer r.mu.Unlock()
	for id, version := range versions {
		if kept, ok := r.kept.Get(id); ok && kept.covers(version) {
			all[id] = kept
		} else {
			missing = append(missing, id)
		}
	}
	return all, missing
}

func (r *recents) keep(found map[core.ID]*recent) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id, one := range found {
		r.kept.Remove(id)
		r.kept.Add(id, one)
		r.ids[one.address()] = id
		r.bytes += one.size()
	}
	for r.bytes > recentBytes {
		r.kept.RemoveOldest()
	}
}

// size returns about how many bytes are in memory.
func (r *recent) size() int {
	size := int(unsafe.Sizeof(*r)) + 200 // with the entry of the list and the map
	for i := range r.newest {
		n := &r.newest[i]
		size += int(unsafe.Sizeof(*n)) + n.length() + 100*len(n.Data)
	}
	return size
}

// length returns the length of the texts.
func (r *recentRow) length() int {
	n := len(r.Title) + len(r.Body) + len(r.Image) + len(r.Icon) + len(r.Link) + len(r.ExternalID)
	for name, value := range r.Data {
		n += len(name) + len(value)
	}
	return n
}

func recentLength(list []*recentRow) (n int) {
	for _, r := range list {
		n += r.length()
	}
	return n
}

// findRecents reads the newest notifications of channels, of each up to smallPage bytes, and the versions of the
// channels in one snapshot. It finds no channel without any.
func (s *Store) findRecents(ctx context.Context, ids []core.ID) (map[core.ID]*recent, error) {
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
				order by `+newestFirst+limit(core.Page{Limit: recentSize + 1})+`) n`, smallPage)+`) n
		order by n.channel_id, n.published_at desc, n.id desc`, UUIDs(ids))
	found := make(map[core.ID]*recent, len(ids))
	for _, row := range rows {
		one := found[row.ChannelID]
		if one == nil {
			one = &recent{channelVersion: row.channelVersion}
			found[row.ChannelID] = one
		}
		if len(one.newest) < recentSize {
			one.newest = append(one.newest, recentRow{row.notification(), row.Ordinal})
		}
		one.all = row.Found == int64(len(one.newest))
	}
	return found, err
}
