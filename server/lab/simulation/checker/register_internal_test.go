package checker

import (
	"fmt"
	"testing"
	"time"
)

func TestRegister(t *testing.T) {
	t.Parallel()
	r := newRegister("first")
	r.write(10, 20, "second", true)
	r.write(15, never, "unknown", false)
	r.write(30, 40, "third", true)
	for _, c := range []struct {
		from, to time.Duration
		want     string
	}{
		{5, 5, "[first]"},
		{5, 12, "[first second]"},
		{5, 10, "[first second]"},
		{17, 18, "[first second unknown]"},
		{20, 20, "[first second unknown]"},
		{25, 26, "[second unknown]"},
		{35, 36, "[second unknown third]"},
		{50, 50, "[unknown third]"}, // an unknown write may happen late
	} {
		if got := fmt.Sprint(r.between(c.from, c.to)); got != c.want {
			t.Errorf("values between %d and %d: got %s, want %s", c.from, c.to, got, c.want)
		}
	}
}
