package waitlist

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"math/big"
	"strings"

	"github.com/sininho/sininho/server/internal/core"
)

// tokens makes the secrets of emailed links. A token is derived from the id of an entry and a key, so that an email can
// be written again without storing the token; the database holds only its hash.
type tokens struct{ key []byte }

const (
	entryPrefix      = "swt_"
	invitationPrefix = "swi_"
	tokenLength      = 43 // letters and digits that hold 256 bits
	codeLength       = 8
)

// newTokens derives the key of tokens from the server's secret key.
func newTokens(secretKey []byte) (tokens, error) {
	key, err := hkdf.Key(sha256.New, secretKey, nil, "sininho waiting list", sha256.Size)
	return tokens{key}, err
}

// entry returns the token that shows an entry's place.
func (t tokens) entry(id core.ID) string { return t.token(entryPrefix, id) }

// invitation returns the token that an invited person signs up with.
func (t tokens) invitation(id core.ID) string { return t.token(invitationPrefix, id) }

func (t tokens) token(prefix string, id core.ID) string {
	mac := hmac.New(sha256.New, t.key)
	mac.Write([]byte(prefix))
	mac.Write(id[:])
	text := new(big.Int).SetBytes(mac.Sum(nil)).Text(62)
	return prefix + strings.Repeat("0", tokenLength-len(text)) + text
}

// newEntry returns a new entry for an input.
func (t tokens) newEntry(in Input) newEntry {
	id := core.NewID()
	if !isCode.MatchString(in.ReferralCode) {
		in.ReferralCode = ""
	}
	return newEntry{ID: id, Email: in.Email, Name: in.Name, Locale: in.Locale, ReferredBy: in.ReferralCode,
		ReferralCode: strings.ToLower(rand.Text()[:codeLength]),
		TokenHash:    core.HashSecret(t.entry(id)), InvitationHash: core.HashSecret(t.invitation(id))}
}
