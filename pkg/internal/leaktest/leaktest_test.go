package leaktest

import (
	"strings"
	"testing"
)

func TestLeftGoroutines(t *testing.T) {
	end, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		<-end
	}()
	left := leftGoroutines(0)
	if n := len(left); n == 0 || !strings.Contains(strings.Join(left, "\n"), "TestLeftGoroutines") {
		t.Errorf("goroutines while one of this test waits: got %d, want it among them:\n%s", n, strings.Join(left, "\n\n"))
	}
	close(end)
	<-done
}
