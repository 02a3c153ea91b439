package core

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// Outcome is what became of one notification on one device. It is recorded once.
type Outcome string

// The outcomes.
const (
	Accepted   Outcome = "accepted"
	Suppressed Outcome = "suppressed" // by the bell or by mute
	Failed     Outcome = "failed"
	Expired    Outcome = "expired"
)

// Causes of outcomes that are not accepted.
const (
	CauseBell           = "bell"
	CauseMuted          = "muted"
	CauseUnfollowed     = "unfollowed" // while it was held
	CauseRead           = "read"       // on another device while it was held, or archived
	CauseUnregistered   = "unregistered"
	CauseSenderMismatch = "sender_mismatch"
	CauseInvalid        = "invalid"
	CauseCredentials    = "credentials"
	CauseQuota          = "quota"
	CauseUnavailable    = "unavailable"
	CauseRetired        = "retired"
	CauseWithdrawn      = "withdrawn"
	CauseExpired        = "expired"
)

// Push is a notification as it is pushed, the same for every device.
type Push struct {
	ID      string // shown once: the notification's id is its tag
	Title   string
	Body    string
	Image   string
	Icon    string
	Link    string
	Channel string // publisherSlug/channelSlug
	High    bool
	Expires time.Time
	Summary bool // stands for several notifications, of which ID is the newest
	// Revision makes it one that shows nothing new, but brings up to date what a device shows still. Of two for the same
	// notification the one revised later counts.
	Revision  Revision
	RevisedAt time.Time
}

// Revision is what happened to a notification after it was pushed.
type Revision string

// The revisions.
const (
	Corrected Revision = "corrected"
	Withdrawn Revision = "withdrawn" // or expired
)

// PushLife is how long a push is tried when its notification has no expiry of its own.
const PushLife = 24 * time.Hour

// NewPush is the push of a notification.
func NewPush(n Notification) Push {
	icon := n.Icon
	if icon == "" {
		icon = n.Channel.Icon
	}
	expires := n.PublishedAt.Add(PushLife)
	if n.ExpiresAt != nil && n.ExpiresAt.Before(expires) {
		expires = *n.ExpiresAt
	}
	return Push{ID: n.ID.String(), Title: n.Title, Body: n.Body, Image: n.Image, Icon: icon, Link: n.Link,
		Channel: n.Channel.Address(), High: n.Importance == Important, Expires: expires}
}

// NewRevision is the push that tells devices which may show the notification of its latest change.
func NewRevision(n Notification) Push {
	p := NewPush(n)
	p.High, p.Revision, p.RevisedAt = false, Corrected, n.RevisedAt()
	if !n.Visible {
		p.Revision = Withdrawn
	}
	p.Expires = p.RevisedAt.Add(PushLife)
	return p
}

// NewSummary is the one push in which several notifications arrive that were held until then, newest first. It goes by
// the newest one's id.
func NewSummary(held []Notification, until time.Time) Push {
	if len(held) == 1 {
		p := NewPush(held[0])
		p.Expires = until.Add(PushLife)
		if e := held[0].ExpiresAt; e != nil && e.Before(p.Expires) {
			p.Expires = *e
		}
		return p
	}
	lines := make([]string, 0, summaryLines)
	for _, n := range held[:min(len(held), summaryLines)] {
		lines = append(lines, n.Channel.Name+": "+n.Title)
	}
	if more := len(held) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("e mais %d", more))
	}
	return Push{ID: held[0].ID.String(), Title: fmt.Sprintf("%d novas notificações", len(held)), Body: strings.Join(lines, "\n"),
		Channel: held[0].Channel.Address(), Expires: until.Add(PushLife), Summary: true}
}

const summaryLines = 5

// Result is what the push service answered for one device.
type Result struct {
	Outcome Outcome // empty: try again
	Cause   string
	Retire  bool // the device is gone for good
	// Wait says how long to leave this device alone before trying again; zero leaves it to the caller.
	Wait time.Duration
	// Pause says how long to leave the whole push service alone, and why is in Cause.
	Pause time.Duration
	Err   error // for the log
}

// Final reports whether the result is an outcome to record.
func (r Result) Final() bool { return r.Outcome != "" }

// PushSender sends one push to one device. It returns when the push service has answered or ctx is done.
type PushSender interface {
	Send(ctx context.Context, p Push, address string) Result
}

// Delivery is one notification's outcome on one device.
type Delivery struct {
	NotificationID, DeviceID ID
	Outcome                  Outcome
	Cause                    string
	Gone                     string // the address at which there is no device any more, if so
}

// Target is a device found for a notification.
type Target struct {
	NotificationID, DeviceID ID
	Importance               Importance // the notification's
	Bell                     Bell
	MutedUntil               *time.Time
	Quiet                    *QuietHours // the subscriber's
	Timezone                 *time.Location
}

// HeldUntil tells when the quiet hours end in which this device is not pushed now; the zero time outside of them.
func (t Target) HeldUntil(now time.Time) time.Time {
	if t.Quiet == nil {
		return time.Time{}
	}
	return t.Quiet.Until(now, t.Timezone)
}

// Suppression judges the bell: the cause for which this device is not pushed, or "".
func (t Target) Suppression(now time.Time) string {
	switch {
	case t.MutedUntil != nil && t.MutedUntil.After(now):
		return CauseMuted
	case t.Bell == BellNone, t.Bell == BellImportant && t.Importance != Important:
		return CauseBell
	default:
		return ""
	}
}
