package fcm

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
)

// account is the service account that clients authenticate as.
type account struct {
	key   *rsa.PrivateKey
	keyID string
	// secret marks the access tokens. It is derived from the key, so that tokens survive restarts with that key.
	secret [sha256.Size]byte
}

const accountName = "firebase-adminsdk"

func newAccount(credentials []byte) (account, error) {
	key, err := readKey(credentials)
	if err != nil {
		return account{}, fmt.Errorf("fcm stand-in: credentials: %w", err)
	}
	der := x509.MarshalPKCS1PrivateKey(key)
	sum := sha256.Sum256(x509.MarshalPKCS1PublicKey(&key.PublicKey))
	return account{
		key:    key,
		keyID:  hex.EncodeToString(sum[:20]),
		secret: sha256.Sum256(append([]byte("access tokens\x00"), der...)),
	}, nil
}

func readKey(credentials []byte) (*rsa.PrivateKey, error) {
	if len(credentials) == 0 {
		return rsa.GenerateKey(rand.Reader, 2048)
	}
	var file struct {
		PrivateKey string `json:"private_key"`
	}
	if err := json.Unmarshal(credentials, &file); err != nil {
		return nil, err
	}
	block, _ := pem.Decode([]byte(file.PrivateKey))
	if block == nil {
		return nil, errors.New("no PEM block in private_key")
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, err
	}
	key, ok := parsed.(*rsa.PrivateKey)
	if !ok {
		return nil, errors.New("private_key is not an RSA key")
	}
	return key, nil
}

// ServiceAccountJSON returns the content of the service account's file. tokenURL is the URL of this stand-in's POST
// /token, such as http://127.0.0.1:41234/token. The content can be kept and passed as Config.Credentials later.
func (s *Server) ServiceAccountJSON(tokenURL string) []byte {
	der, err := x509.MarshalPKCS8PrivateKey(s.account.key)
	if err != nil {
		panic(err) // an RSA key can always be marshaled
	}
	b, err := json.MarshalIndent(struct {
		Type        string `json:"type"`
		ProjectID   string `json:"project_id"`
		KeyID       string `json:"private_key_id"`
		PrivateKey  string `json:"private_key"`
		ClientEmail string `json:"client_email"`
		ClientID    string `json:"client_id"`
		TokenURI    string `json:"token_uri"`
		Domain      string `json:"universe_domain"`
	}{
		Type:        "service_account",
		ProjectID:   s.project,
		KeyID:       s.account.keyID,
		PrivateKey:  string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})),
		ClientEmail: accountName + "@" + s.project + ".iam.gserviceaccount.com",
		ClientID:    "100000000000000000001",
		TokenURI:    tokenURL,
		Domain:      "googleapis.com",
	}, "", "  ")
	if err != nil {
		panic(err) // strings can always be marshaled
	}
	return b
}
