package docs

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	guides "github.com/sininho/sininho/docs"
	"github.com/sininho/sininho/openapi"
	"github.com/sininho/sininho/server/lab/check"
)

func get(t *testing.T, path string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	Handler().ServeHTTP(w, r)
	return w
}

func contract(t *testing.T) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(openapi.Sininho)
	if err != nil {
		t.Fatalf("load the contract: %v", err)
	}
	return doc
}

func TestEveryGuideIsListed(t *testing.T) {
	files, err := filepath.Glob("../../../docs/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("guides in docs: got %d, %v; want some", len(files), err)
	}
	for _, f := range files {
		name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(f), ".md"), ".gen")
		listed := slices.ContainsFunc(guides.Sections,
			func(s guides.Section) bool { return slices.Contains(s.Guides, name) })
		if !listed && name != "README" {
			t.Errorf("docs.Sections: %s is missing", f)
		}
	}
}

// TestEveryOperationHasAPage checks that the reference shows each operation of the contract with its responses and
// bodies.
func TestEveryOperationHasAPage(t *testing.T) {
	list := get(t, "/docs/reference").Body.String()
	for path, item := range contract(t).Paths.Map() {
		for method, op := range item.Operations() {
			if !strings.Contains(list, `href="/docs/reference/`+op.OperationID+`"`) {
				t.Errorf("list of operations: %s is missing", op.OperationID)
			}
			page := get(t, "/docs/reference/"+op.OperationID)
			body := strings.ReplaceAll(page.Body.String(), "<wbr>", "")
			want := "<strong>" + method + "</strong> <code>/api/v1" + path + "</code>"
			if page.Code != http.StatusOK || !strings.Contains(body, want) {
				t.Errorf("page of %s: got status %d, want 200 with %s", op.OperationID, page.Code, want)
			}
			for status := range op.Responses.Map() {
				if !strings.Contains(body, ">"+status+" ") {
					t.Errorf("page of %s: response %s is missing", op.OperationID, status)
				}
			}
		}
	}
}

// TestExamplesFitTheirSchemas validates the examples of the reference against the contract.
func TestExamplesFitTheirSchemas(t *testing.T) {
	for _, item := range contract(t).Paths.Map() {
		for _, op := range item.Operations() {
			check := func(where string, media openapi3.Content) {
				m := media["application/json"]
				if m == nil {
					return
				}
				var example any
				if err := json.Unmarshal([]byte(indented(exampleOf(m.Schema.Value))), &example); err != nil {
					t.Fatalf("decode the example of %s of %s: %v", where, op.OperationID, err)
				}
				if err := m.Schema.Value.VisitJSON(example); err != nil {
					t.Errorf("example of %s of %s: %v", where, op.OperationID, err)
				}
			}
			if op.RequestBody != nil {
				check("body", op.RequestBody.Value.Content)
			}
			for status, r := range op.Responses.Map() {
				check(status, r.Value.Content)
			}
		}
	}
}

var (
	linkPattern = regexp.MustCompile(`(?:href|src|data-index)="([^"]+)"`)
	idPattern   = regexp.MustCompile(` id="([^"]+)"`)
)

// TestLinksLeadSomewhere follows every link on every page, including links into the repository.
func TestLinksLeadSomewhere(t *testing.T) {
	elsewhere := map[string]bool{
		"/": true, "/favicon.svg": true, "/api/v1/openapi.json": true, "/api/v1/waitlist/openapi.json": true,
	}
	for path, f := range site() {
		if !strings.HasPrefix(f.contentType, "text/html") {
			continue
		}
		for _, match := range linkPattern.FindAllStringSubmatch(string(f.plain), -1) {
			target := match[1]
			address, fragment, _ := strings.Cut(target, "#")
			switch inRepository, ok := strings.CutPrefix(address, repository); {
			case ok:
				if _, err := os.Stat(filepath.Join("../../..", inRepository)); err != nil {
					t.Errorf("link from %s to %s: %v", path, target, err)
				}
				continue
			case strings.HasPrefix(target, "https://") || elsewhere[target]:
				continue
			case address == "":
				address = Base + path
			}
			to := site()[strings.TrimPrefix(address, Base)]
			if to == nil || !strings.HasPrefix(address, Base) {
				t.Errorf("link from %s to %s: no such page", path, target)
			} else if fragment != "" && !strings.Contains(string(to.plain), ` id="`+fragment+`"`) {
				t.Errorf("link from %s to %s: no such part of the page", path, target)
			}
		}
	}
}

// TestPagesAreWellMade checks that each page has one first-level heading, unique ids, and nothing external or inline.
func TestPagesAreWellMade(t *testing.T) {
	for path, f := range site() {
		if !strings.HasPrefix(f.contentType, "text/html") {
			continue
		}
		page := string(f.plain)
		if n := strings.Count(page, "<h1>"); n != 1 {
			t.Errorf("headings of the first level of %s: got %d, want 1", path, n)
		}
		seen := map[string]bool{}
		for _, id := range idPattern.FindAllStringSubmatch(page, -1) {
			if seen[id[1]] {
				t.Errorf("ids of %s: got %s twice, want it once", path, id[1])
			}
			seen[id[1]] = true
		}
		for _, never := range []string{" style=", "<style", " onclick=", "<script>", `src="http`,
			"<!-- raw HTML omitted -->", "<th></th>"} {
			if strings.Contains(page, never) {
				t.Errorf("page %s: got %s in it, want none", path, never)
			}
		}
	}
}

