package pushservice

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

const (
	saltSize   = 16
	authSize   = 16
	recordSize = 4096
	// overhead is the size of a record without its text: the end mark and the authentication tag.
	overhead = 17
)

// encrypt encrypts a payload for a browser (RFC 8291) in the coding aes128gcm.
func encrypt(to Subscription, payload []byte) ([]byte, error) {
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	salt := make([]byte, saltSize)
	_, _ = rand.Read(salt) // never fails
	return encryptWith(to, payload, key, salt)
}

func encryptWith(to Subscription, payload []byte, key *ecdh.PrivateKey, salt []byte) ([]byte, error) {
	browser, auth, err := to.keys()
	if err != nil {
		return nil, err
	}
	seal, nonce, err := sealer(browser, auth, key, salt)
	if err != nil {
		return nil, err
	}
	public := key.PublicKey().Bytes()
	out := append([]byte{}, salt...)
	out = binary.BigEndian.AppendUint32(out, uint32(max(recordSize, len(payload)+overhead)))
	out = append(out, byte(len(public)))
	out = append(out, public...)
	const endOfLastRecord = 2
	return seal.Seal(out, nonce, append(append([]byte{}, payload...), endOfLastRecord), nil), nil
}

// sealer derives the key and the nonce from the secrets that both sides share.
func sealer(browser *ecdh.PublicKey, auth []byte, key *ecdh.PrivateKey, salt []byte) (cipher.AEAD, []byte, error) {
	secret, err := key.ECDH(browser)
	if err != nil {
		return nil, nil, err
	}
	info := "WebPush: info\x00" + string(browser.Bytes()) + string(key.PublicKey().Bytes())
	material, err := hkdf.Key(sha256.New, secret, auth, info, sha256.Size)
	if err != nil {
		return nil, nil, err
	}
	contentKey, err1 := hkdf.Key(sha256.New, material, salt, "Content-Encoding: aes128gcm\x00", 16)
	nonce, err2 := hkdf.Key(sha256.New, material, salt, "Content-Encoding: nonce\x00", 12)
	if err := errors.Join(err1, err2); err != nil {
		return nil, nil, err
	}
	block, err := aes.NewCipher(contentKey)
	if err != nil {
		return nil, nil, err
	}
	seal, err := cipher.NewGCM(block)
	return seal, nonce, err
}

func (s Subscription) keys() (*ecdh.PublicKey, []byte, error) {
	raw, err := decodeKey(s.P256dh)
	if err != nil {
		return nil, nil, fmt.Errorf("p256dh: %w", err)
	}
	key, err := ecdh.P256().NewPublicKey(raw)
	if err != nil {
		return nil, nil, fmt.Errorf("p256dh: %w", err)
	}
	auth, err := decodeKey(s.Auth)
	if err == nil && len(auth) != authSize {
		err = fmt.Errorf("%d bytes, not %d", len(auth), authSize)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("auth: %w", err)
	}
	return key, auth, nil
}

// decodeKey decodes base64 in either alphabet, with or without padding.
func decodeKey(text string) ([]byte, error) {
	text = strings.NewReplacer("+", "-", "/", "_").Replace(strings.TrimRight(text, "="))
	return base64.RawURLEncoding.DecodeString(text)
}
