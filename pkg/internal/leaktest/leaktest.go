// Package leaktest fails the tests of a package that leave goroutines behind. It is for tests only. It does without
// goleak, because every requirement of this module becomes one of the SDK's users.
package leaktest

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

const patience = 5 * time.Second

// Main runs a package's tests; call it from TestMain. It fails when goroutines are left afterwards, such as those of a
// response that nobody closed.
func Main(m *testing.M) {
	code := m.Run()
	if left := leftGoroutines(patience); code == 0 && len(left) > 0 {
		fmt.Fprintf(os.Stderr, "goroutines left after the tests:\n\n%s\n", strings.Join(left, "\n\n"))
		code = 1
	}
	os.Exit(code)
}

// leftGoroutines returns the stacks of the other goroutines that do not end within the limit.
func leftGoroutines(limit time.Duration) (left []string) {
	for end := time.Now().Add(limit); ; time.Sleep(10 * time.Millisecond) {
		text := make([]byte, 1<<20)
		text = text[:runtime.Stack(text, true)]
		left = slices.DeleteFunc(strings.Split(string(text), "\n\n")[1:], func(stack string) bool {
			return strings.Contains(stack, "os/signal.") || strings.Contains(stack, "runtime.ensureSigM")
		})
		if len(left) == 0 || time.Now().After(end) {
			return left
		}
	}
}
