package core

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"hash/crc32"
	"math/big"
	"strings"
	"time"
)

// Scope is something an API key may do.
type Scope string

// The scopes.
const (
	ScopePublish  Scope = "publish"
	ScopeChannels Scope = "channels"
	ScopeRead     Scope = "read"
)

// APIKey is a publisher's credential. Its secret is shown once, when it is made.
type APIKey struct {
	ID          ID
	PublisherID ID
	Name        string
	Hint        string
	Scopes      []Scope
	ExpiresAt   *time.Time
	RevokedAt   *time.Time
	CreatedAt   time.Time
}

const (
	keyPrefix   = "snh_live_"
	keyRandom   = 30
	keyChecksum = 6
	base62      = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// NewAPIKeySecret makes the secret of an API key: a prefix that secret scanners know, 30 random characters and a
// checksum, so that a mistyped key is told apart without asking the database.
func NewAPIKeySecret() string {
	random := RandomText(keyRandom)
	return keyPrefix + random + checksum(random)
}

// WellFormedAPIKey reports whether s looks like a key and its checksum is right.
func WellFormedAPIKey(s string) bool {
	rest, ok := strings.CutPrefix(s, keyPrefix)
	return ok && len(rest) == keyRandom+keyChecksum && checksum(rest[:keyRandom]) == rest[keyRandom:]
}

func checksum(s string) string {
	sum := crc32.ChecksumIEEE([]byte(s))
	var out [keyChecksum]byte
	for i := keyChecksum - 1; i >= 0; i-- {
		out[i] = base62[sum%62]
		sum /= 62
	}
	return string(out[:])
}

// RandomText makes n random letters and digits, of almost 6 bits each.
func RandomText(n int) string {
	out := make([]byte, n)
	for i := range out {
		c, err := rand.Int(rand.Reader, big.NewInt(int64(len(base62))))
		if err != nil {
			panic(err) // never: crypto/rand does not fail
		}
		out[i] = base62[c.Int64()]
	}
	return string(out)
}

// HashSecret is how secrets are kept: they are long and random, so one round of SHA-256 is enough.
func HashSecret(s string) []byte {
	sum := sha256.Sum256([]byte(s))
	return sum[:]
}

// APIKeyStore keeps API keys.
type APIKeyStore interface {
	// APIKeyBySecret finds a key that is neither revoked nor expired at that time; CodeNotFound when there is none.
	APIKeyBySecret(ctx context.Context, hash []byte, now time.Time) (APIKey, error)
	CreateAPIKey(ctx context.Context, k APIKey, hash []byte) error
}

// APIKeys makes and checks API keys.
type APIKeys struct {
	Store APIKeyStore
	Now   func() time.Time
}

// Authenticate tells whose key the secret is.
func (a *APIKeys) Authenticate(ctx context.Context, secret string) (Caller, error) {
	bad := Unauthenticated(Text{"This API key is not valid, or no longer.", "Esta chave de API não é válida ou já não o é."})
	if !WellFormedAPIKey(secret) {
		return Caller{}, bad
	}
	k, err := a.Store.APIKeyBySecret(ctx, HashSecret(secret), a.Now())
	if IsCode(err, CodeNotFound) {
		return Caller{}, bad
	}
	if err != nil {
		return Caller{}, err
	}
	return Caller{Kind: CallerPublisher, PublisherID: k.PublisherID, KeyID: k.ID, Scopes: k.Scopes}, nil
}
