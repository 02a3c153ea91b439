package delivery

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sininho/sininho/server/lab/check"
)

// TestAnEndpointThatRecoversIsNotFlooded counts the events that are posted together, one after another.
func TestAnEndpointThatRecoversIsNotFlooded(t *testing.T) {
	t.Parallel()
	failed := errors.New("failed")
	for name, c := range map[string]struct {
		times int // after which there is no more
		err   error
		takes time.Duration
		want  []int
	}{
		"none are left":          {1, nil, 0, []int{1}},
		"some are left":          {7, nil, 0, []int{1, 2, 4, 8, 16, 16, 16}},
		"the third fails":        {3, failed, 0, []int{1, 2, 4}},
		"the endpoint is slow":   {9, nil, 4 * time.Second, []int{1, 2, 4}},
		"the first takes longer": {9, nil, time.Minute, []int{1}},
	} {
		synctest.Test(t, func(t *testing.T) {
			var together []int
			err := growing(time.Now().Add(10*time.Second), func(n int) (bool, error) {
				together = append(together, n)
				time.Sleep(c.takes) // in the bubble's time
				if len(together) == c.times {
					return false, c.err
				}
				return true, nil
			})
			check.Equal(t, "events together when "+name, together, c.want)
			check.Equal(t, "error when "+name, err != nil, c.err != nil)
		})
	}
}
