package delivery

import (
	"maps"
	"sync"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

const (
	trialsAtOnce = webPushWorkers / 2
	trialAgain   = 250 * time.Millisecond
	provenFor    = time.Hour
	manyProven   = 1_000
)

// trials keeps push services that may be silent from taking all workers of a node: strangers choose them. A push
// service that has accepted a push lately is proven. Of the others, one batch each is sent at a time, and batches of at
// most trialsAtOnce in all.
type trials struct {
	mu     sync.Mutex
	proven map[string]time.Time // the latest accepted push, by push service
	trying map[string]int       // batches under way, by push service
	number int
}

// enter reports whether a batch for these push services may be sent now. leave must be called afterwards.
func (t *trials) enter(all []*part, now time.Time) (leave func(), ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var unproven []string
	for _, p := range all {
		if p.service != core.ServiceFCM && now.Sub(t.proven[p.service]) > provenFor {
			unproven = append(unproven, p.service)
		}
	}
	if len(unproven) == 0 {
		return func() {}, true
	}
	if t.number >= trialsAtOnce || len(all) == 1 && t.trying[unproven[0]] > 0 {
		return nil, false
	}
	t.count(unproven, 1)
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.count(unproven, -1)
	}, true
}

// count adds or removes one batch for some push services. The caller must hold the lock.
func (t *trials) count(services []string, n int) {
	if t.trying == nil {
		t.trying = map[string]int{}
	}
	t.number += n
	for _, s := range services {
		if t.trying[s] += n; t.trying[s] == 0 {
			delete(t.trying, s)
		}
	}
}

// learn keeps what a part has shown of its push service.
func (t *trials) learn(p *part, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case p.lost >= mostLost:
		delete(t.proven, p.service)
	case p.lost < 0:
		if t.proven == nil || len(t.proven) >= manyProven {
			t.proven = recent(t.proven, now)
		}
		t.proven[p.service] = now
	}
}

// recent returns the push services that are still proven, if they are not too many.
func recent(proven map[string]time.Time, now time.Time) map[string]time.Time {
	kept := maps.Clone(proven)
	maps.DeleteFunc(kept, func(_ string, at time.Time) bool { return now.Sub(at) > provenFor })
	if kept == nil || len(kept) >= manyProven {
		return map[string]time.Time{}
	}
	return kept
}
