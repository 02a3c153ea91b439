package postgres_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/internal/waitlist"
)

// TestStoredResponses checks the JSON in which first responses are stored against testdata/responses.json, and that
// rows of that form replay completely. Renaming a Go field without a JSON name would lose it for every key in use.
func TestStoredResponses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	stored := readResponses(t, "responses.json")
	for name, c := range map[string]struct {
		response any
		repeat   func(core.Idempotency) (any, core.Creation, error)
	}{
		"notification": {filled[core.Notification](), func(k core.Idempotency) (any, core.Creation, error) {
			return untyped(w.Publish(ctx, w.notification("another"), k))
		}},
		"channel": {filled[core.Channel](), func(k core.Idempotency) (any, core.Creation, error) {
			return untyped(w.CreateChannel(ctx, core.NewID(), core.NewID(), core.ChannelInput{}, w.now, k))
		}},
		"publisher": {filled[core.Publisher](), func(k core.Idempotency) (any, core.Creation, error) {
			return untyped(w.CreatePublisher(ctx, core.Publisher{}, w.subscriber, k))
		}},
		"category": {filled[core.Category](), func(k core.Idempotency) (any, core.Creation, error) {
			return untyped(w.CreateCategory(ctx, core.Category{}, k))
		}},
		"apiKey": {filled[core.APIKey](), func(k core.Idempotency) (any, core.Creation, error) {
			return untyped(w.CreateAPIKey(ctx, core.APIKey{}, nil, k))
		}},
		"accessToken": {filled[core.AccessToken](), func(k core.Idempotency) (any, core.Creation, error) {
			return untyped(w.CreateAccessToken(ctx, core.AccessToken{}, nil, k))
		}},
		"membershipInvitation": {filled[core.MembershipInvitation](),
			func(k core.Idempotency) (any, core.Creation, error) {
				return untyped(w.Invite(ctx, core.MembershipInvitation{}, 0, k, nil))
			}},
		"channelInvitation": {filled[core.ChannelInvitation](), func(k core.Idempotency) (any, core.Creation, error) {
			return untyped(w.CreateChannelInvitation(ctx, core.ChannelInvitation{}, nil, core.ChannelInviter{}, k,
				noEmail))
		}},
		"eventEndpoint": {filled[core.EventEndpoint](), func(k core.Idempotency) (any, core.Creation, error) {
			return untyped(w.CreateEventEndpoint(ctx, core.EventEndpoint{}, core.EventSecrets{}, k))
		}},
		"webhook": {filled[core.SealedWebhook](), func(k core.Idempotency) (any, core.Creation, error) {
			return untyped(w.CreateWebhook(ctx, core.SealedWebhook{}, k))
		}},
		"draft": {filled[core.Draft](), func(k core.Idempotency) (any, core.Creation, error) {
			return untyped(w.CreateDraft(ctx, core.Draft{}, k))
		}},
		"invited": {filled[[]waitlist.Entry](),
			func(k core.Idempotency) (invited any, creation core.Creation, err error) {
				var entries []waitlist.Entry
				err = w.db.InTx(ctx, func(ctx context.Context, tx postgres.Tx) error {
					creation, err = postgres.Once(ctx, tx, k, &entries, nil)
					return err
				})
				return entries, creation, err
			}},
	} {
		want := string(stored[name])
		if got := encode(t, c.response); got != want {
			t.Errorf("%s is stored as\n%s\nwant\n%s", name, got, want)
		}
		key := core.Idempotency{Caller: "key:1", Key: "k", Route: "POST /" + name, BodyHash: []byte{1}}
		w.execute(t, "insert into idempotency_keys (id, body_hash, response) values ($1, $2, $3)",
			postgres.KeyID(key), key.BodyHash, want)
		replayed, creation, err := c.repeat(key)
		if err != nil {
			t.Errorf("%s: replay: %v", name, err)
		}
		equal(t, name+": creation", creation, core.Replayed)
		if encode(t, replayed) != want {
			t.Errorf("%s: replayed\n%s\nwant\n%s", name, encode(t, replayed), want)
		}
	}
}

func readResponses(t *testing.T, name string) map[string]json.RawMessage {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	succeed(t, "read the stored responses", err)
	var responses map[string]any
	if err := json.Unmarshal(b, &responses); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	compact := map[string]json.RawMessage{}
	for name, r := range responses {
		compact[name] = json.RawMessage(encode(t, r))
	}
	return compact
}

