package webhook

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"strings"
)

// secretPrefix lets secret scanners and people recognize a signing secret.
const secretPrefix = "whsec_"

// The specification requires 192 to 512 random bits; new secrets have 256.
const (
	minSecretBytes = 24
	maxSecretBytes = 64
	newSecretBytes = 32
)

// NewSecret returns a new signing secret of 256 random bits: `whsec_` followed by base64. Store it
// as safely as a password; both sides need it in plain text.
func NewSecret() string {
	key := make([]byte, newSecretBytes)
	_, _ = rand.Read(key) // never fails: crypto/rand stops the program instead
	return secretPrefix + base64.StdEncoding.EncodeToString(key)
}

// CheckSecret returns nil if secret can be used for signing, and otherwise an error that wraps
// [ErrSecret]. The prefix may be missing, as other implementations allow.
func CheckSecret(secret string) error {
	_, err := decodeSecret(secret)
	return err
}

func decodeSecret(secret string) ([]byte, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, secretPrefix))
	if err != nil {
		return nil, fmt.Errorf("%w: it is not base64 after %q", ErrSecret, secretPrefix)
	}
	if len(key) < minSecretBytes || len(key) > maxSecretBytes {
		return nil, fmt.Errorf("%w: it has %d bytes, not %d to %d", ErrSecret, len(key), minSecretBytes, maxSecretBytes)
	}
	return key, nil
}

func decodeSecrets(secrets []string) ([][]byte, error) {
	if len(secrets) == 0 {
		return nil, fmt.Errorf("%w: none was given", ErrSecret)
	}
	keys := make([][]byte, 0, len(secrets))
	for _, secret := range secrets {
		key, err := decodeSecret(secret)
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	return keys, nil
}
