package fcm

import (
	"crypto"
	"crypto/hmac"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	jwtBearer     = "urn:ietf:params:oauth:grant-type:jwt-bearer"
	tokenLifetime = time.Hour
	// clockSkew is the maximum difference between the clock of an assertion and this one.
	clockSkew = 5 * time.Minute
)

// issueToken handles the OAuth 2.0 grant by which a service account gets an access token (RFC 7523).
func (s *Server) issueToken(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	w.Header().Set("Cache-Control", "no-store")
	if grant := r.PostFormValue("grant_type"); grant != jwtBearer {
		writeOAuthError(w, "unsupported_grant_type", "Invalid grant_type: "+grant)
		return
	}
	now := time.Now()
	if err := s.account.verifyAssertion(r.PostFormValue("assertion"), now); err != nil {
		writeOAuthError(w, "invalid_grant", err.Error())
		return
	}
	writeJSON(w, http.StatusOK, struct {
		AccessToken string `json:"access_token"`
		ExpiresIn   int    `json:"expires_in"`
		TokenType   string `json:"token_type"`
	}{s.account.accessToken(now.Add(tokenLifetime)), int(tokenLifetime/time.Second) - 1, "Bearer"})
}

func writeOAuthError(w http.ResponseWriter, code, description string) {
	writeJSON(w, http.StatusBadRequest, struct {
		Error       string `json:"error"`
		Description string `json:"error_description"`
	}{code, description})
}

// verifyAssertion accepts a JWT that the account's key signed for this token endpoint and that has not expired.
func (a account) verifyAssertion(assertion string, now time.Time) error {
	signed, signature, ok := cutLast(assertion, ".")
	header, claims, ok2 := strings.Cut(signed, ".")
	if !ok || !ok2 {
		return errors.New("Bad Request") //nolint:staticcheck // Google's text, for the client
	}
	var head struct{ Alg string }
	var claim struct {
		Iss, Aud string
		Exp, Iat int64
	}
	if err := errors.Join(decodePart(header, &head), decodePart(claims, &claim)); err != nil {
		return fmt.Errorf("malformed assertion: %w", err)
	}
	sig, err := base64.RawURLEncoding.DecodeString(signature)
	sum := sha256.Sum256([]byte(signed))
	if err != nil || head.Alg != "RS256" || rsa.VerifyPKCS1v15(&a.key.PublicKey, crypto.SHA256, sum[:], sig) != nil {
		return errors.New("Invalid JWT Signature.") //nolint:revive,staticcheck // Google's text, for the client
	}
	switch {
	case !strings.HasPrefix(claim.Iss, accountName+"@"):
		return fmt.Errorf("Invalid issuer: %s", claim.Iss) //nolint:staticcheck // Google's text, for the client
	case !strings.HasSuffix(claim.Aud, "/token"):
		return fmt.Errorf("Invalid JWT audience: %s", claim.Aud) //nolint:staticcheck // Google's text, for the client
	case now.Add(-clockSkew).Unix() > claim.Exp, now.Add(clockSkew).Unix() < claim.Iat:
		//nolint:revive,staticcheck // Google's text, for the client
		return errors.New("Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe.")
	}
	return nil
}

func decodePart(part string, into any) error {
	b, err := base64.RawURLEncoding.DecodeString(part)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, into)
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// accessToken returns a self-contained token: its expiry, and a mark that only this account can create.
func (a account) accessToken(expires time.Time) string {
	at := strconv.FormatInt(expires.Unix(), 10)
	return "ya29.stand-in." + at + "." + a.mark(at)
}

func (a account) mark(at string) string {
	h := hmac.New(sha256.New, a.secret[:])
	h.Write([]byte(at))
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}

// proof is a valid Authorization header and its expiry as Unix time.
type proof struct {
	header  string
	expires int64
}

// authorized reports whether a request's header has an access token of this account. The last valid header is
// remembered, because a sender uses the same one for an hour.
func (s *Server) authorized(header string, now time.Time) bool {
	if p := s.proven.Load(); p != nil && p.header == header {
		return now.Unix() < p.expires
	}
	expires, ok := s.account.verifyToken(header)
	if ok {
		s.proven.Store(&proof{header, expires})
	}
	return ok && now.Unix() < expires
}

// verifyToken returns the expiry of the header's access token as Unix time, if the token is one of this account.
func (a account) verifyToken(header string) (expires int64, ok bool) {
	token, ours := strings.CutPrefix(header, "Bearer ya29.stand-in.")
	at, mark, _ := strings.Cut(token, ".")
	expires, err := strconv.ParseInt(at, 10, 64)
	return expires, ours && err == nil && hmac.Equal([]byte(mark), []byte(a.mark(at)))
}
