package core

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
)

// Sealer encrypts the secrets that must be readable again, with a key from the settings.
type Sealer struct{ aead cipher.AEAD }

// NewSealer returns a Sealer that uses AES-256-GCM with a key of 32 bytes.
func NewSealer(key []byte) (*Sealer, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	return &Sealer{aead}, err
}

// Seal encrypts plain.
func (s *Sealer) Seal(plain []byte) []byte { return s.aead.Seal(nil, nil, plain, nil) }

// Open decrypts the result of Seal. It fails if another key sealed it.
func (s *Sealer) Open(sealed []byte) ([]byte, error) {
	plain, err := s.aead.Open(nil, nil, sealed, nil)
	if err != nil {
		return nil, errors.New("a sealed secret cannot be opened: is SECRET_KEY the one it was made with?")
	}
	return plain, nil
}

// NewSecretKey returns a random key for NewSealer.
func NewSecretKey() []byte {
	k := make([]byte, 32)
	_, _ = rand.Read(k)
	return k
}
