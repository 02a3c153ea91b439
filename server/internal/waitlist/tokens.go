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

// Tokens makes the secrets of e-mailed links. They follow from an entry's id and a key, so that an e-mail can be written
// again without the token being kept anywhere; the store has their hashes to find them by.
type Tokens struct{ key []byte }

const (
	entryPrefix      = "swt_"
	invitationPrefix = "swi_"
	tokenLength      = 43 // so many letters and digits hold 256 bits
	codeLength       = 8
)

// NewTokens derives a key of its own from the server's.
func NewTokens(secretKey []byte) (Tokens, error) {
	key, err := hkdf.Key(sha256.New, secretKey, nil, "sininho waiting list", sha256.Size)
	return Tokens{key}, err
}

// Entry is the token by which someone sees their place.
func (t Tokens) Entry(id core.ID) string { return t.token(entryPrefix, id) }

// Invitation is the token by which someone who is invited signs up.
func (t Tokens) Invitation(id core.ID) string { return t.token(invitationPrefix, id) }

func (t Tokens) token(prefix string, id core.ID) string {
	mac := hmac.New(sha256.New, t.key)
	mac.Write([]byte(prefix))
	mac.Write(id[:])
	text := new(big.Int).SetBytes(mac.Sum(nil)).Text(62)
	return prefix + strings.Repeat("0", tokenLength-len(text)) + text
}

// newEntry makes an entry of an input.
func (t Tokens) newEntry(in Input) NewEntry {
	id := core.NewID()
	if !isCode.MatchString(in.ReferralCode) {
		in.ReferralCode = ""
	}
	return NewEntry{ID: id, Email: in.Email, Name: in.Name, Locale: in.Locale, ReferredBy: in.ReferralCode,
		ReferralCode: strings.ToLower(rand.Text()[:codeLength]),
		TokenHash:    core.HashSecret(t.Entry(id)), InvitationHash: core.HashSecret(t.Invitation(id))}
}
