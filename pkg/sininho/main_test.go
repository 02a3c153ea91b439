//go:build go1.26

package sininho_test

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestMain fails if the tests leave goroutines behind, such as those of a response that nobody closed. It does without
// goleak, because every requirement of this module becomes one of the SDK's users.
func TestMain(m *testing.M) {
	code := m.Run()
	if left := leftGoroutines(5 * time.Second); code == 0 && len(left) > 0 {
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
