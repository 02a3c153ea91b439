package pushservice

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"time"
)

// maxTokenLife is the most that RFC 8292 lets a token last.
const maxTokenLife = 24 * time.Hour

// claims are those of a token by which a sender identifies itself.
type claims struct {
	Audience string `json:"aud"`
	Expires  int64  `json:"exp"`
	Subject  string `json:"sub"`
}

// checkVAPID checks the header Authorization (RFC 8292), and returns the sender's public key in base64url.
func checkVAPID(header string, audiences []string, now time.Time) (key string, err error) {
	parameters, ok := strings.CutPrefix(header, "vapid ")
	if !ok {
		return "", errors.New("the scheme is not vapid")
	}
	var token string
	for p := range strings.SplitSeq(parameters, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(p), "=")
		switch name {
		case "t":
			token = value
		case "k":
			key = value
		}
	}
	c, err := verify(token, key)
	if err != nil {
		return "", err
	}
	return key, c.check(audiences, now)
}

// verify checks the signature of a token and returns its claims.
func verify(token, key string) (c claims, err error) {
	point, err := base64.RawURLEncoding.DecodeString(key)
	if err != nil {
		return c, fmt.Errorf("k: %w", err)
	}
	public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
	if err != nil {
		return c, fmt.Errorf("k: %w", err)
	}
	end := strings.LastIndex(token, ".")
	if end < 0 {
		return c, errors.New("t is no token")
	}
	signature, err := base64.RawURLEncoding.DecodeString(token[end+1:])
	digest := sha256.Sum256([]byte(token[:end]))
	const half = 32
	if err != nil || len(signature) != 2*half || !ecdsa.Verify(public, digest[:],
		new(big.Int).SetBytes(signature[:half]), new(big.Int).SetBytes(signature[half:])) {
		return c, errors.New("the signature is not of this key")
	}
	header, body, _ := strings.Cut(token[:end], ".")
	var h struct{ Alg string }
	if err := errors.Join(decodePart(header, &h), decodePart(body, &c)); err != nil || h.Alg != "ES256" {
		return c, errors.Join(err, fmt.Errorf("the algorithm is %q, not ES256", h.Alg))
	}
	return c, nil
}

func decodePart(part string, into any) error {
	b, err := base64.RawURLEncoding.DecodeString(part)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, into)
}

func (c claims) check(audiences []string, now time.Time) error {
	left := time.Unix(c.Expires, 0).Sub(now)
	switch {
	case left <= 0 || left > maxTokenLife:
		return fmt.Errorf("exp is in %s", left)
	case !strings.HasPrefix(c.Subject, "mailto:") && !strings.HasPrefix(c.Subject, "https:"):
		return fmt.Errorf("sub is %q", c.Subject)
	}
	for _, a := range audiences {
		if c.Audience == a {
			return nil
		}
	}
	return fmt.Errorf("aud is %q", c.Audience)
}
