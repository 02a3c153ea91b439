package pushservice

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// open decrypts a push as the browser with these keys does: the receiver's side of RFC 8188 and RFC 8291, for one
// record.
func open(key *ecdh.PrivateKey, auth, message []byte) ([]byte, error) {
	const salt, header = 16, 21
	if len(message) < header || len(message) < header+int(message[header-1]) {
		return nil, errors.New("the message is shorter than its header")
	}
	size := binary.BigEndian.Uint32(message[salt:])
	public, record := message[header:header+int(message[header-1])], message[header+int(message[header-1]):]
	if int64(len(record)) > int64(size) {
		return nil, fmt.Errorf("the record has %d bytes, more than the %d of the header", len(record), size)
	}
	sender, err := ecdh.P256().NewPublicKey(public)
	if err != nil {
		return nil, fmt.Errorf("the sender's key: %w", err)
	}
	secret, err := key.ECDH(sender)
	if err != nil {
		return nil, err
	}
	aead, nonce, err := cipherOf(secret, auth, message[:salt], key.PublicKey().Bytes(), public)
	if err != nil {
		return nil, err
	}
	padded, err := aead.Open(nil, nonce, record, nil)
	if err != nil {
		return nil, err
	}
	text, ended := strings.CutSuffix(strings.TrimRight(string(padded), "\x00"), "\x02")
	if !ended {
		return nil, errors.New("the record is not the last one")
	}
	return []byte(text), nil
}

func cipherOf(secret, auth, salt, browser, sender []byte) (cipher.AEAD, []byte, error) {
	info := "WebPush: info\x00" + string(browser) + string(sender)
	material, err := hkdf.Key(sha256.New, secret, auth, info, sha256.Size)
	if err != nil {
		return nil, nil, err
	}
	key, err1 := hkdf.Key(sha256.New, material, salt, "Content-Encoding: aes128gcm\x00", 16)
	nonce, err2 := hkdf.Key(sha256.New, material, salt, "Content-Encoding: nonce\x00", 12)
	if err := errors.Join(err1, err2); err != nil {
		return nil, nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, nil, err
	}
	aead, err := cipher.NewGCM(block)
	return aead, nonce, err
}