// encode returns v as JSON with its members in alphabetical order, so that the order of Go fields does not matter.
func encode(t *testing.T, v any) string {
	t.Helper()
	var members any
	b, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(b, &members)
	}
	if err == nil {
		b, err = json.Marshal(members)
	}
	succeed(t, "encode as JSON", err)
	return string(b)
}

// filled returns a T with a different value in every field.
func filled[T any]() T {
	var v T
	fill(reflect.ValueOf(&v).Elem(), new(int64))
	return v
}

func fill(v reflect.Value, n *int64) {
	*n++
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(time.Date(2026, 3, 1, 12, 0, int(*n), 0, time.UTC)))
		return
	case core.ID:
		v.Set(reflect.ValueOf(core.ID{15: byte(*n)}))
		return
	}
	switch v.Kind() { //nolint:exhaustive // the default is for all others
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Tag.Get("json") != "-" { // what is not stored stays empty
				fill(v.Field(i), n)
			}
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), n)
	case reflect.Map:
		value := reflect.New(v.Type().Elem()).Elem()
		fill(value, n)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("key"), value)
	case reflect.String:
		v.SetString(fmt.Sprint("text ", *n))
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(*n)
	case reflect.Uint8:
		v.SetUint(uint64(*n))
	case reflect.Bool:
		v.SetBool(true)
	default:
		panic("no value for " + v.Type().String())
	}
}

func untyped[T any](v T, c core.Creation, err error) (any, core.Creation, error) { return v, c, err }

// TestARepeatGetsTheFirstResponse covers each statement that stores a key.
func TestARepeatGetsTheFirstResponse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	publish := func(change func(*core.Notification)) func(core.Idempotency) (any, core.Creation, error) {
		return func(k core.Idempotency) (any, core.Creation, error) {
			n := w.notification("a") // with another id, at another time
			change(&n)
			return untyped(w.Publish(t.Context(), n, k))
		}
	}
	category := core.Category{ID: core.NewID(), Slug: "desporto", Name: "Desporto", Position: 3, UpdatedAt: w.now}
	for name, create := range map[string]func(core.Idempotency) (any, core.Creation, error){
		"publish":                     publish(func(*core.Notification) {}),
		"publish with an external id": publish(func(n *core.Notification) { n.ExternalID = "b" }),
		"schedule": publish(func(n *core.Notification) {
			n.PublishedAt, n.Visible, n.ScheduledAt = nil, false, new(w.now.AddDate(0, 0, 1).Truncate(24*time.Hour))
		}),
		"publish when it is due": publish(func(n *core.Notification) { n.ScheduledAt = new(w.now.Add(-time.Hour).Truncate(24 * time.Hour)) }),
		"create a category": func(k core.Idempotency) (any, core.Creation, error) {
			return untyped(w.CreateCategory(t.Context(), category, k))
		},
	} {
		key := core.Idempotency{Caller: "key:1", Key: name, Route: "POST /x", BodyHash: []byte{1}}
		made, creation, err := create(key)
		succeed(t, name, err)
		equal(t, name+": creation", creation, core.Created)
		again, creation, err := create(key)
		succeed(t, name+" again", err)
		equal(t, name+": creation again", creation, core.Replayed)
		if got, want := encode(t, again), encode(t, made); got != want {
			t.Errorf("%s: replayed\n%s\nwant\n%s", name, got, want)
		}
	}
}

// TestKeyOnTwoPaths publishes under one key on two paths: each has its own notification and replays it.
func TestKeyOnTwoPaths(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, external := range []string{"", "e1"} {
		made := map[string]core.ID{}
		for _, want := range []core.Creation{core.Created, core.Replayed} {
			for _, route := range []string{"POST /a", "POST /b"} {
				n := w.notification("x")
				if external != "" {
					n.ExternalID = external + route
				}
				key := core.Idempotency{
					Caller: "key:1", Key: "deploy-42" + external, Route: route, BodyHash: []byte(route),
				}
				n, creation, err := w.Publish(t.Context(), n, key)
				succeed(t, route, err)
				equal(t, route+": creation", creation, want)
				if creation == core.Created {
					made[route] = n.ID
				}
				equal(t, route+": notification", n.ID, made[route])
			}
		}
		if made["POST /a"] == made["POST /b"] {
			t.Errorf("notifications of two paths: got %s twice, want two", made["POST /a"])
		}
	}
}
