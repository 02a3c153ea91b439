// Command mutate tries small wrong changes of a package, and names those that none of the package's own tests notices:
//
//	go run -C .ci/mutate . ../../server/internal/core ../../pkg/rules
//
// All changes are compiled into one test binary, in which the environment turns one of them on. It fails when the tests
// of a package notice less than nine in ten of the changes that accepted.txt does not list.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
)

const leastKilled = 90 // percent

func main() {
	accepted, err := readAccepted("accepted.txt")
	if err != nil {
		fail(err)
	}
	weak := false
	for _, dir := range os.Args[1:] {
		r, err := run(dir, accepted)
		if err != nil {
			fail(fmt.Errorf("%s: %w", dir, err))
		}
		fmt.Println(r)
		weak = weak || r.percent() < leastKilled
	}
	if weak {
		fail(fmt.Errorf("tests of a package notice less than %d %% of the changes", leastKilled))
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// readAccepted reads the survivors that are accepted, without their reasons.
func readAccepted(file string) (map[string]bool, error) {
	text, err := os.ReadFile(file)
	accepted := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if key, reason, ok := strings.Cut(line, " // "); ok && strings.TrimSpace(reason) != "" {
			accepted[key] = true
		}
	}
	return accepted, err
}

// result is what the tests of a package noticed.
type result struct {
	name                    string
	killed, total, accepted int
	survivors               []mutant
}

func (r result) percent() int { return 100 * r.killed / max(1, r.total) }

func (r result) String() string {
	s := fmt.Sprintf("%s: %d of %d changes noticed (%d %%), %d accepted", r.name, r.killed, r.total, r.percent(),
		r.accepted)
	for _, m := range r.survivors {
		s += fmt.Sprintf("\n  %s:%d %s", m.file, m.line, m.key)
	}
	return s
}

// run tries every change of a package.
func run(dir string, accepted map[string]bool) (r result, err error) {
	temp, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(temp)
	p, err := load(dir)
	if err != nil {
		return r, err
	}
	mutants, err := p.instrument(temp)
	if err != nil {
		return r, err
	}
	r.name = p.path
	binary := filepath.Join(temp, "mutants.test")
	if out, err := goTool(dir, "test", "-c", "-vet=off", "-overlay", filepath.Join(temp, "overlay.json"), "-o", binary,
		"."); err != nil {
		return r, fmt.Errorf("compile the changes: %w\n%s", err, out)
	}
	s := &suite{dir, binary}
	tests, err := s.reach(temp)
	if err != nil {
		return r, err
	}
	mutants = slices.DeleteFunc(mutants, func(m mutant) bool {
		if accepted[m.key] {
			r.accepted++
		}
		return accepted[m.key]
	})
	r.total = len(mutants)
	killed := make([]bool, len(mutants))
	each(len(mutants), func(i int) {
		killed[i] = s.notices(tests[mutants[i].number], "MUTANT="+strconv.Itoa(mutants[i].number))
	})
	for i, m := range mutants {
		if killed[i] {
			r.killed++
		} else {
			r.survivors = append(r.survivors, m)
		}
	}
	return r, nil
}

// each calls do for each number below n, some at a time.
func each(n int, do func(i int)) {
	var all sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range n {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			do(i)
		})
	}
	all.Wait()
}

func goTool(dir string, args ...string) ([]byte, error) {
	c := exec.Command("go", args...)
	c.Dir = dir
	return c.CombinedOutput()
}
