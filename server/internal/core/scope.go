package core

import "slices"

// Scope is a permission of an API key or an access token.
type Scope string

// The scopes.
const (
	ScopePublish  Scope = "publish"
	ScopeChannels Scope = "channels" // only of API keys
	ScopeRead     Scope = "read"
	ScopeManage   Scope = "manage" // only of access tokens; it includes all others
)

// tokenScopes are all scopes of an access token, from the narrowest to the widest.
var tokenScopes = []Scope{ScopeRead, ScopePublish, ScopeManage}

// newTokenScopes returns the scopes of a new access token: those wanted, otherwise all.
func newTokenScopes(wanted []Scope) []Scope {
	if len(wanted) == 0 || slices.Contains(wanted, ScopeManage) {
		return tokenScopes
	}
	return slices.DeleteFunc(slices.Clone(tokenScopes), func(s Scope) bool { return !slices.Contains(wanted, s) })
}

// HasScope reports whether the caller's API key or access token has the scope. A session has every scope; memberships
// determine what the person may do.
func (c Caller) HasScope(s Scope) bool {
	return c.Is(CallerSubscriber) && !c.ByToken() || slices.Contains(c.Scopes, ScopeManage) ||
		slices.Contains(c.Scopes, s)
}

// RequireScope fails with CodeForbidden when the caller's API key or access token lacks the scope.
func (c Caller) RequireScope(s Scope) error {
	if c.HasScope(s) {
		return nil
	}
	if !c.ByToken() {
		return Forbidden(Text{
			EN: "This API key lacks the scope `" + string(s) + "`.",
			PT: "Esta chave de API não tem o âmbito `" + string(s) + "`.",
		})
	}
	if s == ScopeChannels {
		s = ScopeManage // which includes it
	}
	return Forbidden(Text{
		EN: "This access token lacks the scope `" + string(s) + "`. Create one that has it.",
		PT: "Este token de acesso não tem o âmbito `" + string(s) + "`. Crie um que o tenha.",
	})
}
