package core

import (
	"context"
	"errors"
	"time"

	"github.com/sininho/sininho/pkg/rules"
)

// Limits of a notification, in characters.
const (
	MaxTitle      = rules.MaxTitle
	MaxBody       = rules.MaxBody
	MaxExternalID = rules.MaxExternalID
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
	ArchivedAt  *time.Time        `json:"-"` // when the reader archived it
	Visible     bool              `json:"visible"`
	// SnoozedUntil is when it comes back, if the reader has postponed it. Then ArchivedAt is nil.
	SnoozedUntil *time.Time `json:"-"`
}

// IsPutAway reports whether the reader has archived or postponed the notification, so that it is not in their feed.
func (n Notification) IsPutAway() bool { return n.ArchivedAt != nil || n.SnoozedUntil != nil }

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

// TextBytes returns how many bytes the texts of the notification have.
func (n Notification) TextBytes() int {
	size := len(n.Title) + len(n.Body) + len(n.Image) + len(n.Icon) + len(n.Link)
	for name, value := range n.Data {
		size += len(name) + len(value)
	}
	return size
}

// StoredBytes returns how many bytes the notification takes of its publisher's storage, as notification_bytes does in
// PostgreSQL.
func (n Notification) StoredBytes() int64 { return int64(1024 + n.TextBytes() + len(n.ExternalID)) }

// PublishInput is the input for a new notification. Its JSON is stored in drafts and templates.
type PublishInput struct {
	Title       string            `json:"title,omitempty"`
	Body        string            `json:"body,omitempty"`
	Image       string            `json:"image,omitempty"`
	Icon        string            `json:"icon,omitempty"`
	Link        string            `json:"link,omitempty"`
	Importance  Importance        `json:"importance,omitempty"`
	Data        map[string]string `json:"data,omitempty"`
	ExternalID  string            `json:"externalId,omitempty"`
	ScheduledAt *time.Time        `json:"scheduledAt,omitempty"`
	ExpiresAt   *time.Time        `json:"expiresAt,omitempty"`
}

// Validate implements Input.
func (in PublishInput) Validate(r *Rules, now time.Time) []FieldError {
	return in.fields().Faults(r.links, now)
}

