package httpapi

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/language"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
)

// Error codes that exist only in HTTP.
const (
	codeMethod   core.Code = "method_not_allowed"
	codeMedia    core.Code = "unsupported_media_type"
	codeInternal core.Code = "internal"
)

// statuses maps every error code to its status.
var statuses = map[core.Code]int{
	core.CodeMalformed:       http.StatusBadRequest,
	core.CodeInvalid:         http.StatusUnprocessableEntity,
	core.CodeUnauthenticated: http.StatusUnauthorized,
	core.CodeForbidden:       http.StatusForbidden,
	core.CodeNotFound:        http.StatusNotFound,
	core.CodeConflict:        http.StatusConflict,
	core.CodeInFlight:        http.StatusConflict,
	core.CodeChanged:         http.StatusPreconditionFailed,
	core.CodeTooLarge:        http.StatusRequestEntityTooLarge,
	core.CodeRateLimited:     http.StatusTooManyRequests,
	core.CodeUnavailable:     http.StatusServiceUnavailable,
	core.CodeFull:            http.StatusInsufficientStorage,
	codeMethod:               http.StatusMethodNotAllowed,
	codeMedia:                http.StatusUnsupportedMediaType,
	codeInternal:             http.StatusInternalServerError,
}

// titlesPT names the statuses in Portuguese.
var titlesPT = map[int]string{
	http.StatusBadRequest:            "Pedido malformado",
	http.StatusUnauthorized:          "Não autenticado",
	http.StatusForbidden:             "Proibido",
	http.StatusNotFound:              "Não encontrado",
	http.StatusMethodNotAllowed:      "Método não permitido",
	http.StatusConflict:              "Conflito",
	http.StatusPreconditionFailed:    "Condição não cumprida",
	http.StatusRequestEntityTooLarge: "Conteúdo demasiado grande",
	http.StatusUnsupportedMediaType:  "Tipo de conteúdo não suportado",
	http.StatusUnprocessableEntity:   "Conteúdo não processável",
	http.StatusTooManyRequests:       "Demasiados pedidos",
	http.StatusInternalServerError:   "Erro interno do servidor",
	http.StatusServiceUnavailable:    "Serviço indisponível",
	http.StatusInsufficientStorage:   "Armazenamento insuficiente",
}

// fail responds with a problem. An error that is not a *core.Error reveals nothing about its cause.
func (a *server) fail(w http.ResponseWriter, r *http.Request, err error) {
	c := callOf(r.Context())
	e := a.explain(r, err)
	if c.out.status != 0 {
		return // too late: the response has begun
	}
	a.writeProblem(w, r, c, e)
}

// explain returns the *core.Error to respond with, and logs the details that are not sent to the caller.
func (a *server) explain(r *http.Request, err error) *core.Error {
	ctx := r.Context()
	e, known := errors.AsType[*core.Error](err)
	if known && statuses[e.Code] != 0 {
		if e.Code == core.CodeUnavailable && e.Reason == "" { // with a reason the service is closed on purpose
			a.Log.WarnContext(ctx, "unavailable", "error", err)
		}
		return e
	}
	if ctx.Err() != nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		a.Log.DebugContext(ctx, "request canceled", "error", err)
		return core.Unavailable(err) // most likely the client has disconnected
	}
	a.Log.ErrorContext(ctx, "request failed", "error", err, "route", callOf(ctx).route())
	return errInternal()
}

func (a *server) writeProblem(w http.ResponseWriter, r *http.Request, c *call, e *core.Error) {
	status, pt := statuses[e.Code], prefersPortuguese(r.Header.Get("Accept-Language"))
	h := w.Header()
	h.Set("Content-Type", "application/problem+json")
	h.Set("Content-Language", map[bool]string{true: "pt", false: "en"}[pt])
	if status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", challenge(r))
	}
	if e.RetryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(seconds(e.RetryAfter)))
	}
	p := api.Problem{Type: "about:blank", Title: core.Text{EN: http.StatusText(status), PT: titlesPT[status]}.In(pt),
		Status: int32(status), //nolint:gosec // a status fits
		Code:   cmp.Or(e.Reason, string(e.Code)), Detail: optional(truncate(e.Detail.In(pt), maxDetail)),
		RequestID: c.id, Errors: toAPIFieldErrors(e.Fields, pt)}
	body, err := json.Marshal(p)
	if err != nil {
		a.Log.ErrorContext(r.Context(), "encode a problem", "error", err)
	}
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// Limits of the contract for a problem: the number of faults, and the characters of its texts.
const (
	maxFaults      = 1000
	maxDetail      = 2000
	maxPointer     = 500
	maxFaultDetail = 1000
)

// truncate cuts a text, which may quote part of the request, to limit characters.
func truncate(s string, limit int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if utf8.RuneCountInString(s) > limit {
		s = string([]rune(s)[:limit])
	}
	return s
}

func toAPIFieldErrors(fields []core.FieldError, pt bool) []api.FieldError {
	fields = fields[:min(len(fields), maxFaults)]
	list := convert(fields, func(f core.FieldError) api.FieldError {
		return api.FieldError{
			Pointer: truncate(f.Pointer, maxPointer), Code: f.Code, Detail: truncate(f.Detail.In(pt), maxFaultDetail),
		}
	})
	slices.SortStableFunc(list, func(a, b api.FieldError) int { return cmp.Compare(a.Pointer, b.Pointer) })
	return list
}

// challenge returns the WWW-Authenticate header (RFC 6750).
func challenge(r *http.Request) string {
	if r.Header.Get("Authorization") == "" {
		return `Bearer realm="sininho"`
	}
	return `Bearer realm="sininho", error="invalid_token"`
}

// seconds rounds up, so that a caller that waits this long has waited long enough.
func seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }

// prefersPortuguese reports whether an Accept-Language header prefers Portuguese to English.
func prefersPortuguese(header string) bool {
	tags, q, err := language.ParseAcceptLanguage(header) // sorted by quality, highest first
	if err != nil {
		return false
	}
	for i, tag := range tags {
		lang, _ := tag.Base()
		if q[i] > 0 && (lang.String() == "pt" || lang.String() == "en") {
			return lang.String() == "pt"
		}
	}
	return false
}

// unreadable responds to errors of the generated code in binding parameters and bodies. The validator has accepted
// these before, so this is rarely reached.
func (a *server) unreadable(w http.ResponseWriter, r *http.Request, err error) {
	e := core.Malformed(core.Text{EN: "The request cannot be read.", PT: "O pedido não pode ser lido."})
	e.Err = err
	a.fail(w, r, e)
}

func errInternal() *core.Error {
	return &core.Error{Code: codeInternal, Detail: core.Text{
		EN: "Internal error. Try again; if it persists, report the requestId.",
		PT: "Erro interno. Tente novamente; se persistir, indique o requestId."}}
}

func errMethod() *core.Error {
	return &core.Error{Code: codeMethod, Detail: core.Text{EN: "Method not allowed here; see the Allow header.",
		PT: "Método não permitido aqui; veja o cabeçalho Allow."}}
}

func errMedia() *core.Error {
	return &core.Error{Code: codeMedia, Detail: core.Text{
		EN: "The body must be application/json in UTF-8, without Content-Encoding.",
		PT: "O corpo tem de ser application/json em UTF-8, sem Content-Encoding."}}
}

func errTooLarge(limit int64) *core.Error {
	n := strconv.FormatInt(limit>>10, 10)
	return &core.Error{Code: core.CodeTooLarge, Detail: core.Text{
		EN: "The body has more than " + n + " KiB.",
		PT: "O corpo tem mais de " + n + " KiB."}}
}
