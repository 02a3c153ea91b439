package simulation

import (
	"fmt"
	"net/http"
	"time"

	"github.com/sininho/sininho/server/lab/simulation/history"
)

// follower is a person who follows channels, reads, and has devices, each with a session of its own.
type follower struct {
	*client
	number  int
	name    string
	cookies []string // of the devices
	devices []string // their ids, once they are registered
}

func (r *run) follower(i int) *follower {
	f := &follower{client: r.client(person(i)), number: i, name: person(i), devices: make([]string, deviceCount)}
	f.cookie = r.session(f.name)
	for range deviceCount {
		f.cookies = append(f.cookies, r.session(f.name))
	}
	return f
}

func (f *follower) do(s step) {
	switch s.Do {
	case history.Follow, history.Unfollow, history.Bell, history.Mute:
		f.subscription(s)
	case history.Read, history.Unread, history.Archive, history.Restore:
		if n, ok := f.r.known.pick(s.Pick); ok {
			f.mark(s, n.id)
		}
	case history.ReadAll:
		f.readAll(s)
	case history.Feed, history.UnreadFeed, history.List:
		f.page(s)
	case history.Subscriptions:
		f.subscriptions(s.Node)
	case history.Channel:
		f.channel(s.Node, channel(s.Channel))
	case history.Register:
		f.register(s.Node, f.number*deviceCount+choose(s.Pick, deviceCount))
	case move: // a device of somebody who does not only look on
		f.register(s.Node, 2*deviceCount+choose(s.Pick, (followerCount-2)*deviceCount))
	case history.Remove:
		f.remove(s.Node, choose(s.Pick, deviceCount))
	}
}

func (f *follower) subscription(s step) {
	e := history.Event{Kind: s.Do, Person: f.name, Channel: channel(s.Channel)}
	q := request{method: http.MethodPatch, path: "/subscribers/channels/" + f.r.channelIDs[s.Channel]}
	switch s.Do {
	case history.Follow:
		q = request{method: http.MethodPost, path: q.path + "/subscribe"}
	case history.Unfollow:
		q = request{method: http.MethodPost, path: q.path + "/unsubscribe"}
	case history.Bell:
		e.Bell, q.body = s.Bell, map[string]string{"bell": s.Bell}
	case history.Mute:
		e.Muted = s.Muted
		body := map[string]*time.Time{"mutedUntil": nil}
		if s.Muted {
			body["mutedUntil"] = new(time.Now().Add(24 * time.Hour))
		}
		q.body = body
	}
	f.persist(s.Node, e, q, nil)
}

func (f *follower) mark(s step, id string) {
	body := map[string]bool{}
	switch s.Do {
	case history.Read, history.Unread:
		body["read"] = s.Do == history.Read
	default:
		body["archived"] = s.Do == history.Archive
	}
	f.persist(s.Node, history.Event{Kind: s.Do, Person: f.name, ID: id},
		request{method: http.MethodPatch, path: "/subscribers/notifications/" + id, body: body},
		func(got *result) { got.id = id })
}

func (f *follower) readAll(s step) {
	e, body := history.Event{Kind: history.ReadAll, Person: f.name}, map[string]string{}
	if s.Pick < 0.7 {
		e.Channel = channel(s.Channel)
		body["channelId"] = f.r.channelIDs[s.Channel]
	}
	f.persist(s.Node, e, request{method: http.MethodPost, path: "/subscribers/notifications/read-all", body: body}, nil)
}

// page reads a feed or the list of a channel.
func (f *follower) page(s step) result {
	e := history.Event{Kind: s.Do, Person: f.name, Value: history.Value{Limit: s.Limit}}
	path := fmt.Sprintf("/subscribers/notifications?limit=%d", s.Limit)
	switch s.Do {
	case history.UnreadFeed:
		path += "&unread=true"
	case history.List:
		e.Person, e.Channel = "", channel(s.Channel)
		path = fmt.Sprintf("/channels/demo/%s/notifications?limit=%d", e.Channel, s.Limit)
	}
	return f.client.do(s.Node, e, request{method: http.MethodGet, path: path, read: true}, func(got *result) {
		var page struct {
			Data []struct {
				ID, Title   string
				PublishedAt time.Time
				ReadAt      *time.Time
			}
			Meta struct{ Total, Unread int }
		}
		f.decode(got, &page)
		got.Total, got.Unread = page.Meta.Total, page.Meta.Unread
		for _, n := range page.Data {
			got.Items = append(got.Items, history.Item{ID: n.ID, Title: n.Title, Read: n.ReadAt != nil,
				Published: n.PublishedAt})
		}
	})
}

func (f *follower) subscriptions(node int) result {
	e := history.Event{Kind: history.Subscriptions, Person: f.name}
	q := request{method: http.MethodGet, path: "/subscribers/channels?limit=100", read: true}
	return f.client.do(node, e, q, func(got *result) {
		var page struct {
			Data []struct {
				Channel     struct{ Slug string }
				Bell        string
				MutedUntil  *time.Time
				UnreadCount int
			}
		}
		f.decode(got, &page)
		for _, s := range page.Data {
			got.Items = append(got.Items, history.Item{Channel: s.Channel.Slug, Bell: s.Bell,
				Muted: s.MutedUntil != nil, Unread: s.UnreadCount})
		}
	})
}

// channel reads a channel with the number of its followers.
func (f *follower) channel(node int, channel string) result {
	return f.client.do(node, history.Event{Kind: history.Channel, Channel: channel},
		request{method: http.MethodGet, path: "/channels/demo/" + channel, read: true}, func(got *result) {
			var c struct{ SubscriberCount int }
			f.decode(got, &c)
			got.Total = c.SubscriberCount
		})
}

// register registers a device by its number, which may be somebody else's.
func (f *follower) register(node, device int) {
	of := *f.client
	c := &of
	c.cookie = f.cookies[device%deviceCount]
	installation := "installation-" + address(device)
	e := history.Event{Kind: history.Register, Person: f.name, Value: history.Value{Key: installation,
		Address: address(device)}}
	c.persist(node, e, request{method: http.MethodPost, path: "/subscribers/devices", body: map[string]string{
		"installationId": installation, "kind": "token", "address": address(device), "platform": "web", "name": "X",
	}}, func(got *result) {
		var d struct{ ID string }
		c.decode(got, &d)
		got.Device = d.ID
		if device/deviceCount == f.number {
			f.devices[device%deviceCount] = d.ID
		}
	})
}

func (f *follower) remove(node, device int) {
	if id := f.devices[device]; id != "" {
		f.persist(node, history.Event{Kind: history.Remove, Person: f.name, Value: history.Value{Device: id}},
			request{method: http.MethodDelete, path: "/subscribers/devices/" + id}, nil)
	}
}
