package pictures

import (
	"testing"
	"time"

	"github.com/sininho/sininho/server/lab/check"
)

func TestSlowness(t *testing.T) {
	t.Parallel()
	now := time.Now()
	s := newSlowness(func() time.Time { return now })
	const site, machine = "example.com", "192.0.2.1/32"
	check.Equal(t, "what a site shares the slow fetches by that is nowhere yet", s.shared(site), "")
	s.located.Add(site, machine)
	s.learn(site, machine, 2*patience)
	check.Equal(t, "a site that took long is slow", s.isSlow(site), true)
	check.Equal(t, "what it shares the slow fetches by", s.shared(site), machine)
	check.Equal(t, "another site of its machine is refused", s.refuses("example.org", machine), true)
	check.Equal(t, "a site of another machine is refused", s.refuses("example.org", "192.0.2.2/32"), false)
	s.learn("example.org", machine, patience/2)
	check.Equal(t, "a site of its machine that was quick is refused", s.refuses("example.org", machine), false)
	s.learn(site, machine, patience/2)
	check.Equal(t, "a site that was quick once is slow", s.isSlow(site), true)
	now = now.Add(slowFor)
	check.Equal(t, "a site is slow after five minutes", s.isSlow(site), false)
	s.learn(site, machine, patience)
	check.Equal(t, "a site that was quick is slow after one slow fetch", s.isSlow(site), false)
	s.learn(site, machine, patience)
	check.Equal(t, "a site is slow after two slow fetches", s.isSlow(site), true)
}
