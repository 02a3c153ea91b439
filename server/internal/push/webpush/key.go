package webpush

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"time"
)

// Key tells push services who sends (VAPID, RFC 8292). Browsers subscribe with its public half, and accept pushes of no
// other key.
type Key struct {
	private *ecdsa.PrivateKey
	public  string
}

// NewKey makes a key.
func NewKey() *Key {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err) // cannot fail: crypto/rand never returns an error
	}
	k, err := newKey(private)
	if err != nil {
		panic(err) // cannot fail: the key is on the curve
	}
	return k
}

// ParseKey parses a private key as Private writes it, which is what other programs call a VAPID private key.
func ParseKey(text string) (*Key, error) {
	const problem = "must be a private key on P-256: 32 bytes in base64url"
	b, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(text, "="))
	if err != nil {
		return nil, errors.New(problem)
	}
	private, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), b)
	if err != nil {
		return nil, errors.New(problem)
	}
	return newKey(private)
}

func newKey(private *ecdsa.PrivateKey) (*Key, error) {
	public, err := private.PublicKey.Bytes()
	return &Key{private, base64.RawURLEncoding.EncodeToString(public)}, err
}

// Public returns the public key in base64url, as browsers take it (applicationServerKey).
func (k *Key) Public() string { return k.public }

// Private returns the private key in base64url.
func (k *Key) Private() string {
	b, err := k.private.Bytes()
	if err != nil {
		panic(err) // cannot fail: the key is on the curve
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

// authorization returns the header that identifies the sender to the push service of an origin until expires. contact
// is where the push service reaches the operator: a mailto or https address.
func (k *Key) authorization(origin, contact string, expires time.Time) (string, error) {
	token, err := k.sign(map[string]any{"aud": origin, "exp": expires.Unix(), "sub": contact})
	return "vapid t=" + token + ", k=" + k.public, err
}

// sign returns a JSON Web Token with the signature ES256.
func (k *Key) sign(claims map[string]any) (string, error) {
	body, err := json.Marshal(claims)
	if err != nil {
		return "", err
	}
	text := encode([]byte(`{"typ":"JWT","alg":"ES256"}`)) + "." + encode(body)
	digest := sha256.Sum256([]byte(text))
	r, s, err := ecdsa.Sign(rand.Reader, k.private, digest[:])
	if err != nil {
		return "", err
	}
	const half = 32
	var signature [2 * half]byte
	r.FillBytes(signature[:half])
	s.FillBytes(signature[half:])
	return text + "." + encode(signature[:]), nil
}

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }
