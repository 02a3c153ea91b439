package pictures

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/url"
	"path"
	"strings"
)

// Base is the path under which pictures are served.
const Base = "/pictures/"

// maxAddress limits the address of a picture in bytes, as the contract does.
const maxAddress = 2048

// Addresses makes and reads the addresses of pictures on this server. They are signed, so that only pictures of this
// installation are served. A nil *Addresses makes none.
type Addresses struct {
	key    []byte
	origin string
}

// NewAddresses returns the addresses under an origin, such as https://sininho.example.com, signed by a key that is
// derived from the server's secret key.
func NewAddresses(secretKey []byte, origin string) (*Addresses, error) {
	key, err := hkdf.Key(sha256.New, secretKey, nil, "sininho pictures", sha256.Size)
	return &Addresses{key: key, origin: origin}, err
}

// signatureSize is the length of a signature in bytes; 128 bits cannot be guessed.
const signatureSize = 16

var encoding = base64.RawURLEncoding

// Address returns the address at which this server serves a picture, and "" for one that it does not serve. The images
// of the web app, and uploaded pictures, are at their own addresses.
func (a *Addresses) Address(picture string) string {
	u, err := url.Parse(picture)
	switch {
	case a == nil || err != nil || !isWeb(u) || len(picture) > maxAddress:
		return ""
	case u.Scheme+"://"+u.Host != a.origin:
	case path.Ext(u.Path) == ".png" && u.RawQuery == "", isUpload(u):
		return picture
	default: // readers' browsers would send their cookies there
		return ""
	}
	return a.origin + Base + a.sign(picture) + "/" + encoding.EncodeToString([]byte(picture))
}

// Icon returns the address of a picture in the size of an icon, and "" for one that this server does not serve.
func (a *Addresses) Icon(picture string) string {
	address := a.Address(picture)
	if address == "" || !strings.HasPrefix(address, a.origin+Base) {
		return address
	}
	return address + "?size=icon"
}

// open returns the picture's address, if the signature is right.
func (a *Addresses) open(signature, encoded string) (picture string, ok bool) {
	b, err := encoding.DecodeString(encoded)
	if err != nil || encoding.EncodeToString(b) != encoded { // the decoder skips line ends
		return "", false
	}
	picture = string(b)
	return picture, hmac.Equal([]byte(signature), []byte(a.sign(picture)))
}

func (a *Addresses) sign(picture string) string {
	mac := hmac.New(sha256.New, a.key)
	mac.Write([]byte(picture))
	return encoding.EncodeToString(mac.Sum(nil)[:signatureSize])
}

// isWeb reports whether an address is one of the web without credentials.
func isWeb(u *url.URL) bool {
	return (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil
}
