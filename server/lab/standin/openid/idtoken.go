package openid

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// idToken are the claims of an ID token.
type idToken struct {
	Issuer   string `json:"iss"`
	Audience string `json:"aud"`
	Expiry   int64  `json:"exp"`
	IssuedAt int64  `json:"iat"`
	Nonce    string `json:"nonce,omitempty"`
	userInfo
}

// sign returns the ID token for a grant, with the fault of the moment.
func (g *Provider) sign(granted grant, issuer string, f Fault) (string, error) {
	now := time.Now()
	token := idToken{Issuer: cmp.Or(f.Issuer, f.tokenIssuer(issuer)), Audience: cmp.Or(f.Audience, g.config.ClientID),
		Expiry: now.Add(tokenLife).Unix(), IssuedAt: now.Unix(), Nonce: cmp.Or(f.Nonce, granted.nonce),
		userInfo: g.info(granted.person, f)}
	if f.Expired {
		token.Expiry = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	}
	if f.LateSeconds > 0 {
		token.Expiry = now.Add(-time.Duration(f.LateSeconds) * time.Second).Unix()
	}
	if f.Emailless {
		token.userInfo = userInfo{Subject: token.Subject}
	}
	claims, err := json.Marshal(token)
	if err != nil {
		return "", err
	}
	key := g.keys.get()
	if f.Algorithm == string(jose.ES256) {
		key = g.keys.elliptic()
	}
	switch f.Signature {
	case "none":
		part := base64.RawURLEncoding.EncodeToString
		return fmt.Sprintf("%s.%s.", part([]byte(`{"alg":"none","typ":"JWT"}`)), part(claims)), nil
	case "foreign":
		key = g.keys.forged()
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.SignatureAlgorithm(key.Algorithm), Key: key}, nil)
	if err != nil {
		return "", err
	}
	signed, err := signer.Sign(claims)
	if err != nil {
		return "", err
	}
	return signed.CompactSerialize()
}
