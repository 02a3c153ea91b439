package openid

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"net/http"
	"sync"

	"github.com/go-jose/go-jose/v4"
)

// keys holds the key that signs ID tokens, one of another algorithm, and one that nobody knows.
type keys struct {
	mu                      sync.Mutex
	current, other, foreign *jose.JSONWebKey
}

// get returns the key that signs, which is made when it is first needed.
func (k *keys) get() *jose.JSONWebKey {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.current == nil {
		k.current = newKey()
	}
	return k.current
}

// forged returns a key with the id of the one that signs.
func (k *keys) forged() *jose.JSONWebKey {
	known := k.get()
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.foreign == nil {
		k.foreign = newKey()
	}
	return &jose.JSONWebKey{Key: k.foreign.Key, KeyID: known.KeyID, Algorithm: known.Algorithm, Use: known.Use}
}

// elliptic returns the key that signs by ES256.
func (k *keys) elliptic() *jose.JSONWebKey {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.other == nil {
		private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			panic(err) // cannot fail: crypto/rand does not
		}
		k.other = &jose.JSONWebKey{Key: private, KeyID: rand.Text(), Algorithm: string(jose.ES256), Use: "sig"}
	}
	return k.other
}

func (k *keys) drop() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.current = nil
}

func newKey() *jose.JSONWebKey {
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err) // cannot fail: crypto/rand does not
	}
	return &jose.JSONWebKey{Key: private, KeyID: rand.Text(), Algorithm: string(jose.RS256), Use: "sig"}
}

// jwks responds with the public keys.
func (g *Provider) jwks(w http.ResponseWriter, _ *http.Request) {
	set := jose.JSONWebKeySet{Keys: []jose.JSONWebKey{g.keys.get().Public()}}
	if g.faults.current().Algorithm != "" {
		set.Keys = append(set.Keys, g.keys.elliptic().Public())
	}
	writeJSON(w, http.StatusOK, set)
}

// rotate forgets the key: the next token is signed by another, and the earlier one is in no set anymore.
func (g *Provider) rotate(w http.ResponseWriter, _ *http.Request) {
	g.keys.drop()
	w.WriteHeader(http.StatusNoContent)
}
