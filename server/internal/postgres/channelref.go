package postgres

import "github.com/sininho/sininho/server/internal/core"

// channelRefRow is what other nouns show of their channel. Queries select it as channelRefColumns.
type channelRefRow struct {
	ChannelSlug   string          `bun:"channel_slug,scanonly"`
	ChannelName   string          `bun:"channel_name,scanonly"`
	ChannelIcon   string          `bun:"channel_icon,scanonly"`
	Demonstration bool            `bun:"demonstration,scanonly"`
	Visibility    core.Visibility `bun:"visibility,scanonly"`
	Suspended     bool            `bun:"suspended,scanonly"`
	PublisherSlug string          `bun:"publisher_slug,scanonly"`
}

// channelRefColumns are those of channels c and publishers p.
const channelRefColumns = `c.slug as channel_slug, c.name as channel_name, coalesce(c.icon, '') as channel_icon,
	c.demonstration, c.suspended, c.visibility, p.slug as publisher_slug`

func (r channelRefRow) ref(id core.ID) core.ChannelRef {
	return core.ChannelRef{ID: id, PublisherSlug: r.PublisherSlug, Slug: r.ChannelSlug, Name: r.ChannelName,
		Icon: r.ChannelIcon, Demonstration: r.Demonstration, Suspended: r.Suspended,
		Private: r.Visibility == core.Private}
}
