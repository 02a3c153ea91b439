package webhook

import (
	"crypto/hmac"
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// DefaultTolerance is how far a timestamp may differ from the clock, in either direction.
const DefaultTolerance = 5 * time.Minute

// maxSignatures bounds the work that one request can cause.
const maxSignatures = 16

// VerifyOption is a setting of [Verify].
type VerifyOption func(*verifier)

// WithTolerance sets how far the timestamp may differ from the clock (default 5 minutes).
func WithTolerance(d time.Duration) VerifyOption {
	return func(v *verifier) { v.tolerance = d }
}

// WithClock sets the clock (default [time.Now]), for tests.
func WithClock(now func() time.Time) VerifyOption {
	return func(v *verifier) { v.now = now }
}

type verifier struct {
	now       func() time.Time
	tolerance time.Duration
}

// Verify checks that body, exactly as received, was signed with one of the secrets within the
// tolerance, and returns the signed message. Pass two secrets while one is being replaced by the
// other. Verify ignores signatures of schemes other than v1, and compares in constant time.
//
// It fails with [ErrHeader], [ErrTooOld], [ErrTooNew], [ErrSignature] or, if one of the given
// secrets is unusable, [ErrSecret].
func Verify(header http.Header, body []byte, secrets []string, opts ...VerifyOption) (Message, error) {
	v := verifier{now: time.Now, tolerance: DefaultTolerance}
	for _, opt := range opts {
		opt(&v)
	}
	keys, err := decodeSecrets(secrets)
	if err != nil {
		return Message{}, err
	}
	id, seconds, signature := headersOf(header)
	if err := checkID(id); err != nil {
		return Message{}, err
	}
	at, err := v.checkTimestamp(seconds)
	if err != nil {
		return Message{}, err
	}
	signatures, err := parseSignatures(signature)
	if err != nil {
		return Message{}, err
	}
	if !anyMatches(keys, signatures, id, seconds, body) {
		return Message{}, ErrSignature
	}
	return Message{ID: id, Timestamp: at, Body: body}, nil
}

// svix precedes the names of the headers of senders that sign with Svix, which Standard Webhooks was made from.
const svix = "svix-"

// headersOf returns the three headers of a signature, by their names in Standard Webhooks or, without any of those, by
// those of Svix.
func headersOf(header http.Header) (id, seconds, signature string) {
	id, seconds, signature = header.Get(HeaderID), header.Get(HeaderTimestamp), header.Get(HeaderSignature)
	if id+seconds+signature == "" {
		return header.Get(svix + "id"), header.Get(svix + "timestamp"), header.Get(svix + "signature")
	}
	return id, seconds, signature
}

// EventID returns the id of the event in the headers of a webhook, or "" without one. Only [Verify] proves it.
func EventID(header http.Header) string {
	id, _, _ := headersOf(header)
	return id
}

func (v verifier) checkTimestamp(seconds string) (time.Time, error) {
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil || n <= 0 {
		return time.Time{}, fmt.Errorf("%w: %s is the time in seconds since 1970", ErrHeader, HeaderTimestamp)
	}
	at := time.Unix(n, 0).UTC()
	switch now := v.now(); {
	case at.Before(now.Add(-v.tolerance)):
		return time.Time{}, fmt.Errorf("%w: the limit is %s", ErrTooOld, v.tolerance)
	case at.After(now.Add(v.tolerance)):
		return time.Time{}, fmt.Errorf("%w: the limit is %s", ErrTooNew, v.tolerance)
	}
	return at, nil
}

func parseSignatures(value string) ([][]byte, error) {
	parts := strings.Fields(value)
	if len(parts) == 0 || len(parts) > maxSignatures {
		return nil, fmt.Errorf("%w: %s holds 1 to %d signatures", ErrHeader, HeaderSignature, maxSignatures)
	}
	var sums [][]byte
	for _, part := range parts {
		encoded, isV1 := strings.CutPrefix(part, "v1,")
		if !isV1 {
			continue
		}
		if sum, err := base64.StdEncoding.Strict().DecodeString(encoded); err == nil {
			sums = append(sums, sum)
		}
	}
	return sums, nil
}

func anyMatches(keys, signatures [][]byte, id, seconds string, body []byte) bool {
	matched := false
	for _, key := range keys {
		want := mac(key, id, seconds, body)
		for _, signature := range signatures {
			if hmac.Equal(want, signature) {
				matched = true
			}
		}
	}
	return matched
}
