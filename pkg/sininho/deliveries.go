package sininho

import (
	"context"
	"time"

	"github.com/sininho/sininho/pkg/api"
)

// Deliveries is what became of a notification on the devices it was for; numbers, never
// who. Each device is counted in Targeted and in exactly one of Pending, Suppressed,
// Accepted, Failed and Expired.
type Deliveries struct {
	// Targeted is how many devices were found so far.
	Targeted int64 `json:"targeted"`
	// Pending is still to be sent, or held until quiet hours end.
	Pending int64 `json:"pending"`
	// Suppressed, Failed and Expired count by cause, as bell. Others may come.
	Suppressed map[string]int64 `json:"suppressed"`
	// Accepted was taken by the push service.
	Accepted int64            `json:"accepted"`
	Failed   map[string]int64 `json:"failed"`
	Expired  map[string]int64 `json:"expired"`
	// Displayed and Opened count people, on any of their devices.
	Displayed int64 `json:"displayed"`
	Opened    int64 `json:"opened"`
	// Finished says whether every device was found and has its outcome.
	Finished bool `json:"finished"`
}

// Deliveries tells what became of a notification, to its publisher.
func (s *NotificationsService) Deliveries(ctx context.Context, channel, id string) (*Deliveries, error) {
	address, parsed, err := parseChannelItem(channel, id)
	if err != nil {
		return nil, err
	}
	return decode[Deliveries](s.api.GetDeliveries(ctx, address.Publisher, address.Channel, parsed))
}

// Interval is how long the parts of a time are.
type Interval string

// Hours and days are those of UTC.
const (
	Hourly Interval = "hour"
	Daily  Interval = "day"
)

// DeliveriesOptions is a time and how it is parted; it has at most 750 hours or 400 days.
type DeliveriesOptions struct {
	// From is 30 days before Until unless set, Until is now.
	From, Until time.Time
	// Interval is [Daily] unless set.
	Interval Interval
}

// ChannelDeliveries is what became of a channel's notifications over time.
type ChannelDeliveries struct {
	From     time.Time      `json:"from"`
	Until    time.Time      `json:"until"`
	Interval Interval       `json:"interval"`
	Total    DeliveryCounts `json:"total"`
	// Data has those parts in which something was dispatched, newest last.
	Data []DeliveryInterval `json:"data"`
}

// DeliveryInterval is an hour or a day.
type DeliveryInterval struct {
	// At is when it begins.
	At     time.Time      `json:"at"`
	Counts DeliveryCounts `json:"counts"`
}

// DeliveryCounts are the numbers of several notifications, as in [Deliveries].
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

// Deliveries tells what became of all notifications that a channel dispatched in a time, to
// its publisher.
func (s *ChannelsService) Deliveries(ctx context.Context, channel string, opts DeliveriesOptions) (*ChannelDeliveries, error) {
	address, err := ParseAddress(channel)
	if err != nil {
		return nil, err
	}
	return decode[ChannelDeliveries](s.api.GetChannelDeliveries(ctx, address.Publisher, address.Channel, &api.GetChannelDeliveriesParams{
		From: optionalTime(opts.From), Until: optionalTime(opts.Until), Interval: optional(api.GetChannelDeliveriesParamsInterval(opts.Interval)),
	}))
}
