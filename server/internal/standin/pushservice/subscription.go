package pushservice

import "errors"

// Subscription is what a browser's PushManager.subscribe made, as the browser hands it on.
type Subscription struct {
	// Endpoint is the address that the browser believes it is pushed through; its last segment is the registration.
	Endpoint string
	// P256dh and Auth are the browser's keys, in base64url.
	P256dh, Auth string
}

// ErrUnregistered says that no browser has the subscription's endpoint, or has it no more.
var ErrUnregistered = errors.New("pushservice: endpoint is not registered")
