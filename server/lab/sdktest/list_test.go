package sdktest_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/server/lab/check"
)

func testListGoesThroughAllPages(t *testing.T, f *fixture) {
	notifications := f.key.Notifications
	for i := range 25 {
		if _, err := notifications.Publish(t.Context(), f.channel,
			sininho.PublishInput{Title: fmt.Sprint(i)}); err != nil {
			t.Fatalf("publish: %v", err)
		}
	}
	want := 24
	for n, err := range notifications.List(t.Context(), f.channel, sininho.ListOptions{PageSize: 10}) {
		if err != nil {
			t.Fatalf("list notifications: %v", err)
		}
		if n.Title != fmt.Sprint(want) {
			t.Fatalf("got %s, want %d", n.Title, want)
		}
		if want == 20 { // a new notification does not shift the pages
			if _, err := notifications.Publish(t.Context(), f.channel,
				sininho.PublishInput{Title: "nova"}); err != nil {
				t.Fatalf("publish: %v", err)
			}
		}
		want--
	}
	if want != -1 {
		t.Errorf("notifications: the list ended before %d", want)
	}
}

func testListsEndWithTheirError(t *testing.T, f *fixture) {
	client := f.key
	for name, test := range map[string]struct{ got, want error }{
		"no channel": {
			lastError(client.Notifications.List(t.Context(), f.slug+"/nada", sininho.ListOptions{})),
			sininho.ErrNotFound,
		},
		"bad size": {
			lastError(client.Notifications.List(t.Context(), f.channel, sininho.ListOptions{PageSize: 101})),
			sininho.ErrInvalid,
		},
		"no address": {
			lastError(client.Notifications.List(t.Context(), "x", sininho.ListOptions{})), sininho.ErrInvalid,
		},
		"bad sort": {
			lastError(client.Channels.List(t.Context(), sininho.ChannelListOptions{Sort: "best"})), sininho.ErrInvalid,
		},
	} {
		if !errors.Is(test.got, test.want) {
			t.Errorf("list %s: got error %v, want %v", name, test.got, test.want)
		}
	}
}

func testChannelsAndCategories(t *testing.T, f *fixture) {
	client := f.key
	categories := []sininho.Category{f.category("transportes"), f.category("tecnologia")}
	if got, err := client.Categories.Get(t.Context(), categories[1].ID); err != nil || got.Slug != categories[1].Slug ||
		got.Version == "" {
		t.Errorf("Get = %+v, %v", got, err)
	}
	for i := range 5 {
		address := fmt.Sprintf(f.slug+"/canal-%d", i)
		created, err := client.Channels.Create(t.Context(), address, sininho.ChannelInput{
			Name: "Canal", Description: "d", CategoryID: categories[1].ID, Icon: "https://example.com/i.png"})
		if err != nil {
			t.Fatalf("create the channel: %v", err)
		}
		got, err := client.Channels.Get(t.Context(), address)
		if err != nil || got.ID != created.ID || got.Address().String() != address {
			t.Errorf("Get = %+v, %v", got, err)
		}
	}
	_, err := client.Channels.Create(t.Context(), f.slug+"/canal-1",
		sininho.ChannelInput{Name: "x", CategoryID: categories[0].ID})
	if !errors.Is(err, sininho.ErrConflict) {
		t.Errorf("a slug that is taken: got error %v, want %v", err, sininho.ErrConflict)
	}
	_, err = client.Channels.Create(t.Context(), f.slug+"/outro",
		sininho.ChannelInput{Name: "x", CategoryID: "tecnologia"})
	if !errors.Is(err, sininho.ErrInvalid) {
		t.Errorf("a bad category: got error %v, want %v", err, sininho.ErrInvalid)
	}
	n := 0
	for _, err := range client.Channels.List(t.Context(),
		sininho.ChannelListOptions{Publisher: f.slug, Category: "tecnologia", PageSize: 2}) {
		if err != nil {
			t.Fatalf("list channels: %v", err)
		}
		n++
	}
	if n != 5 {
		t.Errorf("channels: got %d, want 5", n)
	}
}

func testAuth(t *testing.T, f *fixture) {
	caller, err := f.key.Auth.Get(t.Context())
	if err != nil {
		t.Fatalf("get the caller: %v", err)
	}
	check.Equal(t, "kind of the caller", caller.Kind, sininho.CallerPublisher)
	check.Equal(t, "publisher of the key", caller.Publisher.Slug, f.slug)
	check.Equal(t, "number of scopes of the key", len(caller.Scopes), 3)
	caller, err = f.visitor().Auth.Get(t.Context())
	if err != nil || caller.Kind != sininho.CallerVisitor {
		t.Errorf("caller without a credential: got %+v, %v, want a visitor", caller, err)
	}
	if _, err = f.client(sininho.WithAPIKey("snh_live_x")).
		Auth.Get(t.Context()); !errors.Is(err, sininho.ErrUnauthorized) {
		t.Errorf("bad key: got error %v, want %v", err, sininho.ErrUnauthorized)
	}
}

// testWhatChannelsRefuse compares the server's rules with those of Validate.
func testWhatChannelsRefuse(t *testing.T, f *fixture) {
	category := f.category("transportes").ID
	for name, in := range map[string]sininho.ChannelInput{
		"name":        {Name: "a\nb"},
		"description": {Name: "Um", Description: "a\x00b"},
		"icon":        {Name: "Um", Icon: "ftp://example.com/i.png"},
		"visibility":  {Name: "Um", Visibility: "secret"},
	} {
		in.CategoryID = category
		_, err := f.key.Channels.Create(t.Context(), f.slug+"/outro", in)
		var refused *sininho.Error
		if !errors.As(err, &refused) || len(refused.Fields) != 1 || refused.Fields[0].Name() != name {
			t.Errorf("%s: the server returns %v, want one fault", name, err)
		}
		var input *sininho.InputError
		if !errors.As(in.Validate(), &input) || len(input.Fields) != 1 || input.Fields[0].Name() != name {
			t.Errorf("%s: Validate returns %v, want one fault", name, input)
		}
	}
	for name, in := range map[string]sininho.ChannelUpdate{
		"name":        {Name: new(" ")},
		"description": {Description: new("\x00")},
		"icon":        {Icon: new("ftp://example.com/i.png")},
		"visibility":  {Visibility: new(sininho.Visibility("secret"))},
	} {
		_, err := f.key.Channels.Update(t.Context(), f.channel, in)
		var refused *sininho.Error
		if !errors.As(err, &refused) || len(refused.Fields) != 1 || refused.Fields[0].Name() != name {
			t.Errorf("change of %s: the server returns %v, want one fault", name, err)
		}
		var input *sininho.InputError
		if !errors.As(in.Validate(), &input) || len(input.Fields) != 1 || input.Fields[0].Name() != name {
			t.Errorf("change of %s: Validate returns %v, want one fault", name, input)
		}
	}
}
