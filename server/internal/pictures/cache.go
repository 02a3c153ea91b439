package pictures

import (
	"crypto/sha256"
	"math"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// picture is what is kept of an address: a picture, or the fact that there is none.
type picture struct {
	content     []byte // nil: there is no picture
	contentType string
	etag        string
	until       time.Time
	// fleeting marks a large picture in place of a small one that may be there soon.
	fleeting bool
}

func newPicture(content []byte, contentType string, until time.Time) picture {
	hash := sha256.Sum256(content)
	return picture{content: content, contentType: contentType,
		etag: `"` + encoding.EncodeToString(hash[:signatureSize]) + `"`, until: until}
}

// overhead is what an entry takes besides its content and its address, in bytes.
const overhead = 256

// cache keeps the pictures and failures that were used last, up to a number of bytes.
type cache struct {
	limit int

	mu    sync.Mutex
	kept  *simplelru.LRU[string, picture]
	bytes int
}

func newCache(limit int) *cache {
	c := &cache{limit: limit}
	// The number of entries is limited by their bytes.
	c.kept, _ = simplelru.NewLRU(math.MaxInt, func(address string, p picture) { c.bytes -= size(address, p) })
	return c
}

func size(address string, p picture) int { return len(address) + len(p.content) + overhead }

// get returns what is kept of an address and is still good.
func (c *cache) get(address string, now time.Time) (picture, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p, ok := c.kept.Get(address)
	if ok && !now.Before(p.until) {
		c.kept.Remove(address)
		return picture{}, false
	}
	return p, ok
}

// put keeps a picture, and returns how many bytes are kept.
func (c *cache) put(address string, p picture) (kept int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept.Remove(address) // Add calls no callback for what it replaces
	c.kept.Add(address, p)
	c.bytes += size(address, p)
	for c.bytes > c.limit {
		c.kept.RemoveOldest()
	}
	return c.bytes
}
