package postgres_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
)

// TestWebPushKeyIsMadeOnce starts many nodes at the same time: all get the key of one of them.
func TestWebPushKeyIsMadeOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	kept := make([]core.WebPushKey, 20)
	var nodes sync.WaitGroup
	for i := range kept {
		nodes.Go(func() {
			var err error
			made := core.WebPushKey{Public: fmt.Sprint("key ", i), Sealed: []byte{byte(i)}}
			if kept[i], err = w.WebPushKey(t.Context(), made, w.now); err != nil {
				t.Errorf("key of node %d: %v", i, err)
			}
		})
	}
	nodes.Wait()
	for i, k := range kept {
		equal(t, fmt.Sprintf("public key of node %d", i), k.Public, kept[0].Public)
		equal(t, fmt.Sprintf("private key of node %d", i), string(k.Sealed), string(kept[0].Sealed))
	}
}
