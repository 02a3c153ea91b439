package sininhotest

import (
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/oapi-codegen/nullable"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/pkg/rules"
	"github.com/sininho/sininho/pkg/sininho"
)

type notification struct {
	sininho.Notification
	visible, withdrawn bool
	position           int64 // stream position of its latest change
	published          int64 // stream position of its publication
}

func (s *store) notifications(address sininho.Address) []*notification {
	if c := s.channel(address); c != nil {
		return c.notifications
	}
	return nil
}

func (n *notification) shown(status int) *reply {
	return &reply{status: status, value: n.Notification, version: etag(n.version())}
}

func (n *notification) version() time.Time {
	if n.EditedAt.IsZero() {
		return time.UnixMicro(0)
	}
	return n.EditedAt
}

// show updates a notification's visibility and puts the change on the streams.
func (s *store) show(n *notification) {
	was := n.visible
	at := now()
	if n.PublishedAt.IsZero() && !n.withdrawn && !n.ScheduledAt.After(at) {
		n.PublishedAt = at
	}
	n.visible = !n.PublishedAt.IsZero() && !n.withdrawn && (n.ExpiresAt.IsZero() || n.ExpiresAt.After(at))
	if n.visible || was {
		n.position = s.moveOn()
	}
	if n.visible && !was {
		n.published = n.position
	}
}

// settle publishes the notifications that are due and hides those that have expired.
func (s *store) settle() {
	at := now()
	for _, c := range s.channels {
		for _, n := range c.notifications {
			due := n.PublishedAt.IsZero() && !n.withdrawn && !n.ScheduledAt.After(at)
			expired := n.visible && !n.ExpiresAt.IsZero() && !n.ExpiresAt.After(at)
			if due || expired {
				s.show(n)
			}
		}
	}
}

// settleAt schedules a call of settle at each of the times.
func (s *store) settleAt(times ...time.Time) {
	for _, at := range times {
		if !at.IsZero() && at.After(time.Now()) {
			time.AfterFunc(time.Until(at), func() {
				s.mu.Lock()
				defer s.mu.Unlock()
				s.settle()
			})
		}
	}
}

func (s *Server) listNotifications(r *request) (*reply, error) {
	query := r.URL.Query()
	var after *cursor
	if query.Has("cursor") {
		if offset, err := strconv.Atoi(query.Get("offset")); err == nil && offset != 0 {
			return nil, exclusive("an offset other than 0")
		}
		at, err := parseCursor(query.Get("cursor"))
		if err != nil {
			return nil, err
		}
		after = &at
	}
	scheduled := query.Get("scheduled") == "true"
	if scheduled && after != nil {
		return nil, exclusive("scheduled")
	}
	c, err := s.store.inPath(r)
	if err != nil {
		return nil, err
	}
	if scheduled {
		return c.listScheduled(r)
	}
	return c.list(r, after), nil
}

func exclusive(other string) error {
	return invalid(sininho.FieldError{
		Pointer: "query:cursor", Code: "exclusive", Detail: "cannot be combined with " + other})
}

func (c *channel) listScheduled(r *request) (*reply, error) {
	if err := r.key.authorizeAny(c.PublisherSlug, sininho.ScopeRead, sininho.ScopePublish); err != nil {
		return nil, err
	}
	all := c.those(func(n *notification) bool { return n.PublishedAt.IsZero() && !n.withdrawn })
	slices.SortFunc(all, func(a, b sininho.Notification) int {
		return cmp.Or(a.ScheduledAt.Compare(b.ScheduledAt), cmp.Compare(a.ID, b.ID))
	})
	return paged(r, all), nil
}

func (c *channel) those(wanted func(*notification) bool) []sininho.Notification {
	all := []sininho.Notification{}
	for _, n := range c.notifications {
		if wanted(n) {
			all = append(all, n.Notification)
		}
	}
	return all
}

