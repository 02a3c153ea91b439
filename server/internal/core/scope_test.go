package core_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

func TestRequireScope(t *testing.T) {
	token := core.Caller{Kind: core.CallerSubscriber, SubscriberID: core.ID{1}, TokenID: core.ID{2}}
	key := core.Caller{Kind: core.CallerPublisher, KeyID: core.ID{3}}
	for _, test := range []struct {
		what   string
		caller core.Caller
		own    []core.Scope
		scope  core.Scope
		want   string // what the error names
	}{
		{"a session", person(core.ID{1}), nil, core.ScopeManage, ""},
		{"a visitor", core.Caller{}, nil, core.ScopeRead, "`read`"},
		{"a token with the scope", token, []core.Scope{core.ScopeRead}, core.ScopeRead, ""},
		{"a token with another", token, []core.Scope{core.ScopeRead}, core.ScopePublish, "access token lacks the scope `publish`"},
		{"a token that may manage", token, []core.Scope{core.ScopeManage}, core.ScopePublish, ""},
		{"a token that may manage", token, []core.Scope{core.ScopeManage}, core.ScopeChannels, ""},
		{"a token without channels", token, []core.Scope{core.ScopePublish}, core.ScopeChannels, "`manage`"},
		{"a key with the scope", key, []core.Scope{core.ScopeChannels}, core.ScopeChannels, ""},
		{"a key with another", key, []core.Scope{core.ScopeRead}, core.ScopePublish, "API key lacks the scope `publish`"},
	} {
		test.caller.Scopes = test.own
		err := test.caller.RequireScope(test.scope)
		check.Equal(t, test.what+" has "+string(test.scope), test.caller.HasScope(test.scope), test.want == "")
		if test.want == "" {
			check.Equal(t, "error for "+test.what, err, nil)
			continue
		}
		var e *core.Error
		if !errors.As(err, &e) || e.Code != core.CodeForbidden || !strings.Contains(e.Detail.EN, test.want) {
			t.Errorf("error for %s: got %v, want one that is forbidden and contains %q", test.what, err, test.want)
		}
	}
}
