package servertest_test

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the server's responses to testdata/conformance.txt")

const conformanceFile = "testdata/conformance.txt"

// conformanceRow is one call of the table.
type conformanceRow struct {
	line               int // line number of the name in the file
	name               string
	onlyServer         bool // sininhotest does not cover it
	role, method, path string
	headers            []string
	body, signedBy     string
	want               string
	wantLine           int
	sends              []string // headers of the server's response
	eventually         bool     // repeat the call until its response is as wanted
	keep               string   // prefix of the names of the values of the response that are kept
}

// readConformance reads a table in which each call begins with its name, followed by indented lines.
func readConformance(t *testing.T) (rows []*conformanceRow, lines []string) {
	t.Helper()
	text, err := os.ReadFile(conformanceFile)
	if err != nil {
		t.Fatalf("read a file: %v", err)
	}
	lines = strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	onlyServer := false // in the section
	for i, line := range lines {
		switch {
		case line == "":
		case strings.HasPrefix(line, "#"):
			onlyServer = strings.HasSuffix(line, "(only the server)")
		case !strings.HasPrefix(line, "  "):
			rows = append(rows, &conformanceRow{line: i + 1, name: line, onlyServer: onlyServer})
		default:
			rows[len(rows)-1].read(t, i, strings.TrimPrefix(line, "  "))
		}
	}
	return rows, lines
}

func (r *conformanceRow) read(t *testing.T, number int, line string) {
	t.Helper()
	switch word, rest, _ := strings.Cut(line, " "); {
	case line == "only the server":
		r.onlyServer = true
	case word == "as":
		fields := strings.Fields(rest)
		r.role, r.method, r.path = fields[0], fields[1], fields[2]
	case word == "header":
		r.headers = append(r.headers, rest)
	case word == "body":
		r.body = rest
	case word == "signed":
		r.signedBy = rest
	case word == "sends":
		r.sends = append(r.sends, rest)
	case word == "keep":
		r.keep = rest
	case word == "gets":
		r.want, r.wantLine = rest, number
	case word == "eventually":
		r.want, r.wantLine, r.eventually = rest, number, true
	default:
		t.Fatalf("%s:%d: %q is no part of a call", conformanceFile, number+1, line)
	}
}

// observed is the compared part of a response.
type observed struct {
	summary string // status, code and faults
	header  string
	body    string
	sent    http.Header
}

// TestConformance makes the same calls to a server and, unless only the server covers them, to sininhotest. Each must
// respond as the table says, and both must send the same bodies, and the same headers as far as package sininho reads
// them, except for ids, times and the wording of details.
func TestConformance(t *testing.T) {
	t.Parallel()
	rows, lines := readConformance(t)
	server, fake := newReal(t), newFake(t)
	for _, row := range rows {
		where := fmt.Sprintf("%s:%d: %s", conformanceFile, row.line, row.name)
		if row.onlyServer {
			checkServer(t, where, row, server.call(row, ""), lines)
			continue
		}
		if row.eventually {
			fake.later(2 * time.Second)
		}
		faked := fake.call(row, "")
		got := server.call(row, faked.body)
		checkServer(t, where, row, got, lines)
		if faked.summary != row.want {
			t.Errorf("%s: sininhotest responds %q, want %q", where, faked.summary, row.want)
		}
		if faked.header != got.header {
			t.Errorf("%s: headers of sininhotest:\n%s\nof the server:\n%s", where, faked.header, got.header)
		}
		if diff := cmp.Diff(got.body, faked.body); diff != "" {
			t.Errorf("%s: body (-server +sininhotest):\n%s", where, diff)
		}
	}
	if *update {
		if err := os.WriteFile(conformanceFile, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
			t.Fatalf("write a file: %v", err)
		}
	}
}

// checkServer checks what a server responds to a call, or with -update writes it to the lines of the table.
func checkServer(t *testing.T, where string, row *conformanceRow, got observed, lines []string) {
	t.Helper()
	if *update {
		lines[row.wantLine] = wantStart.FindString(lines[row.wantLine]) + " " + got.summary
		row.want = got.summary
	}
	if got.summary != row.want {
		t.Errorf("%s: the server responds %q, want %q", where, got.summary, row.want)
	}
	for _, header := range row.sends {
		name, want, _ := strings.Cut(header, ": ")
		if value := got.sent.Get(name); value != want {
			t.Errorf("%s: the server sends %s %q, want %q", where, name, value, want)
		}
	}
}
