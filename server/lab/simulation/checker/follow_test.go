package checker_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/lab/simulation/checker"
	"github.com/sininho/sininho/server/lab/simulation/history"
)

// sighting is what ana may, and what she must not, see of her subscription to the channel c after some steps. What is
// in neither list is open.
type sighting struct {
	name             string
	steps            []step
	possible, denied string
}

// see shows ana each possible and each denied subscription. Only the denied ones breach the rule.
func see(t *testing.T, rule string, shown map[string]history.Item, sightings []sighting) {
	t.Helper()
	for _, c := range sightings {
		for what, item := range shown {
			list := answered(by("ana", history.Subscriptions, ""), history.Value{Items: []history.Item{item}}, "")
			got := checker.Check(events(append(slices.Clone(c.steps), list)))
			broken := slices.ContainsFunc(got, func(b checker.Breach) bool { return b.Rule == rule })
			if slices.Contains(strings.Fields(c.possible), what) && len(got) > 0 {
				t.Errorf("breaches with %s, and then %s: got %v, want none", c.name, what, got)
			}
			if slices.Contains(strings.Fields(c.denied), what) && !broken {
				t.Errorf("breaches with %s, and then %s: got %v, want one of %q", c.name, what, got, rule)
			}
		}
	}
}

var (
	follow   = by("ana", history.Follow, "c")
	unfollow = by("ana", history.Unfollow, "c")
	readAll  = by("ana", history.ReadAll, "c")
	read     = on(history.Read, history.Value{})
	unread   = on(history.Unread, history.Value{})
	restart  = noted(history.Restarted, history.Value{})
)

// TestUnread judges whether one notification is still unread.
func TestUnread(t *testing.T) {
	t.Parallel()
	begin, end := spanning(follow, "")
	beginAgain, endAgain := spanning(follow, "")
	see(t, "unread counts", map[string]history.Item{
		"read":   {Channel: "c", Bell: "all"},
		"unread": {Channel: "c", Bell: "all", Unread: 1},
	}, []sighting{
		{"a follow before it is published", []step{did(follow), one}, "unread", "read"},
		{"a follow after it was published", []step{one, did(follow)}, "read", "unread"},
		{"a follow after an unfollow without effect", []step{did(unfollow), one, did(follow)}, "read", "unread"},
		{"a follow once more", []step{did(follow), one, did(unfollow), did(follow)}, "unread", "read"},
		{"two follows in a row", []step{did(follow), one, did(follow)}, "unread", "read"},
		{"a follow that may be the second", []step{lost(follow), one, did(follow)}, "read unread", ""},
		{"two follows at once", []step{one, begin, beginAgain, end, endAgain}, "read", ""},
		{"a follow of another channel",
			[]step{did(follow), one, did(by("ana", history.Follow, "d")), did(by("ana", history.Unfollow, "d"))},
			"unread", "read"},

		{"all of the channel read", []step{did(follow), one, did(readAll)}, "read", "unread"},
		{"everything read", []step{did(follow), one, did(by("ana", history.ReadAll, ""))}, "read", "unread"},
		{"all of another channel read", []step{did(follow), one, did(by("ana", history.ReadAll, "d"))}, "unread", "read"},
		{"all read by somebody else", []step{did(follow), one, did(by("rui", history.ReadAll, "c"))}, "unread", "read"},
		{"all read before it is published", []step{did(follow), did(readAll), one}, "unread", "read"},
		{"all read, which is refused", []step{did(follow), one, failed(readAll)}, "unread", "read"},
		{"all read, or not", []step{did(follow), one, lost(readAll)}, "read unread", ""},
		{"all read while she does not follow",
			[]step{did(follow), one, did(unfollow), did(readAll), did(follow)}, "unread", "read"},
		{"all read while she may not follow",
			[]step{did(follow), one, lost(unfollow), did(readAll), did(follow)}, "read unread", ""},

		{"a read mark that may come late", []step{did(follow), one, lost(read), did(unread)}, "read unread", ""},
		{"a read mark that cannot come any more", []step{did(follow), one, lost(read), restart, did(unread),
			noted(history.Healed, history.Value{})}, "unread", "read"},
		{"a read mark after the restart", []step{did(follow), one, restart, lost(read), did(unread)}, "read unread", ""},
		{"a read mark at the restart", []step{did(follow), one, restart, meanwhile, lost(read), did(unread)},
			"read unread", ""},
	})
}

// TestBells judges which bell a subscription has.
func TestBells(t *testing.T) {
	t.Parallel()
	none, muted := by("ana", history.Bell, "c"), by("ana", history.Mute, "c")
	none.Bell, muted.Muted = "none", true
	see(t, "bells", map[string]history.Item{
		"all":   {Channel: "c", Bell: "all"},
		"none":  {Channel: "c", Bell: "none"},
		"muted": {Channel: "c", Bell: "all", Muted: true},
	}, []sighting{
		{"a first follow", []step{did(follow)}, "all", "none muted"},
		{"a bell that is off", []step{did(follow), did(none)}, "none", "all muted"},
		{"a muted channel", []step{did(follow), did(muted)}, "muted", "all none"},
		{"a bell that is off when she follows again", []step{did(follow), did(none), did(unfollow), did(follow)}, "none",
			"all muted"},
		{"a channel that is muted when she follows again", []step{did(follow), did(muted), did(unfollow), did(follow)},
			"muted", "all none"},
		{"a bell that may be off", []step{did(follow), lost(none)}, "all none", "muted"},
		{"a bell that may be off before she follows", []step{lost(none), restart, did(follow)}, "all", "none muted"},
		{"a channel that may be muted before she follows", []step{lost(muted), restart, did(follow)}, "all", "none muted"},
	})
}

func TestSubscriptions(t *testing.T) {
	t.Parallel()
	lists := func(person string, channels ...string) step {
		var items []history.Item
		for _, c := range channels {
			items = append(items, history.Item{Channel: c, Bell: "all"})
		}
		return answered(by(person, history.Subscriptions, ""), history.Value{Items: items}, "")
	}
	tell(t, []tale{
		{"a list of what is followed", "", []step{did(follow), lists("ana", "c")}},
		{"an empty list of somebody else", "", []step{did(follow), lists("rui")}},
		{"a channel that its reader never followed", "subscriptions", []step{did(follow), lists("rui", "c")}},
		{"a channel that is not followed any more", "subscriptions", []step{did(follow), did(unfollow), lists("ana", "c")}},
		{"a channel that may not be followed any more", "", []step{did(follow), lost(unfollow), lists("ana"),
			lists("ana", "c")}},
	})
}
