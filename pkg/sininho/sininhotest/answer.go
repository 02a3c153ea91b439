package sininhotest

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"net/http"
	"strconv"

	"github.com/sininho/sininho/pkg/api"
)

func problem(status int, code, detail string) api.Problem {
	return api.Problem{
		Type: "about:blank", Title: http.StatusText(status), Status: int32(status),
		Detail: &detail, Code: code, RequestID: "req-test",
	}
}

func writeProblem(w http.ResponseWriter, p api.Problem) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(int(p.Status))
	_ = json.NewEncoder(w).Encode(p)
}

func notFound(w http.ResponseWriter) {
	writeProblem(w, problem(http.StatusNotFound, "not_found", "There is no such thing here."))
}

func writeJSON(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value)
}

func writePage[T any](w http.ResponseWriter, r *http.Request, all []T) {
	offset := number(r, "offset", 0)
	from := min(offset, len(all))
	to := min(from+number(r, "limit", 10), len(all))
	writeJSON(w, http.StatusOK, map[string]any{
		"data": append([]T{}, all[from:to]...),
		"meta": map[string]any{"total": len(all)},
	})
}

func number(r *http.Request, name string, fallback int) int {
	n, err := strconv.Atoi(r.URL.Query().Get(name))
	if err != nil {
		return fallback
	}
	return n
}

// etag is a version made of all that is shown.
func etag(value any) string {
	text, _ := json.Marshal(value)
	return fmt.Sprintf("%q", strconv.FormatUint(uint64(crc32.ChecksumIEEE(text)), 36))
}

// writeVersion answers with the value and its version.
func writeVersion(w http.ResponseWriter, value any) {
	w.Header().Set("ETag", etag(value))
	writeJSON(w, http.StatusOK, value)
}

// changed answers 412 when the request has seen another version.
func changed(w http.ResponseWriter, r *http.Request, value any) bool {
	seen := r.Header.Get("If-Match")
	if seen == "" || seen == etag(value) {
		return false
	}
	writeProblem(w, problem(http.StatusPreconditionFailed, "precondition_failed", "It was changed meanwhile."))
	return true
}

// merged is the old value with the members of the request's body; null removes.
func merged[T any](r *http.Request, old T) T {
	members := map[string]any{}
	text, _ := json.Marshal(old)
	_ = json.Unmarshal(text, &members)
	_ = json.NewDecoder(r.Body).Decode(&members)
	var out T
	text, _ = json.Marshal(members)
	_ = json.Unmarshal(text, &out)
	return out
}

// decoded is the request's body.
func decoded[T any](r *http.Request) T {
	var out T
	_ = json.NewDecoder(r.Body).Decode(&out)
	return out
}

// unknown is a refusal of one field.
func unknown(name, detail string) (int, any) {
	p := faulty([]api.FieldError{{Pointer: "#/" + name, Code: "unknown", Detail: detail}})
	return int(p.Status), *p
}

// faulty is a refusal for these faults, or nil when there are none.
func faulty(fields []api.FieldError) *api.Problem {
	if len(fields) == 0 {
		return nil
	}
	p := problem(http.StatusUnprocessableEntity, "invalid", "The request has faults.")
	p.Errors = fields
	return &p
}

// Refuse answers with a problem, for [Server.Answer]; retryAfter is in seconds, 0 for none.
func Refuse(status int, code string, retryAfter int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if retryAfter > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(retryAfter))
		}
		writeProblem(w, problem(status, code, "As the test wants it."))
	}
}

// Cut closes the connection without an answer, for [Server.Answer].
func Cut(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