// fields returns the fields as the rules know them.
func (in PublishInput) fields() rules.Notification {
	return rules.Notification{Title: in.Title, Body: in.Body, Image: in.Image, Icon: in.Icon, Link: in.Link,
		Importance: string(in.Importance), Data: in.Data, ExternalID: in.ExternalID,
		ScheduledAt: in.ScheduledAt, ExpiresAt: in.ExpiresAt}
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

// unchanged takes the place of a required text that a change does not set, when the change is validated.
const unchanged = "-"

// Validate implements Input. It checks the fields that are set.
func (in CorrectInput) Validate(r *Rules, now time.Time) []FieldError {
	return in.apply(&Notification{Title: unchanged}, r, now)
}

// apply applies the change to n and returns every fault of the result.
func (in CorrectInput) apply(n *Notification, r *Rules, now time.Time) []FieldError {
	set(&n.Title, in.Title)
	set(&n.Body, in.Body)
	set(&n.Importance, in.Importance)
	set(&n.Data, in.Data)
	setText(&n.Image, in.Image)
	setText(&n.Icon, in.Icon)
	setText(&n.Link, in.Link)
	if in.ExpiresAt.Set {
		n.ExpiresAt = in.ExpiresAt.Value
	}
	f := in.checkIn(n.Channel)
	moved := in.ScheduledAt != nil && n.PublishedAt == nil
	switch {
	case moved:
		n.ScheduledAt = in.ScheduledAt
	case in.ScheduledAt != nil:
		f.Add("#/scheduledAt", "published",
			Text{EN: "cannot change after publication", PT: "não pode mudar depois da publicação"})
	}
	// What is not changed is not checked: rules and settings may have changed since, and an expiry may have passed.
	check := PublishInput{
		Title: n.Title, Body: n.Body, Importance: n.Importance, Data: n.Data, ScheduledAt: n.ScheduledAt,
	}
	if in.Image.Set {
		check.Image = n.Image
	}
	if in.Icon.Set {
		check.Icon = n.Icon
	}
	if in.Link.Set {
		check.Link = n.Link
	}
	if in.ExpiresAt.Set || moved {
		check.ExpiresAt = n.ExpiresAt
	}
	return append(f.Faults, check.Validate(r, now)...)
}

func set[T any](to *T, v *T) {
	if v != nil {
		*to = *v
	}
}

// setText applies a patch to a text, of which null is the empty one.
func setText(to *string, p Patch[string]) {
	if p.Set {
		*to = ""
		set(to, p.Value)
	}
}

// NotificationStore keeps notifications.
type NotificationStore interface {
	// Destination is ChannelStore.ChannelRef for a channel to publish to: it sets Full and Silent.
	Destination(ctx context.Context, publisherSlug, slug string) (ChannelRef, ID, error)
	// Replay returns the response to the first request with the idempotency key, of which again is what would be
	// published now. It fails with CodeNotFound when there was none.
	Replay(ctx context.Context, key Idempotency, again Notification) (Notification, Creation, error)
	// ReplayBatch is Replay for a batch.
	ReplayBatch(ctx context.Context, key Idempotency) ([]Published, Creation, error)
	// Notification returns a notification, visible or not; it fails with CodeNotFound when the channel has no such
	// notification.
	Notification(ctx context.Context, channelID, id ID, reader *ID) (Notification, error)
	// NotificationByExternalID is Notification for an external id.
	NotificationByExternalID(ctx context.Context, channelID ID, externalID string, reader *ID) (Notification, error)
	// Notifications returns the visible notifications of a channel. It fails with CodeNotFound when there is no such
	// channel.
	Notifications(ctx context.Context, publisherSlug, slug string, page Page, reader *ID) (ChannelPage, error)
	// Scheduled returns the notifications that are not published yet, the soonest first.
	Scheduled(ctx context.Context, channel ChannelRef, page Page) (data []Notification, total int64, err error)
}

// ChannelPage is a page of the notifications of a channel.
type ChannelPage struct {
	Channel     ChannelRef
	PublisherID ID
	Data        []Notification
	Total       int64  // notifications in the whole list
	Unread      *int64 // of these; nil unless the reader follows the channel
	Cut         bool   // the page ends before its limit because of its size
}

// Writer publishes notifications and changes them. When a method returns, everything about the notification is stored:
// its position on the stream, the counts of its channel, and the dispatch that leads to its pushes.
type Writer interface {
	// Publish stores a notification, published or scheduled, and its idempotency record. If the channel has a
	// notification with that external id, it returns that notification instead.
	Publish(ctx context.Context, n Notification, key Idempotency) (Notification, Creation, error)
	// PublishBatch is Publish for many notifications of one channel with different external ids. It stores all or none
	// of them, and returns what became of each.
	PublishBatch(ctx context.Context, all []Notification, key Idempotency) ([]Published, Creation, error)
	// PublishEvent stores the notification and the webhook event in one transaction, and returns the event with the id
	// of its notification. An event that was published before is returned as it was, with Replayed; one that was not
	// published is replaced. If the channel has a notification with that external id, the event gets the id of that
	// one, with Existing.
	PublishEvent(ctx context.Context, webhookID ID, e ReceivedEvent, n Notification) (ReceivedEvent, Creation, error)
	// Correct locks the notification, calls change to alter it, and stores the result; counts follow its visibility. It
	// stores nothing if change returns ErrUnchanged.
	Correct(ctx context.Context, channelID, id ID, change func(*Notification) error) (Notification, error)
}

// ErrUnchanged is returned by a change that has nothing to store.
var ErrUnchanged = errors.New("unchanged")

type notificationsStore interface {
	NotificationStore
	DeliverySummaryStore
	ChannelStore
	viewersStore
	SuspensionStore
}

// Notifications publishes, shows, corrects and withdraws notifications.
type Notifications struct {
	store     notificationsStore
	writer    Writer
	operators Operators
	rules     *Rules
	now       func() time.Time
}

// NewNotifications returns the service for notifications. Operators also see those of suspended channels.
func NewNotifications(
	store notificationsStore, writer Writer, operators Operators, rules *Rules, now func() time.Time,
) *Notifications {
	return &Notifications{store: store, writer: writer, operators: operators, rules: rules, now: now}
}

// Publish publishes a notification to a channel to which the caller may publish.
func (s *Notifications) Publish(
	ctx context.Context, caller Caller, publisherSlug, slug string, in PublishInput, key Idempotency,
) (Notification, Creation, error) {
	// Taken before Destination, which may find the channel silent: whoever follows after that follows after the
	// publication. publishable does not find out.
	now := s.now()
	channel, publisherID, err := s.store.Destination(ctx, publisherSlug, slug)
	if err != nil {
		return Notification{}, 0, err
	}
	if err := authorize(ctx, s.store, caller, publisherID, ScopePublish); err != nil {
		return Notification{}, 0, err
	}
	if err := checkNotSuspended(ctx, s.store, channel); err != nil {
		return Notification{}, 0, err
	}
	in.expireDemonstration(channel, now)
	err = invalid(in.faultsIn(channel, s.rules, now))
	n := newNotification(channel, in, now)
	if err == nil {
		return s.writer.Publish(ctx, n, key)
	}
	// A repeated request gets the first response, even if its times have passed since.
	if first, creation, replayErr := s.store.Replay(ctx, key, n); replayErr == nil {
		return first, creation, nil
	}
	return Notification{}, 0, err
}

func newNotification(channel ChannelRef, in PublishInput, now time.Time) Notification {
	n := Notification{
		ID: NewID(), Channel: channel, Title: in.Title, Body: in.Body, Image: in.Image, Icon: in.Icon, Link: in.Link,
		Importance: in.Importance, Data: in.Data, ExternalID: in.ExternalID, ScheduledAt: in.ScheduledAt,
		ExpiresAt: in.ExpiresAt,
	}
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
func (s *Notifications) List(
	ctx context.Context, caller Caller, publisherSlug, slug string, page Page,
) (ChannelPage, error) {
	p, err := s.store.Notifications(ctx, publisherSlug, slug, page, caller.reader())
	if err != nil {
		return ChannelPage{}, notVisible(ctx, s.store, caller, err)
	}
	if err := checkVisible(ctx, s.store, s.operators, caller, p.Channel, p.PublisherID); err != nil {
		return ChannelPage{}, err
	}
	return p, nil
}

// Get returns one notification. One that is scheduled or expired is returned only to callers of its publisher.
func (s *Notifications) Get(
	ctx context.Context, caller Caller, publisherSlug, slug string, id ID,
) (Notification, error) {
	channel, publisherID, err := visibleChannel(ctx, s.store, s.operators, caller, publisherSlug, slug)
	if err != nil {
		return Notification{}, err
	}
	n, err := s.store.Notification(ctx, channel.ID, id, caller.reader())
	if err == nil {
		err = s.checkForeseen(ctx, caller, publisherID, n)
	}
	if err != nil {
		return Notification{}, err
	}
	return n, nil
}

// ByExternalID returns the notification of a channel with an external id, if the caller may see it as in Get, or none.
func (s *Notifications) ByExternalID(
	ctx context.Context, caller Caller, publisherSlug, slug, externalID string,
) ([]Notification, error) {
	channel, publisherID, err := visibleChannel(ctx, s.store, s.operators, caller, publisherSlug, slug)
	if err != nil {
		return nil, err
	}
	n, err := s.store.NotificationByExternalID(ctx, channel.ID, externalID, caller.reader())
	if err == nil {
		err = s.checkForeseen(ctx, caller, publisherID, n)
	}
	switch {
	case IsCode(err, CodeNotFound):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return []Notification{n}, nil
}

// checkForeseen fails with CodeNotFound for a notification that is not visible, and that the caller may not see before
// or after it is: it does not reveal that it exists.
func (s *Notifications) checkForeseen(ctx context.Context, caller Caller, publisherID ID, n Notification) error {
	if n.Visible {
		return nil
	}
	if n.WithdrawnAt != nil {
		return NotFound()
	}
	err := s.mayForesee(ctx, caller, publisherID)
	if IsCode(err, CodeForbidden) || IsCode(err, CodeUnauthenticated) {
		return NotFound()
	}
	return err
}

// Scheduled returns the scheduled notifications of a channel, the soonest first, to callers who may read or publish
// there.
func (s *Notifications) Scheduled(
	ctx context.Context, caller Caller, publisherSlug, slug string, page Page,
) ([]Notification, int64, error) {
	channel, publisherID, err := s.store.ChannelRef(ctx, publisherSlug, slug)
	if err != nil {
		return nil, 0, err
	}
	if err := s.mayForesee(ctx, caller, publisherID); err != nil {
		return nil, 0, err
	}
	return s.store.Scheduled(ctx, channel, page)
}

// mayForesee returns nil if the caller may see scheduled notifications. An API key needs ScopeRead or ScopePublish.
func (s *Notifications) mayForesee(ctx context.Context, caller Caller, publisherID ID) error {
	err := authorize(ctx, s.store, caller, publisherID, ScopeRead)
	if IsCode(err, CodeForbidden) {
		err = authorize(ctx, s.store, caller, publisherID, ScopePublish)
	}
	return err
}

// publishable returns a channel to which the caller may publish, if it is not suspended.
func (s *Notifications) publishable(
	ctx context.Context, caller Caller, publisherSlug, slug string,
) (ChannelRef, error) {
	channel, err := s.ownChannel(ctx, caller, publisherSlug, slug)
	if err != nil {
		return channel, err
	}
	return channel, checkNotSuspended(ctx, s.store, channel)
}

// ownChannel returns a channel to which the caller may publish, or might if it were not suspended.
func (s *Notifications) ownChannel(
	ctx context.Context, caller Caller, publisherSlug, slug string,
) (ChannelRef, error) {
	channel, publisherID, err := s.store.ChannelRef(ctx, publisherSlug, slug)
	if err != nil {
		return channel, err
	}
	return channel, authorize(ctx, s.store, caller, publisherID, ScopePublish)
}
