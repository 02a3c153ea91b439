package core

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"time"
)

// Limits of a notification, in characters.
const (
	MaxTitle      = 200
	MaxBody       = 20_000
	MaxExternalID = 255
)

// Importance lets subscribers choose which notifications are pushed.
type Importance string

// The levels of importance.
const (
	Normal    Importance = "normal"
	Important Importance = "important"
)

// Notification is a message that a publisher publishes to a channel.
type Notification struct {
	ID          ID                `json:"id"`
	Channel     ChannelRef        `json:"channel"`
	Title       string            `json:"title"`
	Body        string            `json:"body"`
	Image       string            `json:"image,omitempty"`
	Icon        string            `json:"icon,omitempty"`
	Link        string            `json:"link,omitempty"`
	Importance  Importance        `json:"importance"`
	Data        map[string]string `json:"data,omitempty"`
	ExternalID  string            `json:"externalId,omitempty"`
	PublishedAt *time.Time        `json:"publishedAt,omitempty"`
	ScheduledAt *time.Time        `json:"scheduledAt,omitempty"`
	ExpiresAt   *time.Time        `json:"expiresAt,omitempty"`
	EditedAt    *time.Time        `json:"editedAt,omitempty"`
	WithdrawnAt *time.Time        `json:"withdrawnAt,omitempty"`
	ReadAt      *time.Time        `json:"-"` // when the reader read it
	Visible     bool              `json:"visible"`
}

// Cursor returns the notification's position in a list.
func (n Notification) Cursor() Cursor { return Cursor{PublishedAt: *n.PublishedAt, ID: n.ID} }

// Version returns the time of the latest edit, or the Unix epoch if there was none.
func (n Notification) Version() time.Time {
	if n.EditedAt != nil {
		return *n.EditedAt
	}
	return time.UnixMicro(0)
}

// RevisedAt returns when the shown content last changed: by a correction, by expiry or by withdrawal.
func (n Notification) RevisedAt() time.Time {
	at := n.Version()
	switch {
	case n.WithdrawnAt != nil:
		at = *n.WithdrawnAt
	case !n.Visible && n.ExpiresAt != nil && n.ExpiresAt.After(at):
		at = *n.ExpiresAt
	}
	return at
}

// visibleAt reports whether the notification is in feeds at now.
func (n Notification) visibleAt(now time.Time) bool {
	return n.PublishedAt != nil && n.WithdrawnAt == nil && (n.ExpiresAt == nil || n.ExpiresAt.After(now))
}

// PublishInput is the input for a new notification.
type PublishInput struct {
	Title, Body, Image, Icon, Link string
	Importance                     Importance
	Data                           map[string]string
	ExternalID                     string
	ScheduledAt, ExpiresAt         *time.Time
}

