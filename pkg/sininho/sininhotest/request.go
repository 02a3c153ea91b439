package sininhotest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/sininho/sininho/pkg/rules"
	"github.com/sininho/sininho/pkg/sininho"
)

const (
	base    = "/api/v1"
	maxBody = 2 << 20 // bytes
)

// request is a request with its caller and the channel that its path names.
type request struct {
	*http.Request
	body    []byte
	key     *key // nil for a visitor
	channel *sininho.Channel
	status  int // of the response
}

// operation returns the value to respond with, while the server is locked. It panics with a *sininho.Error to refuse.
type operation func(*request) any

func (s *Server) routes() http.Handler {
	const (
		notifications = "/channels/{publisher}/{channel}/notifications"
		webhooks      = "/channels/{publisher}/{channel}/webhooks"

		publish, edit, read = sininho.ScopePublish, sininho.ScopeChannels, sininho.ScopeRead
	)
	mux := http.NewServeMux()
	handle := func(pattern string, do operation, scopes ...sininho.Scope) {
		method, path, _ := strings.Cut(pattern, " ")
		mux.HandleFunc(method+" "+base+path, func(w http.ResponseWriter, r *http.Request) {
			s.carryOut(w, r, do, scopes...)
		})
	}
	handle("GET /auth", s.getAuth)
	handle("GET /channels/{publisher}/{channel}", s.getChannel)
	handle("GET "+notifications, s.listNotifications)
	handle("POST "+notifications, s.publish, publish)
	handle("POST "+notifications+"/batch", s.publishBatch, publish)
	handle("GET "+notifications+"/{id}", s.getNotification)
	handle("PATCH "+notifications+"/{id}", s.correct, publish)
	handle("DELETE "+notifications+"/{id}", s.withdraw, publish)
	handle("GET "+notifications+"/{id}/deliveries", s.getDeliveries, read)
	handle("GET "+webhooks, s.listWebhooks, edit, publish)
	handle("POST "+webhooks, s.createWebhook, edit, publish)
	handle("GET "+webhooks+"/{id}", s.getWebhook, edit, publish)
	handle("DELETE "+webhooks+"/{id}", s.deleteWebhook, edit, publish)
	handle("POST "+webhooks+"/{id}/rotate", s.rotateWebhook, edit, publish)
	handle("POST /webhooks/channels/{address}", s.receive)
	mux.HandleFunc("GET "+base+notifications+"/stream", s.stream)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { writeProblem(w, notCovered(r)) })
	return mux
}

// carryOut responds to a caller who has the scopes, or to everybody if there are none.
func (s *Server) carryOut(w http.ResponseWriter, r *http.Request, do operation, scopes ...sininho.Scope) {
	defer s.lock()()
	defer func() {
		fault := recover()
		if e, ok := fault.(*sininho.Error); ok {
			writeProblem(w, e)
		} else if fault != nil {
			panic(fault)
		}
	}()
	s.settle()
	in := &request{Request: r, key: s.identify(r), status: http.StatusOK}
	in.body, _ = io.ReadAll(r.Body)
	publisher, slug := r.PathValue("publisher"), r.PathValue("channel")
	if len(scopes) > 0 {
		if refused := in.key.check(publisher, scopes...); refused != nil {
			panic(refused)
		}
	}
	if in.channel = s.channels[publisher+"/"+slug]; in.channel == nil && slug != "" {
		panic(notFound())
	}
	if r.Header.Get("If-Match") != "" {
		panic(notCovered(r))
	}
	s.once(w, in, do)
}

// response is the response to a request with a body.
type response struct {
	to     []byte
	status int
	value  any
}

// once carries out a request, or repeats the response to an earlier one with the same idempotency key.
func (s *Server) once(w http.ResponseWriter, r *request, do operation) {
	key := r.Header.Get("Idempotency-Key")
	name := r.Header.Get("Authorization") + r.URL.Path + " " + key
	out := s.responses[name]
	switch {
	case out == nil:
		value := do(r)
		if out = (&response{r.body, r.status, value}); key != "" {
			s.responses[name] = out
		}
	case !bytes.Equal(out.to, r.body):
		panic(refusal(http.StatusUnprocessableEntity, "idempotency_key_reused", "It had another body.",
			sininho.FieldError{Pointer: "header:idempotency-key", Code: "reused", Detail: "had another body"}))
	default:
		w.Header().Set("Idempotency-Replayed", "true")
		if made, ok := out.value.(sininho.WebhookSecret); ok {
			made.Secret = "" // is shown only once
			out.value = made
		}
	}
	write(w, out.status, out.value)
}

