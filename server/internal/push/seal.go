package push

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"

	"github.com/sininho/sininho/server/internal/core"
)

const (
	saltSize   = 16
	recordSize = 4096
	publicSize = 65
	// SealOverhead is how much longer a message is than its text: the header, the end mark and the authentication tag.
	SealOverhead = saltSize + 4 + 1 + publicSize + 1 + 16
	// padTo is the multiple to which texts are padded, so that a push service learns little from their lengths.
	padTo = 32
)

// Seal encrypts a text for a browser (RFC 8291) in one record of the coding aes128gcm. The message has at most limit
// bytes if the text with SealOverhead has.
func Seal(to core.PushKeys, text []byte, limit int) ([]byte, error) {
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	salt := make([]byte, saltSize)
	_, _ = rand.Read(salt) // never fails
	padding := min(-len(text)&(padTo-1), max(0, limit-SealOverhead-len(text)))
	return sealWith(to, text, padding, key, salt)
}

func sealWith(to core.PushKeys, text []byte, padding int, key *ecdh.PrivateKey, salt []byte) ([]byte, error) {
	aead, nonce, err := derive(to, key, salt)
	if err != nil {
		return nil, err
	}
	size := len(text) + 1 + padding
	out := make([]byte, 0, size+SealOverhead)
	out = append(out, salt...)
	out = binary.BigEndian.AppendUint32(out, uint32(max(recordSize, size+aead.Overhead()))) //nolint:gosec // small
	out = append(out, publicSize)
	out = append(out, key.PublicKey().Bytes()...)
	const endOfLastRecord = 2
	record := append(append(make([]byte, 0, size), text...), endOfLastRecord)
	return aead.Seal(out, nonce, record[:size], nil), nil
}

// derive returns the cipher and the nonce from the secrets that both sides share.
func derive(to core.PushKeys, key *ecdh.PrivateKey, salt []byte) (cipher.AEAD, []byte, error) {
	browser, err := ecdh.P256().NewPublicKey(to.P256dh)
	if err != nil {
		return nil, nil, err
	}
	secret, err := key.ECDH(browser)
	if err != nil {
		return nil, nil, err
	}
	info := "WebPush: info\x00" + string(to.P256dh) + string(key.PublicKey().Bytes())
	material, err := hkdf.Key(sha256.New, secret, to.Auth, info, sha256.Size)
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
	aead, err := cipher.NewGCM(block)
	return aead, nonce, err
}