func (c *channel) list(r *request, after *cursor) *reply {
	all := c.those(func(n *notification) bool { return n.visible })
	slices.SortFunc(all, func(a, b sininho.Notification) int { return cursorOf(a).compare(cursorOf(b)) })
	from := min(number(r, "offset", 0), len(all))
	if after != nil {
		from = 0
		for from < len(all) && cursorOf(all[from]).compare(*after) <= 0 {
			from++
		}
	}
	to := min(from+number(r, "limit", 10), len(all))
	p := page[sininho.Notification]{Data: all[from:to]}
	p.Meta.Total = len(all)
	link := ""
	if to < len(all) {
		p.Meta.NextCursor = cursorOf(all[to-1]).String()
		link = next(r, "cursor", p.Meta.NextCursor)
	}
	return &reply{status: http.StatusOK, value: p, link: link}
}

func (s *Server) getNotification(r *request) (*reply, error) {
	c, err := s.store.inPath(r)
	if err != nil {
		return nil, err
	}
	n := c.notification(r.PathValue("id"))
	if n == nil || n.withdrawn {
		return nil, notFound()
	}
	if !n.visible && r.key.authorizeAny(c.PublisherSlug, sininho.ScopeRead, sininho.ScopePublish) != nil {
		return nil, notFound()
	}
	return n.shown(http.StatusOK), nil
}

func (c *channel) notification(id string) *notification {
	for _, n := range c.notifications {
		if strings.EqualFold(n.ID, id) {
			return n
		}
	}
	return nil
}

func inputOf(in api.NotificationInput) sininho.PublishInput {
	return sininho.PublishInput{
		Title: in.Title, Body: value(in.Body), Image: value(in.Image), Icon: value(in.Icon), Link: value(in.Link),
		Importance: sininho.Importance(value(in.Importance)), Data: value(in.Data), ExternalID: value(in.ExternalID),
		ScheduledAt: kept(value(in.ScheduledAt)), ExpiresAt: kept(value(in.ExpiresAt)),
	}
}

func rulesOfNotificationInput(body []byte) error {
	in := decoded[api.NotificationInput](body)
	return checkInput(inputOf(in))
}

func checkInput(in sininho.PublishInput) error {
	return serverRules(in.Validate(), in.Link)
}

// serverRules converts the faults found by Validate to those that a server on the internet reports.
func serverRules(err error, link string) error {
	var f faults
	var input *sininho.InputError
	if errors.As(err, &input) {
		for _, fault := range input.Fields {
			if fault.Pointer == "#/link" {
				link = "" // its fault is known
			}
			f.add(fault.Pointer, fault.Code, fault.Detail)
		}
	}
	// Validate accepts links to the same machine and of any scheme, as servers with other settings do.
	var found rules.Faults
	found.Destination("#/link", link, rules.Links{})
	for _, fault := range found {
		f.add(fault.Pointer, fault.Code, fault.Detail.EN)
	}
	if len(f) == 0 {
		return nil
	}
	return &sininho.InputError{Fields: f}
}

func (s *Server) publish(r *request) (*reply, error) {
	c, err := s.store.editable(r, sininho.ScopePublish)
	if err != nil {
		return nil, err
	}
	in := decoded[api.NotificationInput](r.body)
	var f faults
	if f.rules(rulesOfNotificationInput(r.body)); len(f) > 0 {
		// A notification published in time stays published, however late the request is repeated.
		if again, err := s.store.replayOf(r); again != nil && err == nil {
			return again, nil
		}
		return nil, f.err()
	}
	return s.store.once(r, func() (*reply, error) {
		n, created := s.store.add(c, inputOf(in))
		if !created {
			return n.shown(http.StatusOK), nil
		}
		out := n.shown(http.StatusCreated)
		out.location = base + "/channels/" + c.Address().String() + "/notifications/" + n.ID
		return out, nil
	})
}

