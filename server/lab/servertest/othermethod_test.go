package servertest_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// methods that a client may send.
var allMethods = []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
	http.MethodDelete, http.MethodOptions, http.MethodTrace, "BREW", "get", "M-SEARCH"}

// otherMethods sends every method that a path does not have.
func (g *generator) otherMethods() {
	g.f.t.Helper()
	for _, id := range slices.Sorted(maps.Keys(g.operations)) {
		op := g.operations[id]
		allowed := allowedMethods(op.item)
		for _, method := range allMethods {
			if slices.Contains(allowed, method) {
				continue
			}
			p := probe{id: id, what: method + " instead", method: method, caller: "owner", header: http.Header{},
				statuses: []int{http.StatusMethodNotAllowed}, allow: strings.Join(allowed, ", ")}
			p.path = strings.NewReplacer("{", "", "}", "").Replace(op.path)
			g.try(p)
		}
	}
}

// allowedMethods returns the methods of a path, in the order of the header Allow.
func allowedMethods(item *openapi3.PathItem) (allowed []string) {
	for _, method := range allMethods {
		op := item.GetOperation(method)
		if method == http.MethodHead {
			if op = item.Get; op != nil && op.Responses.Status(200) != nil &&
				op.Responses.Status(200).Value.Content["text/event-stream"] != nil {
				continue
			}
		}
		if slices.Contains(allMethods[:6], method) && op != nil {
			allowed = append(allowed, method)
		}
	}
	return allowed
}
