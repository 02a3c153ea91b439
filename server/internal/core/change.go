package core

import (
	"context"
	"time"
)

// Correct changes a notification in a channel to which the caller may publish.
func (s *Notifications) Correct(
	ctx context.Context, caller Caller, publisherSlug, slug string, id ID, in CorrectInput, seen *time.Time,
) (Notification, error) {
	channel, err := s.publishable(ctx, caller, publisherSlug, slug)
	if err != nil {
		return Notification{}, err
	}
	return s.change(ctx, channel, id, func(n *Notification, now time.Time) error {
		if n.WithdrawnAt != nil {
			return NotFound()
		}
		if err := CheckSeen(seen, n.Version()); err != nil {
			return err
		}
		if err := invalid(in.apply(n, s.rules, now)); err != nil {
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

// Withdraw removes a notification from every feed, or prevents the publication of a scheduled one. It works in a
// suspended channel too.
func (s *Notifications) Withdraw(
	ctx context.Context, caller Caller, publisherSlug, slug string, id ID, seen *time.Time,
) error {
	channel, err := s.ownChannel(ctx, caller, publisherSlug, slug)
	if err != nil {
		return err
	}
	_, err = s.change(ctx, channel, id, func(n *Notification, now time.Time) error {
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

func (s *Notifications) change(
	ctx context.Context, channel ChannelRef, id ID, change func(*Notification, time.Time) error,
) (Notification, error) {
	now := s.now()
	return s.writer.Correct(ctx, channel.ID, id, func(n *Notification) error {
		n.Channel = channel
		return change(n, now)
	})
}