// add publishes to a channel, or returns the notification that already has the external id.
func (s *store) add(c *channel, in sininho.PublishInput) (n *notification, created bool) {
	for _, n := range c.notifications {
		if in.ExternalID != "" && n.ExternalID == in.ExternalID {
			return n, false
		}
	}
	n = &notification{Notification: sininho.Notification{
		ID: newID(), Channel: c.ref(), Title: in.Title, Body: in.Body, Image: in.Image, Icon: in.Icon, Link: in.Link,
		Importance: cmp.Or(in.Importance, sininho.Normal), Data: in.Data, ExternalID: in.ExternalID,
		ScheduledAt: in.ScheduledAt, ExpiresAt: in.ExpiresAt,
	}}
	c.notifications = append(c.notifications, n)
	s.show(n)
	s.settleAt(n.ScheduledAt, n.ExpiresAt)
	return n, true
}

// toChange returns the notification that the path names, if the key may change it.
func (s *store) toChange(r *request) (*notification, error) {
	c, err := s.editable(r, sininho.ScopePublish)
	if err != nil {
		return nil, err
	}
	if n := c.notification(r.PathValue("id")); n != nil {
		return n, nil
	}
	return nil, notFound()
}

func rulesOfNotificationPatch(body []byte) error {
	in := decoded[api.NotificationPatch](body)
	return apply(in, &sininho.Notification{Title: "-"})
}

func (s *Server) correct(r *request) (*reply, error) {
	n, err := s.store.toChange(r)
	if err != nil {
		return nil, err
	}
	if n.withdrawn {
		return nil, notFound()
	}
	if err := checkSeen(r, n.version()); err != nil {
		return nil, err
	}
	in := decoded[api.NotificationPatch](r.body)
	corrected := n.Notification
	var f faults
	if f.rules(apply(in, &corrected)); len(f) > 0 {
		return nil, f.err()
	}
	corrected.EditedAt = later(n.EditedAt)
	n.Notification = corrected
	s.store.show(n)
	s.store.settleAt(n.ScheduledAt, n.ExpiresAt)
	return n.shown(http.StatusOK), nil
}

// apply changes a notification, and reports every fault of the changed fields.
func apply(in api.NotificationPatch, n *sininho.Notification) error {
	set(&n.Title, in.Title)
	set(&n.Body, in.Body)
	set(&n.Importance, (*sininho.Importance)(in.Importance))
	set(&n.Data, (*map[string]string)(in.Data))
	check := sininho.PublishInput{Title: n.Title, Body: n.Body, Data: n.Data,
		Image: replace(&n.Image, in.Image), Icon: replace(&n.Icon, in.Icon), Link: replace(&n.Link, in.Link)}
	expires := replace(&n.ExpiresAt, in.ExpiresAt)
	var f faults
	switch {
	case in.ScheduledAt == nil:
	case !n.PublishedAt.IsZero():
		f.add("#/scheduledAt", "published", "cannot change after publication")
	default:
		n.ScheduledAt, expires = kept(*in.ScheduledAt), n.ExpiresAt
	}
	check.ScheduledAt, check.ExpiresAt = n.ScheduledAt, expires
	n.ExpiresAt = kept(n.ExpiresAt)
	if f.rules(checkInput(check)); len(f) == 0 {
		return nil
	}
	return &sininho.InputError{Fields: f}
}

// replace stores the patch's value in *to, zero for null, and returns it; it returns zero if the patch has none.
func replace[T any](to *T, patch nullable.Nullable[T]) (v T) {
	if patch.IsSpecified() {
		v, _ = patch.Get()
		*to = v
	}
	return v
}

func (s *Server) withdraw(r *request) (*reply, error) {
	n, err := s.store.toChange(r)
	if err != nil {
		return nil, err
	}
	if !n.withdrawn {
		if err := checkSeen(r, n.version()); err != nil {
			return nil, err
		}
		n.withdrawn = true
		s.store.show(n)
	}
	return &reply{status: http.StatusNoContent}, nil
}
