package sininhotest

import (
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sininho/sininho/pkg/rules"
	"github.com/sininho/sininho/pkg/sininho"
)

// The schemas and parameters that openapi/sininho.yaml defines for the covered operations.

var (
	slug       = schema{min: 1, max: 63, pattern: regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)}
	id         = schema{max: 36, format: isUUID}
	address    = schema{max: rules.MaxLink, format: isURI}
	moment     = schema{max: 40, format: isTime}
	importance = schema{enum: []string{string(sininho.Normal), string(sininho.Important)}}
	keepDays   = schema{kind: integer, min: 1, max: 36_500}
	keepCount  = schema{kind: integer, min: 1, max: 1_000_000_000}
	visibility = schema{enum: []string{string(sininho.Public), string(sininho.Unlisted)}}
	data       = schema{kind: object, max: rules.MaxData, values: &schema{max: rules.MaxDataValue}}
)

func orNull(s schema) schema {
	s.nullable = true
	return s
}

var notificationInput = schema{kind: object, required: []string{"title"}, members: map[string]schema{
	"title": {min: 1, max: rules.MaxTitle}, "body": {max: rules.MaxBody},
	"image": address, "icon": address, "link": address,
	"importance": importance, "data": data, "externalId": {min: 1, max: rules.MaxExternalID},
	"scheduledAt": moment, "expiresAt": moment,
}}

var notificationBatch = schema{kind: object, required: []string{"notifications"}, members: map[string]schema{
	"notifications": {kind: list, min: 1, max: rules.MaxBatch, values: &notificationInput},
}}

var notificationPatch = schema{kind: object, min: 1, members: map[string]schema{
	"title": {min: 1, max: rules.MaxTitle}, "body": {max: rules.MaxBody},
	"image": orNull(address), "icon": orNull(address), "link": orNull(address),
	"importance": importance, "data": data, "scheduledAt": moment, "expiresAt": orNull(moment),
}}

var channelInput = schema{
	kind: object, required: []string{"publisherSlug", "slug", "name", "categoryId"},
	members: map[string]schema{
		"publisherSlug": slug, "slug": slug, "categoryId": id,
		"name": {min: 1, max: rules.MaxName}, "description": {max: rules.MaxDescription},
		"icon": address, "visibility": visibility, "keepDays": keepDays, "keepCount": keepCount,
	},
}

var channelPatch = schema{kind: object, min: 1, members: map[string]schema{
	"name": {min: 1, max: rules.MaxName}, "description": {max: rules.MaxDescription},
	"categoryId": id, "icon": orNull(address), "visibility": visibility,
	"keepDays": orNull(keepDays), "keepCount": orNull(keepCount),
}}

// param is a parameter of an operation.
type param struct {
	in, name string
	schema
}

const maxOffset = 10_000

var (
	limit  = param{"query", "limit", schema{kind: integer, min: 1, max: 100}}
	offset = param{"query", "offset", schema{kind: integer, max: maxOffset}}

	paging        = []param{limit, offset}
	channelFilter = []param{limit, offset,
		{"query", "q", schema{max: 200}}, {"query", "category", slug}, {"query", "publisher", slug},
		{"query", "sort", schema{enum: []string{
			string(sininho.SortPopular), string(sininho.SortTrending), string(sininho.SortNewest),
			string(sininho.SortActive)}}}}
	notificationFilter = []param{limit, offset,
		{"query", "cursor", schema{min: 1, max: 128}}, {"query", "scheduled", schema{kind: boolean}}}
	creating = []param{{"header", "Idempotency-Key",
		schema{min: 1, max: 255, pattern: regexp.MustCompile(`^[\x21-\x7E]+$`)}}}
	changing  = []param{{"header", "If-Match", schema{max: 128}}}
	following = []param{{"header", "Last-Event-ID", schema{max: 20}}}
)

// allParams returns the operation's parameters, including those of its path.
func (o operation) allParams() []param {
	all := append([]param{}, o.params...)
	for _, p := range []param{{"path", "publisherSlug", slug}, {"path", "channelSlug", slug}, {"path", "id", id}} {
		if strings.Contains(o.pattern, "{"+p.name+"}") {
			all = append(all, p)
		}
	}
	return all
}

// values returns every value that was sent for the parameter.
func (p param) values(r *http.Request, query url.Values) []string {
	switch p.in {
	case "query":
		return query[p.name]
	case "header":
		return r.Header.Values(p.name)
	default:
		return []string{r.PathValue(p.name)}
	}
}

func (p param) pointer() string {
	if p.in == "header" {
		return p.in + ":" + strings.ToLower(p.name)
	}
	return p.in + ":" + p.name
}

func (f *faults) param(p param, values []string) {
	if len(values) == 0 {
		return
	}
	if len(values) > 1 {
		f.add(p.pointer(), "duplicate", "is given more than once")
		return
	}
	if !utf8.ValidString(values[0]) || strings.ContainsRune(values[0], 0) {
		f.add(p.pointer(), "text", "has a NUL or is not UTF-8")
		return
	}
	f.check(p.pointer(), p.parse(values[0]), p.schema)
}

// parse converts a parameter to the type of its schema, or returns the text if that is impossible.
func (p param) parse(raw string) any {
	switch n, err := strconv.ParseInt(raw, 10, 64); {
	case p.kind == integer && err == nil:
		return n
	case p.kind == boolean && (raw == "true" || raw == "false"):
		return raw == "true"
	default:
		return raw
	}
}
