package core

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"hash/crc32"
	"math/big"
	"strings"
)

const (
	secretRandom   = 30
	secretChecksum = 6
	secretHint     = 4
	base62         = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// newSecret returns a secret: a prefix that secret scanners recognize, 30 random characters and a checksum. The
// checksum lets a mistyped secret be rejected without a database query.
func newSecret(prefix string) string {
	random := RandomText(secretRandom)
	return prefix + random + checksum(random)
}

// derivedSecret returns the secret that follows from an id and a key. It has the form of one by newSecret.
func derivedSecret(prefix string, key []byte, id ID) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(prefix))
	mac.Write(id[:])
	random := strings.Repeat("0", secretRandom) + new(big.Int).SetBytes(mac.Sum(nil)).Text(len(base62))
	random = random[len(random)-secretRandom:]
	return prefix + random + checksum(random)
}

// wellFormed reports whether s has the prefix, the length, the letters and the checksum of a secret.
func wellFormed(prefix, s string) bool {
	rest, ok := strings.CutPrefix(s, prefix)
	return ok && len(rest) == secretRandom+secretChecksum && strings.Trim(rest, base62) == "" &&
		checksum(rest[:secretRandom]) == rest[secretRandom:]
}

// hint returns the last characters of a secret, by which people recognize it.
func hint(secret string) string { return secret[len(secret)-secretHint:] }

func checksum(s string) string {
	sum := crc32.ChecksumIEEE([]byte(s))
	var out [secretChecksum]byte
	for i := secretChecksum - 1; i >= 0; i-- {
		out[i] = base62[sum%62]
		sum /= 62
	}
	return string(out[:])
}

// RandomText returns n random letters and digits with almost 6 bits of entropy each.
func RandomText(n int) string { return randomOf(base62, n) }

func randomOf(alphabet string, n int) string {
	out := make([]byte, n)
	for i := range out {
		c, err := rand.Int(rand.Reader, big.NewInt(int64(len(alphabet))))
		if err != nil {
			panic(err) // cannot happen: crypto/rand does not fail
		}
		out[i] = alphabet[c.Int64()]
	}
	return string(out)
}

// HashSecret returns the hash by which a secret is stored. Secrets are long and random, so one round of SHA-256 is
// enough.
func HashSecret(s string) []byte {
	sum := sha256.Sum256([]byte(s))
	return sum[:]
}
