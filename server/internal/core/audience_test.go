package core_test

import (
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

// TestAudience has followers with each bell, without a device, with one that has never rung, and who muted the channel.
func TestAudience(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	follow := func(name string, p core.SubscriptionPatch) core.Caller {
		c := w.person(name)
		made(w.subscriptions.Follow(t.Context(), c.SubscriberID, w.channel.ID))
		made(w.UpdateSubscription(t.Context(), c.SubscriberID, w.channel.ID, p))
		return c
	}
	rings := func(c core.Caller, installation string) {
		w.register(c, installation, installation)
		core.Succeed(t, "confirm", w.ConfirmAddress(t.Context(), installation, w.now))
	}
	for _, bell := range []core.Bell{core.BellAll, core.BellImportant, core.BellDigest, core.BellNone} {
		rings(follow(string(bell), core.SubscriptionPatch{Bell: &bell}), string(bell))
	}
	two := follow("two devices", core.SubscriptionPatch{})
	rings(two, "first")
	rings(two, "second")
	follow("no device", core.SubscriptionPatch{})
	w.register(follow("a silent device", core.SubscriptionPatch{}), "silent", "silent")
	until := core.Patch[time.Time]{Set: true, Value: new(w.now.Add(time.Hour))}
	rings(follow("muted", core.SubscriptionPatch{MutedUntil: until}), "muted")

	audience := func() core.Audience {
		return made(w.notifications.ChannelDeliverySummary(t.Context(), w.editor, "metro", "avisos", nil, nil, "")).Audience
	}
	check.Equal(t, "audience", audience(), core.Audience{Followers: 8, Ringing: 2, RingingImportant: 4})
	w.now = w.now.Add(time.Hour)
	check.Equal(t, "audience after the mute", audience(), core.Audience{Followers: 8, Ringing: 3, RingingImportant: 5})
}
