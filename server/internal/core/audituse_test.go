package core_test

import (
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

// TestAuditLog shows owners who changed what, except which operator did.
func TestAuditLog(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	origin := core.Origin{Operation: "suspendChannel", Operator: true, Network: "192.0.2.1", RequestID: "r"}
	ctx := core.WithOrigin(t.Context(), func() core.Origin {
		o := origin
		o.Caller = w.operator
		return o
	})
	made(w.moderation.SuspendChannel(ctx, w.operator, "metro", "avisos", core.SuspensionInput{Reason: "spam"}))
	own := core.WithOrigin(t.Context(), func() core.Origin {
		return core.Origin{Operation: "updateChannel", Caller: w.owner, Network: "192.0.2.2", RequestID: "s"}
	})
	core.Succeed(t, "end it", w.moderation.UnsuspendChannel(t.Context(), w.operator, "metro", "avisos"))
	made(w.channels.Update(own, w.owner, "metro", "avisos", core.ChannelPatch{Name: new("B")}, nil))
	data, total, err := w.audit.Publisher(t.Context(), w.owner, "metro", core.Page{})
	core.Succeed(t, "log of a publisher", err)
	check.Equal(t, "number of entries", total, 2)
	person := core.Actor{Kind: core.ActorPerson, ID: w.owner.SubscriberID, Name: "owner"}
	check.Equal(t, "actors", []core.Actor{data[0].Actor, data[1].Actor},
		[]core.Actor{person, {Kind: core.ActorOperator}})
	check.Equal(t, "networks and requests", data[0].Network+data[0].RequestID+data[1].Network+data[1].RequestID,
		"192.0.2.2s")
	all, _, err := w.audit.All(t.Context(), w.operator, "", core.Page{})
	core.Succeed(t, "log for operators", err)
	check.Equal(t, "operator, for operators", []any{all[1].Actor.Name, all[1].Network}, []any{"ops", "192.0.2.1"})
	_, total, err = w.audit.All(t.Context(), w.operator, "metro", core.Page{})
	check.Equal(t, "log of a publisher, for operators", []any{total, err}, []any{int64(2), nil})
	check.Equal(t, "name of a public channel, for operators", all[0].Channel.Name, "B")
	made(w.channels.Update(own, w.owner, "metro", "avisos", core.ChannelPatch{Visibility: new(core.Private)}, nil))
	data, _, _ = w.audit.Publisher(t.Context(), w.owner, "metro", core.Page{})
	check.Equal(t, "name of a private channel, for owners", data[0].Channel.Name, "B")
	all, _, _ = w.audit.All(t.Context(), w.operator, "", core.Page{})
	check.Equal(t, "private channel, for operators", all[0].Channel, nil)
	check.Equal(t, "name of a private channel, for operators", all[0].Object, "")
	_, _, err = w.audit.All(t.Context(), w.operator, "carris", core.Page{})
	core.CheckCode(t, "log of no publisher", err, core.CodeNotFound)
}

func TestActors(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key, token := w.key(), w.token(w.owner)
	for name, c := range map[string]struct {
		origin core.Origin
		want   core.Actor
	}{
		"the server":          {core.Origin{}, core.Actor{Kind: core.ActorSystem}},
		"a person":            {core.Origin{Caller: w.owner}, core.Actor{Kind: core.ActorPerson, ID: w.owner.SubscriberID}},
		"an operator":         {core.Origin{Caller: w.operator, Operator: true}, core.Actor{Kind: core.ActorOperator, ID: w.operator.SubscriberID}},
		"a token":             {core.Origin{Caller: token}, core.Actor{Kind: core.ActorToken, ID: w.owner.SubscriberID, TokenID: token.TokenID}},
		"a key":               {core.Origin{Caller: key}, core.Actor{Kind: core.ActorKey, ID: key.KeyID}},
		"a visitor's sign-in": {core.Origin{Operator: true}, core.Actor{Kind: core.ActorSystem}},
	} {
		check.Equal(t, "actor of "+name, c.origin.Actor(), c.want)
	}
	check.Equal(t, "origin of nothing", core.OriginOf(t.Context()), core.Origin{})
	check.Equal(t, "accounts", []core.ID{w.owner.Account(), key.Account(), w.visitor.Account()},
		[]core.ID{w.owner.SubscriberID, w.owner.SubscriberID, {}})
	check.Equal(t, "credentials", []core.ID{w.owner.Credential(), key.Credential(), token.Credential()},
		[]core.ID{w.owner.SessionID, key.KeyID, token.TokenID})
	check.Equal(t, "identities", []string{w.owner.Identity(), key.Identity(), w.visitor.Identity()},
		[]string{"subscriber:" + w.owner.SubscriberID.String(), "key:" + key.KeyID.String(), ""})
}
