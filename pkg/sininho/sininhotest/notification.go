package sininhotest

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/sininho/sininho/pkg/rules"
	"github.com/sininho/sininho/pkg/sininho"
)

// links are those that a server on the internet accepts.
var links = rules.Links{HTTPPictures: true}

type notification struct {
	sininho.Notification
	by                 string // key or webhook
	deliveries         *sininho.Deliveries
	visible, withdrawn bool
	published, changed int // positions in the streams of its publication and its latest change
}

// Published returns the notifications of a channel, oldest first. It includes scheduled and expired ones, but not
// withdrawn ones.
func (s *Server) Published(channel string) (all []sininho.Notification) {
	defer s.lock()()
	s.settle()
	if c := s.channels[channel]; c != nil {
		all = s.those(c, func(n *notification) bool { return !n.withdrawn })
	}
	return all
}

// those returns the notifications of a channel that are wanted, oldest first.
func (s *Server) those(c *sininho.Channel, wanted func(*notification) bool) (all []sininho.Notification) {
	for _, n := range s.notifications {
		if n.Channel.ID == c.ID && wanted(n) {
			all = append(all, n.Notification)
		}
	}
	return all
}

func (s *Server) listNotifications(r *request) any {
	if r.FormValue("scheduled") == "true" {
		if refused := r.mayReadAll(); refused != nil {
			panic(refused)
		}
		all := s.those(r.channel, func(n *notification) bool { return n.PublishedAt.IsZero() && !n.withdrawn })
		slices.SortStableFunc(all, func(a, b sininho.Notification) int { return a.ScheduledAt.Compare(b.ScheduledAt) })
		return page(r, all, nil)
	}
	place := func(n sininho.Notification) string { return fmt.Sprint(n.PublishedAt.UnixMicro(), n.ID) }
	all := s.those(r.channel, func(n *notification) bool { return n.visible })
	slices.SortFunc(all, func(a, b sininho.Notification) int { return cmp.Compare(place(b), place(a)) })
	return page(r, all, place)
}

// mayReadAll returns a refusal unless the caller may see what is not published.
func (r *request) mayReadAll() *sininho.Error {
	if r.key.check(r.channel.PublisherSlug, sininho.ScopePublish) == nil {
		return nil
	}
	return r.key.check(r.channel.PublisherSlug, sininho.ScopeRead)
}

// notification returns the one that the path names, even if it is withdrawn.
func (s *Server) notification(r *request) *notification {
	return find(s.notifications, func(n *notification) bool {
		return n.ID == r.PathValue("id") && n.Channel.ID == r.channel.ID
	})
}

func (s *Server) getNotification(r *request) any {
	n := s.notification(r)
	if n.withdrawn || !n.visible && r.mayReadAll() != nil {
		panic(notFound())
	}
	return n.Notification
}

// faultsOf returns the faults of a notification that is published now.
func (s *Server) faultsOf(in sininho.PublishInput) rules.Faults {
	found := converted[rules.Notification](in).Faults(links, s.now())
	if in.Title == "" {
		found[0].Code = "too_short" // the contract finds it before the rules find it blank
	}
	return found
}

func (s *Server) publish(r *request) any {
	in := decode[sininho.PublishInput](r)
	refuse(s.faultsOf(in))
	n, created := s.add(r.channel, in, "key")
	if created {
		r.status = http.StatusCreated
	}
	return n.Notification
}

// add publishes to a channel, or returns the notification that already has the external id.
func (s *Server) add(c *sininho.Channel, in sininho.PublishInput, by string) (n *notification, created bool) {
	for _, n := range s.notifications {
		if in.ExternalID != "" && n.ExternalID == in.ExternalID && n.Channel.ID == c.ID {
			return n, false
		}
	}
	n = &notification{Notification: converted[sininho.Notification](in), by: by}
	n.ID, n.Channel = newID(), converted[sininho.ChannelRef](c)
	n.Importance = cmp.Or(n.Importance, sininho.Normal)
	s.notifications = append(s.notifications, n)
	s.settle()
	return n, true
}

func (s *Server) publishBatch(r *request) any {
	all := decode[struct{ Notifications []sininho.PublishInput }](r).Notifications
	externalIDs := make([]string, len(all))
	for i, n := range all {
		externalIDs[i] = n.ExternalID
	}
	found := rules.Batch(externalIDs, func(i int) rules.Faults { return s.faultsOf(all[i]) })
	if len(all) == 0 {
		found.Add("#/notifications", "too_few", rules.Text{EN: "has no elements"})
	}
	if len(all) > rules.MaxBatch {
		found.Add("#/notifications", "too_many", rules.TooMany(rules.MaxBatch))
	}
	refuse(found)
	results := make([]map[string]string, len(all))
	for i, in := range all {
		n, created := s.add(r.channel, in, "key")
		outcome := map[bool]string{true: "created", false: "existing"}[created]
		results[i] = map[string]string{"id": n.ID, "outcome": outcome}
	}
	return map[string]any{"data": results}
}

func (s *Server) correct(r *request) any {
	n, changes := s.notification(r), decode[map[string]any](r)
	if n.withdrawn {
		panic(notFound())
	}
	members := converted[map[string]any](n.Notification)
	maps.Copy(members, changes)
	maps.DeleteFunc(members, func(_ string, member any) bool { return member == nil }) // null removes it
	in := converted[sininho.PublishInput](members)
	_, moves := changes["scheduledAt"]
	if _, ends := changes["expiresAt"]; !moves && !ends {
		in.ExpiresAt = time.Time{} // may have passed
	}
	found := s.faultsOf(in)
	if moves && !n.PublishedAt.IsZero() {
		found.Add("#/scheduledAt", "published", rules.Text{EN: "cannot change after publication"})
	}
	if len(changes) == 0 {
		found.Add("#", "too_few", rules.Text{EN: "has no members"})
	}
	refuse(found)
	n.Notification = converted[sininho.Notification](members)
	n.EditedAt = s.now()
	if n.visible {
		s.change(n)
	}
	s.settle()
	return n.Notification
}

func (s *Server) withdraw(r *request) any {
	s.notification(r).withdrawn = true
	s.settle()
	r.status = http.StatusNoContent
	return nil
}

// SetDeliveries sets the delivery summary of a notification. Without one, no device is targeted, as if nobody followed
// the channel.
func (s *Server) SetDeliveries(notificationID string, d sininho.Deliveries) {
	s.t.Helper()
	defer s.lock()()
	i := slices.IndexFunc(s.notifications, func(n *notification) bool { return n.ID == notificationID })
	if i < 0 {
		s.t.Fatalf("sininhotest: no notification has the id %q", notificationID)
	}
	s.notifications[i].deliveries = &d
}

func (s *Server) getDeliveries(r *request) any {
	n, none := s.notification(r), map[string]int64{}
	return cmp.Or(n.deliveries, &sininho.Deliveries{Suppressed: none, Failed: none, Expired: none,
		Finished: !n.PublishedAt.IsZero(), PublishedBy: &sininho.AuditActor{Kind: n.by}})
}
