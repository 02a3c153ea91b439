package sininho

import (
	"context"
	"time"

	"github.com/oapi-codegen/nullable"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/pkg/rules"
)

// Correction holds the fields to change; nil fields stay unchanged. In Go 1.26, new("text") makes a
// pointer to a text.
type Correction struct {
	Title *string
	Body  *string
	// Image, Icon and Link are removed if they point to an empty text.
	Image, Icon, Link *string
	Importance        *Importance
	// Data replaces the whole map.
	Data map[string]string
	// ScheduledAt, at most a year ahead, can be changed only until publication.
	ScheduledAt *time.Time
	// ExpiresAt is when the notification disappears from feeds, lists and devices; a zero time removes the expiry.
	ExpiresAt *time.Time
}

// Correct changes a notification for every reader and returns its new state. Pushes that are
// already displayed are replaced, not repeated.
func (s *NotificationsService) Correct(
	ctx context.Context, channel, id string, in Correction, opts ...ChangeOption,
) (*Notification, error) {
	address, parsed, err := parseChannelItem(channel, id)
	if err != nil {
		return nil, err
	}
	if err := in.checkText().err(); err != nil {
		return nil, err
	}
	return decodeVersion[Notification](s.api.CorrectNotification(ctx, address.Publisher, address.Channel, parsed,
		&api.CorrectNotificationParams{IfMatch: newChange(opts).version}, in.toAPI()))
}

// Validate checks the fields that are set, as [PublishInput.Validate] does.
func (in Correction) Validate() error {
	check := rules.Notification{Title: unchanged, Body: value(in.Body), Image: value(in.Image), Icon: value(in.Icon),
		Link: value(in.Link), Importance: string(value(in.Importance)), Data: in.Data,
		ScheduledAt: in.ScheduledAt, ExpiresAt: optionalTime(value(in.ExpiresAt))}
	if in.Title != nil {
		check.Title = *in.Title
	}
	return inputError(check.Faults(anyServer, time.Now()))
}

func (in Correction) checkText() faults {
	var f faults
	f.texts(map[string]*string{
		"title": in.Title, "body": in.Body, "image": in.Image, "icon": in.Icon, "link": in.Link,
	})
	for key, value := range in.Data {
		f.text("data", key+value)
	}
	return f
}

func (in Correction) toAPI() api.NotificationPatch {
	out := api.NotificationPatch{
		Title: in.Title, Body: in.Body,
		Image: removable(in.Image), Icon: removable(in.Icon), Link: removable(in.Link),
		Importance: (*api.Importance)(in.Importance), ScheduledAt: in.ScheduledAt,
	}
	if in.ExpiresAt != nil {
		out.ExpiresAt = nullable.NewNullNullable[time.Time]()
		if !in.ExpiresAt.IsZero() {
			out.ExpiresAt.Set(in.ExpiresAt.UTC())
		}
	}
	if in.Data != nil {
		data := api.NotificationData(in.Data)
		out.Data = &data
	}
	return out
}

func removableNumber(n *int) nullable.Nullable[int32] {
	switch {
	case n == nil:
		return nil
	case *n == 0:
		return nullable.NewNullNullable[int32]()
	default:
		return nullable.NewNullableWithValue(int32(*n)) //nolint:gosec // bounded by Validate
	}
}

func removable(text *string) nullable.Nullable[string] {
	switch {
	case text == nil:
		return nil
	case *text == "":
		return nullable.NewNullNullable[string]()
	default:
		return nullable.NewNullableWithValue(*text)
	}
}
