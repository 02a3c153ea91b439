package core_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

func TestChannels(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	in := core.ChannelInput{PublisherSlug: "metro", Slug: "b", Name: "B", CategoryID: w.category, KeepDays: new(7)}
	c, creation, err := w.channels.Create(t.Context(), w.owner, in, key("k", ""))
	check.Equal(t, "creation", []any{creation, err}, []any{core.Created, nil})
	check.Equal(t, "channel", []any{c.Visibility, c.CreatedAt, c.KeepDays, c.Following},
		[]any{core.Public, now, new(7), new(false)})
	again, creation, err := w.channels.Create(t.Context(), w.owner, in, key("k", ""))
	check.Equal(t, "repeated creation", []any{again.ID, creation, err}, []any{c.ID, core.Replayed, nil})
	_, _, err = w.channels.Create(t.Context(), w.owner, in, noKey)
	check.Equal(t, "reason against the same slug", reasonOf(err), "slug_taken")
	other := in
	other.Slug, other.Visibility = "c", core.Unlisted
	hidden, _, err := w.channels.Create(t.Context(), w.key(), other, noKey)
	check.Equal(t, "channel by a key", []any{hidden.Following, hidden.Visibility, err},
		[]any{(*bool)(nil), core.Unlisted, nil})
	bad := core.ChannelInput{PublisherSlug: "metro", Slug: "?", CategoryID: w.category, KeepDays: new(31),
		KeepCount: new(101), Icon: "x"}
	_, _, err = w.channels.Create(t.Context(), w.owner, bad, noKey)
	check.Equal(t, "faults", pointers(fieldsOf(err)), []string{"#/icon", "#/keepCount", "#/keepDays", "#/name", "#/slug"})
	other.Slug, other.CategoryID = "d", core.NewID()
	_, _, err = w.channels.Create(t.Context(), w.owner, other, noKey)
	check.Equal(t, "faults without a category", pointers(fieldsOf(err)), []string{"#/categoryId"})
	w.Caps[core.CapChannels] = 3
	other.CategoryID = w.category
	_, _, err = w.channels.Create(t.Context(), w.owner, other, noKey)
	check.Equal(t, "reason against one too many", reasonOf(err), "too_many")
	other.PublisherSlug = "carris"
	_, _, err = w.channels.Create(t.Context(), w.owner, other, noKey)
	core.CheckCode(t, "create a channel of no publisher", err, core.CodeNotFound)

	w.now = now.Add(time.Hour)
	update := func(p core.ChannelPatch, seen *time.Time) (core.Channel, error) {
		return w.channels.Update(t.Context(), w.owner, "metro", "b", p, seen)
	}
	got, err := update(core.ChannelPatch{Description: new("D"), KeepDays: core.Patch[int]{Set: true}}, &now)
	check.Equal(t, "changed channel", []any{got.Name, got.Description, got.KeepDays, got.Version(), err},
		[]any{"B", "D", (*int)(nil), w.now, nil})
	_, err = update(core.ChannelPatch{}, &now)
	core.CheckCode(t, "update another version", err, core.CodeChanged)
	_, err = update(core.ChannelPatch{Name: new(" "), Icon: core.Patch[string]{Set: true, Value: new("x")},
		Visibility: new(core.Visibility("x")), Description: new(long(10_000)),
		KeepCount: core.Patch[int]{Set: true, Value: new(101)}}, nil)
	check.Equal(t, "faults of a change", pointers(fieldsOf(err)),
		[]string{"#/description", "#/icon", "#/keepCount", "#/name", "#/visibility"})
	w.said = nil
	core.CheckCode(t, "delete another version", w.channels.Delete(t.Context(), w.owner, "metro", "b", &now),
		core.CodeChanged)
	check.Equal(t, "announcements of what failed", w.said, nil)
	core.Succeed(t, "delete", w.channels.Delete(t.Context(), w.owner, "metro", "b", nil))
	check.Equal(t, "announcements", w.said, []string{"reset " + c.ID.String()})
	_, err = w.channels.Get(t.Context(), w.owner, "metro", "b")
	core.CheckCode(t, "get a deleted channel", err, core.CodeNotFound)
}

