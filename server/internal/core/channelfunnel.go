package core

import (
	"context"
	"time"
)

// FunnelInterval is the length of the parts into which a period is divided.
type FunnelInterval string

// The intervals, in UTC.
const (
	Hourly FunnelInterval = "hour"
	Daily  FunnelInterval = "day"
)

// FunnelTime is a period and the interval that divides it.
type FunnelTime struct {
	From, Until time.Time
	Interval    FunnelInterval
}

// The longest periods, and the length of a period without a given start.
const (
	longestHourly     = 750 * time.Hour
	longestDaily      = 400 * 24 * time.Hour
	defaultFunnelTime = 30 * 24 * time.Hour
)

// NewFunnelTime returns the period with the given start, end and interval. By default it ends now, lasts 30 days and is
// divided by days.
func NewFunnelTime(from, until *time.Time, interval FunnelInterval, now time.Time) (FunnelTime, error) {
	t := FunnelTime{Until: now, Interval: Daily}
	set(&t.Until, until)
	t.From = t.Until.Add(-defaultFunnelTime)
	set(&t.From, from)
	if interval != "" {
		t.Interval = interval
	}
	var f faults
	longest, told := longestDaily, Text{"is more than 400 days before the end", "está a mais de 400 dias do fim"}
	if t.Interval == Hourly {
		longest, told = longestHourly, Text{"is more than 750 hours before the end", "está a mais de 750 horas do fim"}
	}
	switch {
	case !t.From.Before(t.Until):
		f.add("query:from", "order", Text{"is not before the end", "não é anterior ao fim"})
	case t.Until.Sub(t.From) > longest:
		f.add("query:from", "too_far", told)
	}
	return t, f.err()
}

// FunnelCounts are the summed counts of several notifications.
type FunnelCounts struct {
	Notifications int64
	Funnel
}

// add adds the counts of o to c.
func (c *FunnelCounts) add(o FunnelCounts) {
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

// FunnelPart is an hour or a day with the counts of the notifications that were dispatched in it.
type FunnelPart struct {
	At time.Time // its start
	FunnelCounts
}

// ChannelFunnel counts what became of a channel's notifications that were dispatched in a period.
type ChannelFunnel struct {
	FunnelTime
	Total FunnelCounts
	Parts []FunnelPart
}

// ChannelFunnel returns the counts of a channel whose publisher the caller may read.
func (s *Notifications) ChannelFunnel(ctx context.Context, caller Caller, publisherSlug, slug string, from, until *time.Time, interval FunnelInterval) (ChannelFunnel, error) {
	channel, err := editable(ctx, s.Store, caller, publisherSlug, slug, ScopeRead)
	if err != nil {
		return ChannelFunnel{}, err
	}
	t, err := NewFunnelTime(from, until, interval, s.Now())
	if err != nil {
		return ChannelFunnel{}, err
	}
	f := ChannelFunnel{FunnelTime: t}
	if f.Parts, err = s.Store.ChannelFunnel(ctx, channel.ID, t); err != nil {
		return ChannelFunnel{}, err
	}
	for _, p := range f.Parts {
		f.Total.add(p.FunnelCounts)
	}
	return f, nil
}
