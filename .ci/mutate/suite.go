package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	// slower is how many times longer than without a change tests may take.
	slower = 10
	// tryFirst is how many tests are tried before the others, because they take the least time.
	tryFirst = 5
)

// suite is the tests of a package, in a binary with all changes.
type suite struct{ dir, binary string }

// test is one of a suite.
type test struct {
	name string
	took time.Duration // without a change
}

// reach runs each test alone without a change. It returns the tests that reach each change, the quickest first.
func (s *suite) reach(temp string) (map[int][]test, error) {
	list := exec.Command(s.binary, "-test.list=^(Test|Fuzz|Example)")
	list.Dir = s.dir
	names, err := list.Output()
	if err != nil {
		return nil, err
	}
	var all []test
	for name := range strings.FieldsSeq(string(names)) {
		all = append(all, test{name: name})
	}
	reached := make([]string, len(all))
	failed := make([]bool, len(all))
	each(len(all), func(i int) {
		file := filepath.Join(temp, "reached"+strconv.Itoa(i))
		began := time.Now()
		failed[i] = !s.passes(10*time.Minute, "MUTANTS_REACHED="+file, all[i])
		all[i].took = time.Since(began)
		text, _ := os.ReadFile(file) // none if it reaches no change
		reached[i] = string(text)
	})
	if i := slices.Index(failed, true); i >= 0 {
		return nil, fmt.Errorf("%s fails without a change", all[i].name)
	}
	tests := map[int][]test{}
	for i, t := range all {
		for word := range strings.FieldsSeq(reached[i]) {
			n, err := strconv.Atoi(word)
			if err != nil {
				return nil, err
			}
			tests[n] = append(tests[n], t)
		}
	}
	for _, reaching := range tests {
		slices.SortStableFunc(reaching, func(a, b test) int { return cmp.Compare(a.took, b.took) })
	}
	return tests, nil
}

// notices reports whether one of the tests fails with a change.
func (s *suite) notices(tests []test, change string) bool {
	quick := min(tryFirst, len(tests))
	for _, some := range [][]test{tests[:quick], tests[quick:]} {
		limit := 10 * time.Second
		for _, t := range some {
			limit += slower * t.took
		}
		if len(some) > 0 && !s.passes(limit, change, some...) {
			return true
		}
	}
	return false
}

// passes reports whether tests pass within a time.
func (s *suite) passes(limit time.Duration, env string, tests ...test) bool {
	names := make([]string, len(tests))
	for i, t := range tests {
		names[i] = t.name
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	c := exec.CommandContext(ctx, s.binary, "-test.failfast", "-test.timeout="+limit.String(),
		"-test.run=^("+strings.Join(names, "|")+")$")
	c.Dir, c.Env = s.dir, append(os.Environ(), env)
	return c.Run() == nil
}
