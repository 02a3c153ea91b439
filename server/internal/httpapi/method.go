package httpapi

import (
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/sininho/sininho/server/internal/core"
)

// methods returns the allowed methods by pattern. HEAD is allowed where GET is, unless GET responds with an endless
// stream.
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
			return slices.Index(methodOrder, a) - slices.Index(methodOrder, b)
		})
	}
	return methods
}

// methodOrder lists the methods in the order that Allow lists them.
var methodOrder = []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
	http.MethodDelete}

// headAsGet handles HEAD as GET where the contract allows it; net/http discards the body.
func (a *server) headAsGet(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodHead && slices.Contains(a.allowed(r), http.MethodHead) {
			r = r.Clone(r.Context())
			r.Method = http.MethodGet
		}
		next.ServeHTTP(w, r)
	})
}

// notFound refuses a request that matches no operation: with 405 when its path has other methods, otherwise with 404.
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

// allowed returns the methods allowed at the path of r. A literal path takes precedence over a parameter in the same
// place.
func (a *server) allowed(r *http.Request) []string {
	path := r.URL.RawPath
	if path == "" {
		path = r.URL.Path
	}
	pattern := a.routes.Find(chi.NewRouteContext(), http.MethodGet, path) // every pattern has a handler for GET
	return a.methods[pattern]
}
