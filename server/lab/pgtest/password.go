package pgtest

import (
	"context"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/url"
)

// cheapenPassword stores a hash of the password with one iteration. By default every new connection computes 4,096,
// which is slow under the race detector. They protect weak passwords, but this one is random.
func cheapenPassword(ctx context.Context) error {
	u, err := url.Parse(running.URL())
	if err != nil {
		return err
	}
	password, _ := u.User.Password()
	hash, err := scram(password)
	if err != nil {
		return err
	}
	return execute(ctx, fmt.Sprintf("alter role %s password '%s'", u.User.Username(), hash))
}

// scram returns a hash in the format of https://www.postgresql.org/docs/15/catalog-pg-authid.html
func scram(password string) (string, error) {
	const salt, iterations = "sixteen bytes it", 1
	salted, err := pbkdf2.Key(sha256.New, password, []byte(salt), iterations, sha256.Size)
	if err != nil {
		return "", err
	}
	stored := sha256.Sum256(mac(salted, "Client Key"))
	encode := base64.StdEncoding.EncodeToString
	return fmt.Sprintf("SCRAM-SHA-256$%d:%s$%s:%s", iterations, encode([]byte(salt)), encode(stored[:]),
		encode(mac(salted, "Server Key"))), nil
}

func mac(key []byte, message string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(message))
	return h.Sum(nil)
}
