package sininho

import (
	"context"
	"time"

	"github.com/sininho/sininho/pkg/api"
)

// Deliveries is the delivery summary of a notification: it counts devices by outcome and never identifies one. Each
// device is counted in Targeted and in exactly one of Pending, Suppressed, Accepted, Failed and Expired.
type Deliveries struct {
	// Targeted is the number of devices found so far.
	Targeted int64 `json:"targeted"`
	// Pending counts deliveries that are still to be sent, or held until quiet hours end.
	Pending int64 `json:"pending"`
	// Suppressed, Failed and Expired count by cause, for example bell. More causes may be added.
	Suppressed map[string]int64 `json:"suppressed"`
	// Accepted counts deliveries that the push service accepted.
	Accepted int64            `json:"accepted"`
	Failed   map[string]int64 `json:"failed"`
	Expired  map[string]int64 `json:"expired"`
	// Displayed and Opened count people, each on any of their devices.
	Displayed int64 `json:"displayed"`
	Opened    int64 `json:"opened"`
	// Finished reports whether every device was found and has its outcome.
	Finished bool `json:"finished"`
	// PublishedBy is who published or scheduled the notification; nil where that was not recorded.
	PublishedBy *AuditActor `json:"publishedBy,omitempty"`
}

// Deliveries returns the outcomes of a notification, for its publisher.
func (s *NotificationsService) Deliveries(ctx context.Context, channel, id string) (*Deliveries, error) {
	address, parsed, err := parseChannelItem(channel, id)
	if err != nil {
		return nil, err
	}
	return decode[Deliveries](s.api.GetDeliveries(ctx, address.Publisher, address.Channel, parsed))
}

// Interval is the length of the intervals that a period is divided into.
type Interval string

// Hours and days are in UTC.
const (
	Hourly Interval = "hour"
	Daily  Interval = "day"
)

// DeliveriesOptions selects a period, of at most 750 hours or 400 days, and its intervals.
type DeliveriesOptions struct {
	// From defaults to 30 days before Until, and Until to now.
	From, Until time.Time
	// Interval defaults to [Daily].
	Interval Interval
}

// ChannelDeliveries counts the outcomes of a channel's notifications over a period, and its audience of now.
type ChannelDeliveries struct {
	From     time.Time      `json:"from"`
	Until    time.Time      `json:"until"`
	Interval Interval       `json:"interval"`
	Total    DeliveryCounts `json:"total"`
	// Data has the intervals in which notifications were dispatched, newest last.
	Data []DeliveryInterval `json:"data"`
	// Audience counts whom a notification would reach now, whatever the period.
	Audience ChannelAudience `json:"audience"`
}

// ChannelAudience counts the followers of a channel, and those on one of whose devices a notification would ring.
type ChannelAudience struct {
	Followers int64 `json:"followers"`
	// Ringing is for a notification that is not important, and RingingImportant for one that is.
	Ringing          int64 `json:"ringing"`
	RingingImportant int64 `json:"ringingImportant"`
	// Estimated reports whether these two are estimates, as they are where many follow.
	Estimated bool `json:"estimated"`
}

// DeliveryInterval counts the outcomes of one hour or day.
type DeliveryInterval struct {
	// At is when the interval begins.
	At     time.Time      `json:"at"`
	Counts DeliveryCounts `json:"counts"`
}

// DeliveryCounts is the delivery summary of several notifications; see [Deliveries].
type DeliveryCounts struct {
	Notifications int64            `json:"notifications"`
	Targeted      int64            `json:"targeted"`
	Pending       int64            `json:"pending"`
	Suppressed    map[string]int64 `json:"suppressed"`
	Accepted      int64            `json:"accepted"`
	Failed        map[string]int64 `json:"failed"`
	Expired       map[string]int64 `json:"expired"`
	Displayed     int64            `json:"displayed"`
	Opened        int64            `json:"opened"`
}

// Deliveries returns the outcomes of all notifications that a channel dispatched in a period, for its publisher.
func (s *ChannelsService) Deliveries(
	ctx context.Context, channel string, opts DeliveriesOptions,
) (*ChannelDeliveries, error) {
	address, err := ParseAddress(channel)
	if err != nil {
		return nil, err
	}
	params := &api.GetChannelDeliveriesParams{
		From: optionalTime(opts.From), Until: optionalTime(opts.Until),
		Interval: optional(api.GetChannelDeliveriesParamsInterval(opts.Interval)),
	}
	return decode[ChannelDeliveries](s.api.GetChannelDeliveries(ctx, address.Publisher, address.Channel, params))
}