// decode reads a body that package sininho has sent.
func decode[T any](r *request) (in T) {
	if len(r.body) > maxBody {
		panic(refusal(http.StatusRequestEntityTooLarge, "too_large", "The body is too large."))
	}
	d := json.NewDecoder(bytes.NewReader(r.body))
	d.DisallowUnknownFields()
	if d.Decode(&in) != nil {
		panic(notCovered(r.Request))
	}
	return in
}

// converted returns a value as one of another type that has members with the same names.
func converted[T any](value any) (out T) {
	text, _ := json.Marshal(value)
	_ = json.Unmarshal(text, &out)
	return out
}

// find returns the first element that is wanted, and refuses the request if there is none.
func find[T any](all []*T, wanted func(*T) bool) *T {
	if i := slices.IndexFunc(all, wanted); i >= 0 {
		return all[i]
	}
	panic(notFound())
}

// page returns the page of a list that a request asks for. With cursors, which fall, it asks by those.
func page[T any](r *request, all []T, cursor func(T) string) any {
	from, _ := strconv.Atoi(r.FormValue("offset"))
	after := r.FormValue("cursor")
	for cursor != nil && after != "" && from < len(all) && cursor(all[from]) >= after {
		from++
	}
	limit, _ := strconv.Atoi(cmp.Or(r.FormValue("limit"), "10"))
	to := min(from+limit, len(all))
	meta := map[string]any{"total": len(all)}
	if cursor != nil && to < len(all) {
		meta["nextCursor"] = cursor(all[to-1])
	}
	return map[string]any{"data": append([]T{}, all[min(from, to):to]...), "meta": meta}
}

// write writes a value as JSON, or no body if it is nil.
func write(w http.ResponseWriter, status int, value any) {
	if value == nil {
		w.WriteHeader(status)
		return
	}
	w.Header().Set("Content-Type", cmp.Or(w.Header().Get("Content-Type"), "application/json"))
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value)
}

func writeProblem(w http.ResponseWriter, e *sininho.Error) {
	if e.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(e.RetryAfter.Seconds())))
	}
	w.Header().Set("Content-Type", "application/problem+json")
	problem := map[string]any{"type": "about:blank", "title": http.StatusText(e.Status), "status": e.Status,
		"code": e.Code, "detail": e.Detail, "requestId": "req-test"}
	if len(e.Fields) > 0 {
		problem["errors"] = e.Fields
	}
	write(w, e.Status, problem)
}

func refusal(status int, code, detail string, fields ...sininho.FieldError) *sininho.Error {
	return &sininho.Error{Status: status, Code: code, Detail: detail, Fields: fields}
}

func notFound() *sininho.Error { return refusal(http.StatusNotFound, "not_found", "Not found.") }

func notCovered(r *http.Request) *sininho.Error {
	detail := fmt.Sprintf("sininhotest has no such %s %s. It covers GET %s/auth and what concerns a channel, its "+
		"notifications and plain webhooks. Script this response with Server.Reply or Server.Respond, or test against "+
		"`sininho-server dev`.", r.Method, r.URL.Path, base)
	return refusal(http.StatusNotImplemented, "not_implemented", detail)
}

// refuse refuses an input that has faults.
func refuse(found rules.Faults) {
	var fields []sininho.FieldError
	for _, f := range found {
		fields = append(fields, sininho.FieldError{Pointer: f.Pointer, Code: f.Code, Detail: f.Detail.EN})
	}
	slices.SortStableFunc(fields, func(a, b sininho.FieldError) int { return cmp.Compare(a.Pointer, b.Pointer) })
	if len(fields) > 0 {
		panic(refusal(http.StatusUnprocessableEntity, "invalid", "The input has faults.", fields...))
	}
}
