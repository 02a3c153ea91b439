package core

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// Outcome is the final result of a delivery. It is recorded once.
type Outcome string

// The outcomes.
const (
	Accepted   Outcome = "accepted"
	Suppressed Outcome = "suppressed" // by the bell or by muting
	Failed     Outcome = "failed"
	Expired    Outcome = "expired"
)

// The causes of outcomes other than Accepted.
const (
	CauseBell           = "bell"
	CauseMuted          = "muted"
	CauseUnfollowed     = "unfollowed" // while the delivery was held, or before it left a private channel
	CauseRead           = "read"       // on another device while the delivery was held, or archived
	CauseUnregistered   = "unregistered"
	CauseSenderMismatch = "sender_mismatch"
	CauseInvalid        = "invalid"
	CauseCredentials    = "credentials"
	CauseQuota          = "quota"
	CauseUnavailable    = "unavailable"
	CauseRetired        = "retired"
	CauseWithdrawn      = "withdrawn"
	CauseExpired        = "expired"
	CauseSuspended      = "suspended" // the channel or its publisher
	CauseOff            = "off"       // the installation no longer uses what reaches the device
)

// Push is the content that is pushed for a notification, the same for every device.
type Push struct {
	ID        string // of the notification; also its tag, so that a device shows it once; of the person in a digest
	Title     string
	Body      string // begins with the channel's name, because devices show the title and the body alone
	Image     string
	Icon      string
	Link      string // of the notification, or a path in the app where there is no channel
	Channel   string // publisherSlug/channelSlug
	ChannelID string // empty in a summary, which may be of several channels
	High      bool   // urgency
	Important bool
	Published time.Time // zero in a test and in a summary
	Expires   time.Time
	Quiet     bool // devices show it, and tell the server nothing
	Summary   bool // combines several notifications; ID is that of the newest
	Again     bool // the device may have shown it before, and rings again
	// Revision is set when the push shows nothing new, but updates or removes a notification that the device may show.
	// Of two revisions of a notification, the one with the later RevisedAt takes effect.
	Revision  Revision
	RevisedAt time.Time
	// Read is for ReadElsewhere: the ids of notifications with commas between them. If it is empty, all of the channel
	// are read, or all of all channels if there is no ChannelID either.
	Read string
}

// Revision is what happened to a notification after it was pushed.
type Revision string

// The revisions.
const (
	Corrected Revision = "corrected"
	Withdrawn Revision = "withdrawn" // or expired
	// ReadElsewhere means that the person has read or archived notifications on another device.
	ReadElsewhere Revision = "read"
)

// PushLife is how long a push is attempted, unless its notification expires sooner.
const PushLife = 24 * time.Hour

// NewPush returns the push of a notification.
func NewPush(n Notification) Push {
	icon := n.Icon
	if icon == "" {
		icon = n.Channel.Icon
	}
	important := n.Importance == Important
	return Push{ID: n.ID.String(), Title: n.Title, Body: named(n), Image: n.Image, Icon: icon, Link: n.Link,
		Channel: n.Channel.Address(), ChannelID: n.Channel.ID.String(), High: important, Important: important,
		Published: *n.PublishedAt, Expires: PushExpiry(n, *n.PublishedAt)}
}

// PushExpiry returns until when a notification is pushed that is due since a time.
func PushExpiry(n Notification, since time.Time) time.Time {
	expires := since.Add(PushLife)
	if n.ExpiresAt != nil && n.ExpiresAt.Before(expires) {
		return *n.ExpiresAt
	}
	return expires
}

// named returns the body of a notification after the name of its channel.
func named(n Notification) string {
	if n.Body == "" {
		return n.Channel.Name
	}
	return n.Channel.Name + " · " + n.Body
}

// NewRevision returns the push that updates or removes a notification on devices that may show it.
func NewRevision(n Notification) Push {
	p := NewPush(n)
	p.High = false
	p.Revision = Corrected
	p.RevisedAt = n.RevisedAt()
	if !n.Visible {
		p.Revision = Withdrawn
	}
	p.Expires = p.RevisedAt.Add(PushLife)
	return p
}