// TestLists shows members what is hidden from others.
func TestLists(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	in := core.ChannelInput{PublisherSlug: "metro", Slug: "b", Name: "B", CategoryID: w.category,
		Visibility: core.Unlisted}
	made(first(w.channels.Create(t.Context(), w.owner, in, noKey)))
	made(w.subscriptions.Follow(t.Context(), w.owner.SubscriberID, w.channel.ID))
	for name, c := range map[string]struct {
		caller    core.Caller
		publisher string
		want      int64
	}{
		"a visitor": {w.visitor, "metro", 1}, "a stranger": {w.stranger, "metro", 1}, "an editor": {w.editor, "metro", 2},
		"a key for nothing": {w.key(core.ScopePublish), "metro", 2}, "an editor, of all": {w.editor, "", 1},
		"an editor, of no publisher": {w.editor, "carris", 0},
	} {
		_, total, err := w.channels.List(t.Context(), c.caller, core.ChannelFilter{Publisher: c.publisher})
		check.Equal(t, "channels for "+name, []any{total, err}, []any{c.want, nil})
	}
	for name, c := range map[string]struct {
		caller core.Caller
		want   *bool
	}{"the owner": {w.owner, new(true)}, "a stranger": {w.stranger, new(false)}, "a visitor": {w.visitor, nil},
		"a key": {w.key(), nil}, "a token that reads": {w.token(w.owner, core.ScopeRead), new(true)},
		"a token that publishes": {w.token(w.owner, core.ScopePublish), nil}} {
		data, _, err := w.channels.List(t.Context(), c.caller, core.ChannelFilter{})
		check.Equal(t, "whether it is followed, for "+name, []any{data[0].Following, err}, []any{c.want, nil})
		got, err := w.channels.Get(t.Context(), c.caller, "metro", "avisos")
		check.Equal(t, "whether the channel is followed, for "+name, []any{got.Following, err}, []any{c.want, nil})
		p, err := w.publishers.Get(t.Context(), c.caller, "metro")
		check.Equal(t, "whether the role is shown to "+name, []any{p.Role != "", err},
			[]any{c.want != nil && *c.want, nil})
	}
	listed, err := w.channels.Listed(t.Context(), 10)
	check.Equal(t, "listed channels", []any{len(listed), err}, []any{1, nil})
	for days, want := range map[int]int{-1: 1, 0: 1, 7: 1} {
		got, err := w.channels.Followers(t.Context(), w.visitor, "metro", "avisos", days)
		check.Equal(t, fmt.Sprintf("followers of %d days", days), []any{len(got), err}, []any{want, nil})
	}
	_, err = w.channels.Followers(t.Context(), w.visitor, "metro", "carris", 7)
	core.CheckCode(t, "followers of no channel", err, core.CodeNotFound)
}

func TestPublishers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	create := func(slug string) error {
		_, _, err := w.publishers.Create(t.Context(), w.owner, core.PublisherInput{Slug: slug, Name: slug}, noKey)
		return err
	}
	check.Equal(t, "reason against the same slug", reasonOf(create("metro")), "slug_taken")
	core.CheckCode(t, "a reserved slug", create("sininho"), core.CodeInvalid)
	w.Caps[core.CapPublishers] = 2
	core.CheckCode(t, "a second publisher", create("carris"), "")
	check.Equal(t, "reason against a third", reasonOf(create("cp")), "too_many")
	for name, c := range map[string]struct {
		caller core.Caller
		mine   bool
		want   int64
		code   core.Code
	}{
		"all for a visitor": {w.visitor, false, 2, ""}, "own of a visitor": {w.visitor, true, 0, core.CodeUnauthenticated},
		"own of the owner": {w.owner, true, 2, ""}, "own of an editor": {w.editor, true, 1, ""},
		"own of a key":                  {w.key(core.ScopePublish), true, 1, ""},
		"own of a token that reads":     {w.token(w.owner, core.ScopeRead), true, 2, ""},
		"own of a token that publishes": {w.token(w.owner, core.ScopePublish), true, 0, core.CodeForbidden},
	} {
		_, total, err := w.publishers.List(t.Context(), c.caller, core.Search{}, c.mine, core.Page{})
		core.CheckCode(t, name, err, c.code)
		check.Equal(t, "publishers: "+name, total, c.want)
	}
	k := w.key()
	p, err := w.publishers.Own(t.Context(), k)
	check.Equal(t, "publisher of a key", []any{p.Slug, err}, []any{"metro", nil})
	core.CheckCode(t, "CheckOwn", w.publishers.CheckOwn(t.Context(), k, "metro"), "")
	core.CheckCode(t, "CheckOwn of another", w.publishers.CheckOwn(t.Context(), k, "carris"), core.CodeNotFound)
	core.CheckCode(t, "CheckOwn of none", w.publishers.CheckOwn(t.Context(), k, "cp"), core.CodeNotFound)
	_, err = w.publishers.Get(t.Context(), w.owner, "cp")
	core.CheckCode(t, "get none", err, core.CodeNotFound)
	_, err = w.publishers.Storage(t.Context(), w.owner, "cp")
	core.CheckCode(t, "storage of none", err, core.CodeNotFound)
	w.now = now.Add(time.Hour)
	patch := core.PublisherPatch{Description: new("D")}
	p, err = w.publishers.Update(t.Context(), w.owner, "carris", patch, &now)
	check.Equal(t, "changed publisher", []any{p.Description, p.Role, p.Version(), err},
		[]any{"D", core.RoleOwner, w.now, nil})
	_, err = w.publishers.Update(t.Context(), w.owner, "carris", patch, &now)
	core.CheckCode(t, "update another version", err, core.CodeChanged)
	core.CheckCode(t, "delete another version", w.publishers.Delete(t.Context(), w.owner, "carris", &now), core.CodeChanged)
	core.CheckCode(t, "delete", w.publishers.Delete(t.Context(), w.owner, "carris", nil), "")
}

