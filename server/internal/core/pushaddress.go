package core

import (
	"crypto/ecdh"
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"
)

// The kinds of devices, by what takes pushes for them.
const (
	KindFCM     = "fcm"     // Firebase Cloud Messaging
	KindToken   = "token"   // the earlier name of KindFCM
	KindWebPush = "webpush" // the push service of the browser, or of a UnifiedPush distributor
)

// ServiceFCM is the name of FCM among the push services.
const ServiceFCM = "fcm"

// PushAddress is where a device is pushed to.
type PushAddress struct {
	Kind    string
	Address string // an id or token of Firebase, or the endpoint of a push subscription
	Keys    PushKeys
	Owner   ID   // the person, who has their own share of what a push service takes
	Untried bool // it has not accepted a push yet
}

// PushKeys are the keys of a push subscription, with which pushes are encrypted. FCM has none.
type PushKeys struct {
	P256dh []byte // a public key on P-256, uncompressed: 65 bytes
	Auth   []byte // a secret of authSize bytes
}

const authSize = 16

// ParsePushKeys decodes the keys of a push subscription from base64, in either alphabet, with or without padding.
func ParsePushKeys(p256dh, auth string) (k PushKeys, p256dhErr, authErr error) {
	if k.P256dh, p256dhErr = decodeBase64(p256dh); p256dhErr == nil {
		_, p256dhErr = ecdh.P256().NewPublicKey(k.P256dh)
	}
	if k.Auth, authErr = decodeBase64(auth); authErr == nil && len(k.Auth) != authSize {
		authErr = fmt.Errorf("%d bytes, not %d", len(k.Auth), authSize)
	}
	return k, p256dhErr, authErr
}

func decodeBase64(text string) ([]byte, error) {
	text = strings.NewReplacer("+", "-", "/", "_").Replace(strings.TrimRight(text, "="))
	return base64.RawURLEncoding.DecodeString(text)
}

// Transport names what takes pushes for a device: KindFCM or KindWebPush.
func (a PushAddress) Transport() string {
	if a.Kind == KindWebPush {
		return KindWebPush
	}
	return KindFCM
}

// Service names the push service of a device: "fcm", or the origin of its endpoint. Each has its own pace and pauses.
func (a PushAddress) Service() string {
	if a.Kind != KindWebPush {
		return ServiceFCM
	}
	return PushOrigin(a.Address)
}

// PushOrigin returns the origin of a push endpoint, such as https://push.example.com.
func PushOrigin(endpoint string) string {
	u, err := url.Parse(endpoint)
	if err != nil {
		return ""
	}
	host := strings.ToLower(u.Host)
	if u.Scheme == "https" {
		host = strings.TrimSuffix(host, ":443")
	}
	return u.Scheme + "://" + host
}