func TestServing(t *testing.T) {
	page := get(t, "/docs/publish")
	policy := page.Header().Get("Content-Security-Policy")
	if page.Code != http.StatusOK {
		t.Errorf("guide: got status %d, want 200", page.Code)
	}
	if !strings.Contains(policy, "script-src 'self';") || strings.Contains(policy, "unsafe") {
		t.Errorf("content security policy: got %s, want scripts of the same origin alone", policy)
	}
	if again := get(t, "/docs/publish", "If-None-Match",
		page.Header().Get("ETag")); again.Code != http.StatusNotModified {
		t.Errorf("guide with a matching ETag: got status %d, want 304", again.Code)
	}
	small := get(t, "/docs/publish", "Accept-Encoding", "gzip")
	if got := small.Header().Get("Content-Encoding"); got != "gzip" {
		t.Errorf("Content-Encoding: got %q, want gzip", got)
	}
	if tag := small.Header().Get("ETag"); tag == page.Header().Get("ETag") {
		t.Errorf("ETag of the compressed page: got %s as without compression, want another", tag)
	}
	if got := small.Body.Len(); got >= page.Body.Len() {
		t.Errorf("size of the compressed page: got %d bytes, want less than %d", got, page.Body.Len())
	}
	refused := get(t, "/docs/publish", "Accept-Encoding", "gzip;q=0")
	if got := refused.Header().Get("Content-Encoding"); got != "" {
		t.Errorf("Content-Encoding where gzip is refused: got %q, want none", got)
	}
	missing := get(t, "/docs/nothing")
	if missing.Code != http.StatusNotFound ||
		!strings.Contains(missing.Body.String(), "<h1>There is no such page</h1>") {
		t.Errorf("missing page: got %d %s, want 404 and an explanation", missing.Code, missing.Body)
	}
	slash := get(t, "/docs/publish/")
	if to := slash.Header().Get("Location"); slash.Code != http.StatusMovedPermanently || to != "/docs/publish" {
		t.Errorf("guide with a slash: got %d to %q, want 301 to /docs/publish", slash.Code, to)
	}
	for _, path := range []string{"/docs/nothing/", "/docs//example.com/"} {
		if w := get(t, path); w.Code != http.StatusNotFound {
			t.Errorf("GET %s: got %d to %q, want 404", path, w.Code, w.Header().Get("Location"))
		}
	}
	script := regexp.MustCompile(`/docs/assets/docs-[\w-]+\.js`).FindString(page.Body.String())
	if got := get(t, script); got.Code != http.StatusOK ||
		!strings.Contains(got.Header().Get("Cache-Control"), "immutable") {
		t.Errorf("script %q: got %d %v, want 200 and immutable", script, got.Code, got.Header())
	}
	r := httptest.NewRequest(http.MethodPost, "/docs", nil)
	w := httptest.NewRecorder()
	Handler().ServeHTTP(w, r)
	check.Equal(t, "status of a POST", w.Code, http.StatusMethodNotAllowed)
}

func TestSearchIndexHasEveryPage(t *testing.T) {
	address := regexp.MustCompile(`data-index="([^"]+)"`).FindStringSubmatch(get(t, "/docs").Body.String())
	if address == nil {
		t.Fatal("address of the search index: got none, want one on the first page")
	}
	var index []entry
	if err := json.NewDecoder(io.LimitReader(get(t, address[1]).Body, 1<<20)).Decode(&index); err != nil {
		t.Fatalf("decode the search index: %v", err)
	}
	found := map[string]bool{}
	for _, e := range index {
		found[e.Address] = true
	}
	for path, f := range site() {
		if path == "" || path == notFound || !strings.HasPrefix(f.contentType, "text/html") {
			continue
		}
		if !found[Base+path] {
			t.Errorf("search index: page %s is missing", path)
		}
	}
	if !found["/docs/webhooks#github"] {
		t.Error("search index: part /docs/webhooks#github is missing")
	}
}

// TestEveryPageIsInMarkdown expects every page also in Markdown, by its address and by what is asked for, and all of
// them in llms.txt.
func TestEveryPageIsInMarkdown(t *testing.T) {
	contents := get(t, LLMsPath)
	check.Equal(t, "type of the contents", contents.Header().Get("Content-Type"), "text/plain; charset=utf-8")
	pages := regexp.MustCompile(`\((/docs/[^)]+)\.md\)`).FindAllStringSubmatch(contents.Body.String(), -1)
	if len(pages) < 150 {
		t.Fatalf("pages in the contents: got %d, want all", len(pages))
	}
	for _, match := range pages {
		page := get(t, match[1]+".md")
		text := page.Body.String()
		if page.Code != http.StatusOK || !strings.HasPrefix(text, "# ") || strings.Contains(text, "</") {
			t.Errorf("%s.md: got %d, %.200s; want Markdown", match[1], page.Code, text)
		}
		check.Equal(t, match[1]+" as Markdown", get(t, match[1], "Accept", "text/markdown, text/html;q=0.9").Body.String(), text)
	}
	page := get(t, "/docs/publish", "Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
	check.Equal(t, "type for browsers", page.Header().Get("Content-Type"), "text/html; charset=utf-8")
	publish := get(t, "/docs/reference/publishNotification.md").Body.String()
	for _, want := range []string{"# Publish a notification\n", "POST", "`externalId`", "curl", "| 409 Conflict "} {
		if !strings.Contains(publish, want) {
			t.Errorf("publishNotification.md: want %q in\n%s", want, publish)
		}
	}
}