// TestANameThatWasReservedLaterStays, but cannot be chosen.
func TestANameThatWasReservedLaterStays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	made(first(w.CreatePublisher(t.Context(), core.Publisher{ID: core.NewID(), Slug: "s", Name: "Sininho"},
		w.owner.SubscriberID, noKey)))
	_, err := w.publishers.Update(t.Context(), w.owner, "s", core.PublisherPatch{Name: new("Sininho")}, nil)
	core.CheckCode(t, "keep the name", err, "")
	_, err = w.publishers.Update(t.Context(), w.owner, "s", core.PublisherPatch{Name: new("Sininho app")}, nil)
	check.Equal(t, "faults of another reserved name", codes(fieldsOf(err)), "reserved")
}

func TestCategories(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, err := w.categories.Get(t.Context(), w.category)
	check.Equal(t, "category", []any{c, err},
		[]any{core.Category{ID: w.category, Slug: "cidade", Name: "Cidade", ChannelCount: 1, UpdatedAt: now}, nil})
	in := core.CategoryInput{Slug: "a", Name: "A", Position: 2}
	b := made(first(w.categories.Create(t.Context(), w.operator, in, noKey)))
	check.Equal(t, "new category", b, core.Category{ID: b.ID, Slug: "a", Name: "A", Position: 2, UpdatedAt: now})
	_, _, err = w.categories.Create(t.Context(), w.operator, in, noKey)
	check.Equal(t, "reason against the same slug", reasonOf(err), "slug_taken")
	list, total, err := w.categories.List(t.Context(), core.Page{Limit: 1})
	check.Equal(t, "list", []any{list[0].Slug, total, err}, []any{"cidade", int64(2), nil})
	_, err = w.categories.Update(t.Context(), w.operator, b.ID, core.CategoryPatch{Slug: new("?"), Name: new(" ")}, nil)
	check.Equal(t, "faults of a change", pointers(fieldsOf(err)), []string{"#/name", "#/slug"})
	_, err = w.categories.Update(t.Context(), w.operator, b.ID, core.CategoryPatch{}, new(now.Add(1)))
	core.CheckCode(t, "update another version", err, core.CodeChanged)
	core.CheckCode(t, "delete", w.categories.Delete(t.Context(), w.operator, b.ID, &b.UpdatedAt), "")
	_, err = w.categories.Get(t.Context(), b.ID)
	core.CheckCode(t, "get a deleted one", err, core.CodeNotFound)
}

// TestModerationSearches finds what is suspended without a search, and all kinds with one.
func TestModerationSearches(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	metro := made(core.ParseSearch("metro"))
	count := func() string {
		_, c, err := w.moderation.Channels(t.Context(), w.operator, core.Search{}, core.Page{})
		core.Succeed(t, "channels", err)
		_, cs, err := w.moderation.Channels(t.Context(), w.operator, metro, core.Page{})
		core.Succeed(t, "found channels", err)
		_, p, err := w.moderation.Publishers(t.Context(), w.operator, core.Search{}, core.Page{})
		core.Succeed(t, "publishers", err)
		_, ps, err := w.moderation.Publishers(t.Context(), w.operator, metro, core.Page{})
		core.Succeed(t, "found publishers", err)
		_, s, err := w.moderation.Subscribers(t.Context(), w.operator, "", core.Page{})
		core.Succeed(t, "people", err)
		_, ss, err := w.moderation.Subscribers(t.Context(), w.operator, "STRANGER@example.com", core.Page{})
		core.Succeed(t, "found people", err)
		return fmt.Sprint(c, cs, p, ps, s, ss)
	}
	check.Equal(t, "nothing is suspended", count(), "0 1 0 1 0 1")
	in := core.SuspensionInput{Reason: "spam"}
	w.suspend()
	made(w.moderation.SuspendPublisher(t.Context(), w.operator, "metro", in))
	made(w.moderation.SuspendSubscriber(t.Context(), w.operator, w.stranger.SubscriberID, in))
	check.Equal(t, "all are suspended", count(), "1 1 1 1 1 1")
	for _, err := range []error{
		w.moderation.UnsuspendChannel(t.Context(), w.operator, "metro", "x"),
		w.moderation.UnsuspendPublisher(t.Context(), w.operator, "x"),
		w.moderation.ResetQuota(t.Context(), w.operator, "x"),
	} {
		core.CheckCode(t, "an operation on nothing", err, core.CodeNotFound)
	}
	_, err := w.moderation.SuspendPublisher(t.Context(), w.operator, "metro", core.SuspensionInput{})
	core.CheckCode(t, "suspend without a reason", err, core.CodeInvalid)
	core.CheckCode(t, "withdraw nothing", w.moderation.Withdraw(t.Context(), w.operator, core.NewID(), in),
		core.CodeNotFound)
}

// TestASuspensionThatEndsMeanwhile lets a request pass that saw the channel suspended.
func TestASuspensionThatEndsMeanwhile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.suspend()
	service := core.NewNotifications(endedSuspension{w.Store}, w, operators, testRules, clock)
	_, _, err := service.Publish(t.Context(), w.owner, "metro", "avisos", core.PublishInput{Title: "t"}, noKey)
	core.CheckCode(t, "publish", err, "")
}
