package core

// WebPushKey is the key with which browsers subscribe, as it is stored. Another one would orphan every subscription, so
// it never changes by itself.
type WebPushKey struct {
	Public string // in base64url
	Sealed []byte // the private key, encrypted with the secret key
}
