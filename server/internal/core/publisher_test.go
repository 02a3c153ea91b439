package core_test

import (
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

var metroID = core.ID{0xb}

func person(id core.ID) core.Caller {
	return core.Caller{Kind: core.CallerSubscriber, SubscriberID: id}
}

func TestPublisherInput(t *testing.T) {
	for name, test := range map[string]struct {
		in   core.PublisherInput
		want []string
	}{
		"valid": {core.PublisherInput{
			Slug: "p", Name: "P", Website: "https://example.com", Avatar: "https://example.com/a.png",
		}, nil},
		"blank": {core.PublisherInput{Slug: "p", Name: "\u200b"}, []string{"#/name"}},
		"long":  {core.PublisherInput{Slug: "p", Name: long(101), Description: long(1001)}, []string{"#/description", "#/name"}},
		"full":  {core.PublisherInput{Slug: "p", Name: long(100), Description: long(1000)}, nil},
		"all faults": {core.PublisherInput{
			Description: "\x00", Website: "http://example.com", Avatar: "data:,",
		}, []string{"#/avatar", "#/description", "#/name", "#/slug", "#/website"}},
	} {
		check.Equal(t, "faults of a publisher: "+name, pointers(test.in.Validate(production, now)), test.want)
	}
	link := core.Patch[string]{Set: true, Value: new("http://example.com")}
	patch := core.PublisherPatch{Name: new(" "), Description: new("\x00"), Website: link, Avatar: link}
	check.Equal(t, "faults of a change", pointers(patch.Validate(production, now)),
		[]string{"#/avatar", "#/description", "#/name", "#/website"})
	patch = core.PublisherPatch{Website: core.Patch[string]{Set: true}}
	check.Equal(t, "faults of the removal of a website", pointers(patch.Validate(production, now)), nil)
}

func TestWhoPublishes(t *testing.T) {
	w := newWorld(t)
	for name, c := range map[string]struct {
		caller core.Caller
		want   bool
	}{"owner": {w.owner, true}, "editor": {w.editor, true}, "stranger": {w.stranger, false}, "visitor": {w.visitor, false}} {
		check.Equal(t, "whether "+name+" publishes", made(w.publishers.HasAny(t.Context(), c.caller)), c.want)
	}
}
