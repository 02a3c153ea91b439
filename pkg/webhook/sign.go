package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The headers of a signed webhook.
const (
	HeaderID        = "webhook-id"
	HeaderTimestamp = "webhook-timestamp"
	HeaderSignature = "webhook-signature"
)

const maxIDLength = 255

// Message is a webhook to sign, or one that was verified.
type Message struct {
	// ID identifies the event and is the same for every attempt, so that the receiver can detect
	// repetitions. It has 1 to 255 visible ASCII characters other than a full stop.
	ID string
	// Timestamp is the time of this attempt, signed in whole seconds.
	Timestamp time.Time
	// Body holds the exact bytes that are sent.
	Body []byte
}

// Sign returns the three headers to send with m.Body. It signs with each secret: pass the new and the old one
// while a receiver is changing secrets. It fails with [ErrSecret] or, if m.ID is invalid, with [ErrHeader].
func Sign(m Message, secrets ...string) (http.Header, error) {
	keys, err := decodeSecrets(secrets)
	if err != nil {
		return nil, err
	}
	if err := checkID(m.ID); err != nil {
		return nil, err
	}
	seconds := strconv.FormatInt(m.Timestamp.Unix(), 10)
	signatures := make([]string, 0, len(keys))
	for _, key := range keys {
		sum := mac(key, m.ID, seconds, m.Body)
		signatures = append(signatures, "v1,"+base64.StdEncoding.EncodeToString(sum))
	}
	header := make(http.Header, 3)
	header.Set(HeaderID, m.ID)
	header.Set(HeaderTimestamp, seconds)
	header.Set(HeaderSignature, strings.Join(signatures, " "))
	return header, nil
}

func mac(key []byte, id, seconds string, body []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(id + "." + seconds + "."))
	h.Write(body)
	return h.Sum(nil)
}

// checkID refuses full stops, because they separate the signed parts: an id with one could be read
// as another id with another time.
func checkID(id string) error {
	if id == "" || len(id) > maxIDLength {
		return fmt.Errorf("%w: %s has 1 to %d characters", ErrHeader, HeaderID, maxIDLength)
	}
	for _, r := range id {
		if r <= ' ' || r > '~' || r == '.' {
			return fmt.Errorf("%w: %s has visible ASCII characters other than '.'", ErrHeader, HeaderID)
		}
	}
	return nil
}
