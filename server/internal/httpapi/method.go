package httpapi

import (
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/sininho/sininho/server/internal/core"
)

// methods are those that work, by pattern. HEAD works where GET does, unless GET streams, which has no end.
func (c *contract) methods() map[string][]string {
	methods := map[string][]string{}
	for key, o := range c.operations {
		method, _, _ := strings.Cut(key, " ")
		methods[o.pattern] = append(methods[o.pattern], method)
		if method == http.MethodGet && !o.streams {
			methods[o.pattern] = append(methods[o.pattern], http.MethodHead)
		}
	}
	for _, list := range methods {
		slices.SortFunc(list, func(a, b string) int {
			return slices.Index(inOrder, a) - slices.Index(inOrder, b)
		})
	}
	return methods
}

// inOrder are the methods of a contract in the order that Allow lists them in.
var inOrder = []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
	http.MethodDelete}

// headAsGet serves HEAD as GET where that works; net/http leaves the body out.
func (a *server) headAsGet(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodHead && slices.Contains(a.allowed(r), http.MethodHead) {
			r = r.Clone(r.Context())
			r.Method = http.MethodGet
		}
		next.ServeHTTP(w, r)
	})
}

// notFound refuses a request that asks for no operation: 405 when its path has others, otherwise 404.
func (a *server) notFound(w http.ResponseWriter, r *http.Request) {
	if err := a.limit(w, r, callOf(r.Context())); err != nil {
		a.fail(w, r, err)
		return
	}
	allowed := a.allowed(r)
	if len(allowed) == 0 {
		a.fail(w, r, core.NotFound())
		return
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	a.fail(w, r, errMethod())
}

// allowed are the methods that work at the path of r. A literal path hides what a parameter in its place would match.
func (a *server) allowed(r *http.Request) []string {
	path := r.URL.RawPath
	if path == "" {
		path = r.URL.Path
	}
	pattern := a.routes.Find(chi.NewRouteContext(), http.MethodGet, path) // every pattern has a handler for GET
	return a.methods[pattern]
}
