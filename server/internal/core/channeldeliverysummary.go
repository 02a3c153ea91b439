package core

import (
	"context"
	"time"
)

// SummaryInterval is the length of the parts into which a period is divided.
type SummaryInterval string

// The intervals, in UTC.
const (
	Hourly SummaryInterval = "hour"
	Daily  SummaryInterval = "day"
)

// SummaryPeriod is a period and the interval that divides it.
type SummaryPeriod struct {
	From, Until time.Time
	Interval    SummaryInterval
}

// The longest periods, and the length of a period without a given start.
const (
	longestHourly        = 750 * time.Hour
	longestDaily         = 400 * 24 * time.Hour
	defaultSummaryPeriod = 30 * 24 * time.Hour
)

// NewSummaryPeriod returns the period with the given start, end and interval. By default it ends now, lasts 30 days and
// is divided by days.
func NewSummaryPeriod(from, until *time.Time, interval SummaryInterval, now time.Time) (SummaryPeriod, error) {
	t := SummaryPeriod{Until: now, Interval: Daily}
	set(&t.Until, until)
	t.From = t.Until.Add(-defaultSummaryPeriod)
	set(&t.From, from)
	if interval != "" {
		t.Interval = interval
	}
	var f faults
	longest := longestDaily
	tooFar := Text{EN: "is more than 400 days before the end", PT: "está a mais de 400 dias do fim"}
	if t.Interval == Hourly {
		longest = longestHourly
		tooFar = Text{EN: "is more than 750 hours before the end", PT: "está a mais de 750 horas do fim"}
	}
	switch {
	case !t.From.Before(t.Until):
		f.Add("query:from", "order", Text{EN: "is not before the end", PT: "não é anterior ao fim"})
	case t.Until.Sub(t.From) > longest:
		f.Add("query:from", "too_far", tooFar)
	}
	return t, invalid(f.Faults)
}

// DeliveryCounts are the summed counts of several notifications.
type DeliveryCounts struct {
	Notifications int64
	DeliverySummary
}

// add adds the counts of o to c.
func (c *DeliveryCounts) add(o DeliveryCounts) {
	c.Notifications += o.Notifications
	c.Targeted += o.Targeted
	c.Pending += o.Pending
	c.Displayed += o.Displayed
	c.Opened += o.Opened
	c.Count(Accepted, "", o.Accepted)
	for outcome, causes := range map[Outcome]Causes{Suppressed: o.Suppressed, Failed: o.Failed, Expired: o.Expired} {
		for cause, devices := range causes {
			c.Count(outcome, cause, devices)
		}
	}
}

// DeliverySummaryPart is an hour or a day with the counts of the notifications that were dispatched in it.
type DeliverySummaryPart struct {
	At time.Time // its start
	DeliveryCounts
}

// ChannelDeliverySummary counts what became of a channel's notifications that were dispatched in a period, and whom the
// next one would reach.
type ChannelDeliverySummary struct {
	SummaryPeriod
	Total    DeliveryCounts
	Parts    []DeliverySummaryPart
	Audience Audience
}

// ChannelDeliverySummary returns the counts of a channel whose publisher the caller may read.
func (s *Notifications) ChannelDeliverySummary(ctx context.Context, caller Caller, publisherSlug, slug string,
	from, until *time.Time, interval SummaryInterval) (ChannelDeliverySummary, error) {
	channel, err := editable(ctx, s.store, caller, publisherSlug, slug, ScopeRead)
	if err != nil {
		return ChannelDeliverySummary{}, err
	}
	t, err := NewSummaryPeriod(from, until, interval, s.now())
	if err != nil {
		return ChannelDeliverySummary{}, err
	}
	d := ChannelDeliverySummary{SummaryPeriod: t}
	if d.Parts, err = s.store.ChannelDeliverySummary(ctx, channel.ID, t); err != nil {
		return ChannelDeliverySummary{}, err
	}
	for _, p := range d.Parts {
		d.Total.add(p.DeliveryCounts)
	}
	now := s.now()
	reach, err := s.store.Reach(ctx, channel.ID, now)
	if err != nil {
		return ChannelDeliverySummary{}, err
	}
	d.Audience = reach.audience(now)
	return d, nil
}
