package core

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
)

// Sealer encrypts secrets that must be read again, with a key from the settings.
type Sealer struct{ aead cipher.AEAD }

// NewSealer takes a key of 32 bytes.
func NewSealer(key []byte) (*Sealer, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	return &Sealer{aead}, err
}

// Seal encrypts.
func (s *Sealer) Seal(plain []byte) []byte { return s.aead.Seal(nil, nil, plain, nil) }

// Open decrypts what Seal made with the same key.
func (s *Sealer) Open(sealed []byte) ([]byte, error) {
	plain, err := s.aead.Open(nil, nil, sealed, nil)
	if err != nil {
		return nil, errors.New("a sealed secret cannot be opened: is SECRET_KEY the one it was made with?")
	}
	return plain, nil
}

// NewSecretKey makes a key for NewSealer.
func NewSecretKey() []byte {
	k := make([]byte, 32)
	_, _ = rand.Read(k)
	return k
}