var dataKey = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`)

// Validate reports every fault of the input.
func (in PublishInput) Validate(links LinkRules, now time.Time) error {
	return in.faults(links, now).err()
}

func (in PublishInput) faults(links LinkRules, now time.Time) (f faults) {
	f.name("#/title", in.Title)
	f.length("#/title", in.Title, MaxTitle)
	f.text("#/body", in.Body)
	f.length("#/body", in.Body, MaxBody)
	f.text("#/externalId", in.ExternalID)
	f.link("#/image", in.Image, links)
	f.link("#/icon", in.Icon, links)
	f.destination("#/link", in.Link, links)
	f.data(in.Data)
	f.moments(in.ScheduledAt, in.ExpiresAt, now)
	return f
}

const maxDataEntries, maxDataValue = 20, 500

func (f *faults) data(data map[string]string) {
	if len(data) > maxDataEntries {
		f.add("#/data", "too_many", Text{"has more than 20 entries", "tem mais de 20 entradas"})
	}
	for k, v := range data {
		if !dataKey.MatchString(k) {
			start := strconv.QuoteToASCII(k[:min(len(k), 64)])
			f.add("#/data", "key", Text{"has the key " + start + "; keys have at most 64 letters, digits, '_', '.' and '-'",
				"tem a chave " + start + "; as chaves têm no máximo 64 letras, algarismos, '_', '.' e '-'"})
			continue
		}
		f.text("#/data/"+k, v)
		f.length("#/data/"+k, v, maxDataValue)
	}
}

const farthest = 366 * 24 * time.Hour

func (f *faults) moments(scheduled, expires *time.Time, now time.Time) {
	start := now
	if scheduled != nil {
		if scheduled.After(now) {
			start = *scheduled
		}
		if scheduled.After(now.Add(farthest)) {
			f.add("#/scheduledAt", "too_far", Text{"is more than a year ahead", "está a mais de um ano"})
		}
	}
	if expires != nil && !expires.After(start) {
		f.add("#/expiresAt", "past", Text{"is not after the moment of publication", "não é posterior ao momento da publicação"})
	}
	if expires != nil && expires.Year() > 9999 {
		f.add("#/expiresAt", "too_far", Text{"is after the year 9999", "é posterior ao ano 9999"})
	}
}

// Patch sets a field to a new value, removes its value, or leaves it unchanged.
type Patch[T any] struct {
	Set   bool
	Value *T // nil removes the value
}

// CorrectInput is a change to a notification. Unset fields stay unchanged.
type CorrectInput struct {
	Title, Body       *string
	Image, Icon, Link Patch[string]
	Importance        *Importance
	Data              *map[string]string
	ScheduledAt       *time.Time
	ExpiresAt         Patch[time.Time]
}

// Validate reports every fault of the fields that are set.
func (in CorrectInput) Validate(links LinkRules, now time.Time) error {
	return in.apply(&Notification{Title: "-"}, links, now)
}

// apply applies the change to n and reports every fault of the result.
func (in CorrectInput) apply(n *Notification, links LinkRules, now time.Time) error {
	set(&n.Title, in.Title)
	set(&n.Body, in.Body)
	set(&n.Importance, in.Importance)
	set(&n.Data, in.Data)
	in.Image.text(&n.Image)
	in.Icon.text(&n.Icon)
	in.Link.text(&n.Link)
	if in.ExpiresAt.Set {
		n.ExpiresAt = in.ExpiresAt.Value
	}
	if in.ScheduledAt != nil {
		if n.PublishedAt != nil {
			return Invalid(FieldError{"#/scheduledAt", "published", Text{"cannot change once published", "não pode mudar depois de publicada"}})
		}
		n.ScheduledAt = in.ScheduledAt
	}
	check := PublishInput{Title: n.Title, Body: n.Body, Data: n.Data, ScheduledAt: n.ScheduledAt}
	if in.Image.Set {
		check.Image = n.Image
	}
	if in.Icon.Set {
		check.Icon = n.Icon
	}
	if in.Link.Set {
		check.Link = n.Link
	}
	if in.ExpiresAt.Set || in.ScheduledAt != nil {
		check.ExpiresAt = n.ExpiresAt
	}
	return check.Validate(links, now)
}

func set[T any](to *T, v *T) {
	if v != nil {
		*to = *v
	}
}

func (p Patch[T]) text(to *T) {
	var zero T
	if p.Set {
		*to = zero
		set(to, p.Value)
	}
}

// NotificationStore keeps notifications.
type NotificationStore interface {
	// Publish stores the notification, its idempotency record and the channel's count in one transaction. If the
	// channel has a notification with that external id, it returns that notification instead.
	Publish(ctx context.Context, n Notification, key Idempotency) (Notification, Creation, error)
	// Replay returns the response to the first request with the idempotency key; it fails with CodeNotFound when there
	// was none.
	Replay(ctx context.Context, key Idempotency) (Notification, Creation, error)
	// Notification returns a notification, visible or not; it fails with CodeNotFound when the channel has no such
	// notification.
	Notification(ctx context.Context, channelID, id ID, reader *ID) (Notification, error)
	// Notifications returns the visible notifications of a channel. unread is nil unless the reader follows the
	// channel; otherwise it counts the unread notifications in the whole list.
	Notifications(ctx context.Context, channel ChannelRef, page Page, reader *ID) (
		data []Notification, total int64, unread *int64, err error)
	// Scheduled returns the notifications that are not published yet, the soonest first.
	Scheduled(ctx context.Context, channel ChannelRef, page Page) (data []Notification, total int64, err error)
	// Correct locks the notification, calls change to alter it, and stores the result; counts follow its visibility. It
	// stores nothing if change returns ErrUnchanged.
	Correct(ctx context.Context, channelID, id ID, now time.Time, change func(*Notification) error) (Notification, error)
}

// ErrUnchanged is returned by a change that has nothing to store.
var ErrUnchanged = errors.New("unchanged")

// Notifications publishes, shows, corrects and withdraws notifications.
type Notifications struct {
	Store interface {
		NotificationStore
		DeliverySummaryStore
		ChannelStore
		PublisherStore
	}
	Links LinkRules
	Now   func() time.Time
	Nudge func() // notifies the dispatcher of new work; never blocks
}

// Publish publishes a notification to a channel to which the caller may publish.
func (s *Notifications) Publish(ctx context.Context, caller Caller, publisherSlug, slug string, in PublishInput, key Idempotency) (Notification, Creation, error) {
	channel, publisherID, err := s.Store.ChannelRef(ctx, publisherSlug, slug)
	if err != nil {
		return Notification{}, 0, err
	}
	if err := mayEdit(ctx, s.Store, caller, publisherID, ScopePublish); err != nil {
		return Notification{}, 0, err
	}
	return s.publish(ctx, channel, in, key)
}

// publish is Publish without the permission check.
func (s *Notifications) publish(ctx context.Context, channel ChannelRef, in PublishInput, key Idempotency) (Notification, Creation, error) {
	now := s.Now()
	if err := in.checkIn(channel, s.Links, now); err != nil {
		// A repeated request gets the first response, even if its times have passed since.
		if n, creation, replayErr := s.Store.Replay(ctx, key); replayErr == nil {
			return n, creation, nil
		}
		return Notification{}, 0, err
	}
	n, creation, err := s.Store.Publish(ctx, newNotification(channel, in, now), key)
	if err == nil && creation == Created {
		s.Nudge()
	}
	return n, creation, err
}

func newNotification(channel ChannelRef, in PublishInput, now time.Time) Notification {
	n := Notification{ID: NewID(), Channel: channel, Title: in.Title, Body: in.Body, Image: in.Image, Icon: in.Icon, Link: in.Link,
		Importance: in.Importance, Data: in.Data, ExternalID: in.ExternalID, ScheduledAt: in.ScheduledAt, ExpiresAt: in.ExpiresAt}
	if n.Importance == "" {
		n.Importance = Normal
	}
	if n.ScheduledAt == nil || !n.ScheduledAt.After(now) {
		n.PublishedAt = &now
	}
	n.Visible = n.visibleAt(now)
	return n
}

// List returns a channel's published notifications, newest first.
func (s *Notifications) List(ctx context.Context, caller Caller, publisherSlug, slug string, page Page) (data []Notification, total int64, unread *int64, err error) {
	channel, _, err := s.Store.ChannelRef(ctx, publisherSlug, slug)
	if err != nil {
		return nil, 0, nil, err
	}
	return s.Store.Notifications(ctx, channel, page, caller.reader())
}

// Get returns one notification. One that is scheduled or expired is returned only to callers of its publisher.
func (s *Notifications) Get(ctx context.Context, caller Caller, publisherSlug, slug string, id ID) (Notification, error) {
	channel, publisherID, err := s.Store.ChannelRef(ctx, publisherSlug, slug)
	if err != nil {
		return Notification{}, err
	}
	n, err := s.Store.Notification(ctx, channel.ID, id, caller.reader())
	if err != nil || n.Visible {
		return n, err
	}
	if n.WithdrawnAt != nil {
		return Notification{}, NotFound()
	}
	err = s.mayForesee(ctx, caller, publisherID)
	if IsCode(err, CodeForbidden) || IsCode(err, CodeUnauthenticated) {
		err = NotFound() // does not reveal that it exists
	}
	if err != nil {
		return Notification{}, err
	}
	return n, nil
}

// Scheduled returns the scheduled notifications of a channel, the soonest first, to callers who may read or publish
// there.
func (s *Notifications) Scheduled(ctx context.Context, caller Caller, publisherSlug, slug string, page Page) ([]Notification, int64, error) {
	channel, publisherID, err := s.Store.ChannelRef(ctx, publisherSlug, slug)
	if err == nil {
		err = s.mayForesee(ctx, caller, publisherID)
	}
	if err != nil {
		return nil, 0, err
	}
	return s.Store.Scheduled(ctx, channel, page)
}

// mayForesee returns nil if the caller may see scheduled notifications. An API key needs ScopeRead or ScopePublish.
func (s *Notifications) mayForesee(ctx context.Context, caller Caller, publisherID ID) error {
	err := mayEdit(ctx, s.Store, caller, publisherID, ScopeRead)
	if IsCode(err, CodeForbidden) {
		err = mayEdit(ctx, s.Store, caller, publisherID, ScopePublish)
	}
	return err
}

// Correct changes a notification in a channel to which the caller may publish.
func (s *Notifications) Correct(ctx context.Context, caller Caller, publisherSlug, slug string, id ID, in CorrectInput, seen *time.Time) (Notification, error) {
	return s.change(ctx, caller, publisherSlug, slug, id, func(n *Notification, now time.Time) error {
		if n.WithdrawnAt != nil {
			return NotFound()
		}
		if err := CheckSeen(seen, n.Version()); err != nil {
			return err
		}
		if err := in.checkIn(n.Channel); err != nil {
			return err
		}
		if err := in.apply(n, s.Links, now); err != nil {
			return err
		}
		if n.PublishedAt == nil && !n.ScheduledAt.After(now) {
			n.PublishedAt = &now
		}
		n.EditedAt = &now
		n.Visible = n.visibleAt(now)
		return nil
	})
}

// Withdraw removes a notification from every feed, or prevents the publication of a scheduled one.
func (s *Notifications) Withdraw(ctx context.Context, caller Caller, publisherSlug, slug string, id ID, seen *time.Time) error {
	_, err := s.change(ctx, caller, publisherSlug, slug, id, func(n *Notification, now time.Time) error {
		if n.WithdrawnAt != nil {
			return ErrUnchanged
		}
		if err := CheckSeen(seen, n.Version()); err != nil {
			return err
		}
		n.WithdrawnAt, n.Visible = &now, false
		return nil
	})
	return err
}

func (s *Notifications) change(ctx context.Context, caller Caller, publisherSlug, slug string, id ID, change func(*Notification, time.Time) error) (Notification, error) {
	channel, publisherID, err := s.Store.ChannelRef(ctx, publisherSlug, slug)
	if err != nil {
		return Notification{}, err
	}
	if err := mayEdit(ctx, s.Store, caller, publisherID, ScopePublish); err != nil {
		return Notification{}, err
	}
	now := s.Now()
	n, err := s.Store.Correct(ctx, channel.ID, id, now, func(n *Notification) error {
		n.Channel = channel
		return change(n, now)
	})
	if err == nil {
		s.Nudge()
	}
	return n, err
}

func tooLong(n, limit int) Text {
	return Text{fmt.Sprintf("has %d characters; at most %d are allowed", n, limit), fmt.Sprintf("tem %d caracteres; o máximo é %d", n, limit)}
}