// NewReading returns the push that closes notifications which the person has read on another device: those with ids, or
// all of a channel, or all.
func NewReading(ids []ID, channelID *ID, at time.Time) Push {
	p := Push{ID: NewID().String(), Revision: ReadElsewhere, RevisedAt: at, Expires: at.Add(PushLife)}
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = id.String()
	}
	p.Read = strings.Join(texts, ",")
	if channelID != nil {
		p.ChannelID = channelID.String()
	}
	return p
}

// NewSummary returns one push for the notifications, newest first, that were held until the given time, in a language.
// It has the id of the newest.
func NewSummary(held []Notification, until time.Time, in Language) Push {
	if len(held) == 1 {
		p := NewPush(held[0])
		p.Expires = PushExpiry(held[0], until)
		return p
	}
	text, lines := pushTexts.In(in), make([]string, 0, summaryLines)
	for _, n := range held[:min(len(held), summaryLines)] {
		lines = append(lines, n.Channel.Name+": "+n.Title)
	}
	if more := len(held) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf(text.more, more))
	}
	return Push{
		ID: held[0].ID.String(), Title: fmt.Sprintf(text.title, len(held)),
		Body: strings.Join(lines, "\n"), Channel: held[0].Channel.Address(),
		Expires: until.Add(PushLife), Summary: true,
	}
}

const summaryLines = 5

// Result is the push service's response for one device.
type Result struct {
	Outcome Outcome // empty: try again
	Cause   string
	Retire  bool // the device no longer exists
	// Refused means that the push service refuses this device, whatever is pushed, and is likely to go on doing so.
	Refused bool
	// Wait is how long to wait before the next push to this device; if zero, the caller decides.
	Wait time.Duration
	// Later is how long to wait because nothing was sent: the push service, or the person, has its share of what is
	// under way. It says nothing about the device.
	Later time.Duration
	// Pause is how long to send nothing at all to the push service; Cause is the reason. Only a push service that knows
	// this server by credentials may ask for it.
	Pause time.Duration
	Err   error // for the log
}

// Final reports whether the result is an outcome to record.
func (r Result) Final() bool { return r.Outcome != "" }

// PushSender sends one push to one device. Send returns when the push service has responded or ctx is done.
type PushSender interface {
	Send(ctx context.Context, p Push, to PushAddress) Result
}

// Delivery is one notification's outcome on one device.
type Delivery struct {
	NotificationID, DeviceID ID
	Place                    Place
	Outcome                  Outcome
	Cause                    string
	Transport                string // of the device
	Gone                     string // the device's address, if it is to be retired
	GoneCause                string // why: RetiredUnregistered and its like
	Confirmed                string // the device's address, if this is the first push to it that was accepted
}

// Place is where a device is among those that were found for a notification: in which batch, which begins after First
// others, and at which index in it.
type Place struct {
	First int64 `json:"first"`
	Index int   `json:"index"`
}

// Target is a device that was found for a notification.
type Target struct {
	NotificationID, DeviceID ID
	Service                  string     // the push service of the device
	Importance               Importance // the notification's
	Bell                     Bell
	MutedUntil               *time.Time
	Quiet                    *QuietHours // the subscriber's
	Timezone                 *time.Location
}

// HeldUntil returns the end of the quiet hours that this device is in at now, or the zero time if it is in none.
func (t Target) HeldUntil(now time.Time) time.Time {
	if t.Quiet == nil {
		return time.Time{}
	}
	return t.Quiet.Until(now, t.Timezone)
}

// Suppression returns the cause for which muting or the bell suppresses the push to this device, or "".
func (t Target) Suppression(now time.Time) string {
	switch {
	case t.MutedUntil != nil && t.MutedUntil.After(now):
		return CauseMuted
	case t.Bell == BellNone, t.Bell != BellAll && t.Importance != Important:
		return CauseBell
	default:
		return ""
	}
}
