package pushservice

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/push"
)

const (
	ttl = 24 * time.Hour
	// maxMessage is the size that every push service takes at least (RFC 8030).
	maxMessage = 4096
)

// Deliver pushes a payload to the browser that has the subscription, or keeps it until the browser connects. It fails
// with ErrGone if no browser has the subscription, and with another error if the subscription's keys are invalid.
func (s *Service) Deliver(ctx context.Context, to Subscription, payload []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r, d, err := s.find(to.Endpoint)
	if err != nil {
		return err
	}
	keys, err1, err2 := core.ParsePushKeys(to.P256dh, to.Auth)
	if err := errors.Join(err1, err2); err != nil {
		return fmt.Errorf("push service: the keys: %w", err)
	}
	sealed, err := push.Seal(keys, payload, maxMessage)
	if err != nil {
		return fmt.Errorf("push service: %w", err)
	}
	d.push(newStanza(r, sealed))
	return nil
}

// newStanza encodes a DataMessageStanza.
func newStanza(r registration, sealed []byte) *stanza {
	const (
		from         = 3
		category     = 5
		appData      = 7
		persistentID = 9
		ttlSeconds   = 17
		sent         = 18
		rawData      = 21
		ackAtOnce    = 24
	)
	data := func(key, value string) string { return string(buffer{}.text(1, key).text(2, value)) }
	m := &stanza{id: rand.Text()}
	m.body = buffer{}.text(from, r.sender).text(category, r.app).
		text(appData, data("subtype", r.subtype)).text(appData, data("content-encoding", "aes128gcm")).
		text(persistentID, m.id).
		int(ttlSeconds, uint64(ttl/time.Second)).int(sent, uint64(time.Now().UnixMilli())).
		text(rawData, string(sealed)).int(ackAtOnce, 1)
	return m
}
