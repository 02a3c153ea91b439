package pushservice

import "errors"

// Subscription is what a browser's PushManager.subscribe made, as the browser hands it on.
type Subscription struct {
	// Endpoint is where the browser believes it is pushed through; its last segment is the registration.
	Endpoint string
	// P256dh and Auth are the browser's keys, in base64.
	P256dh, Auth string
}

// ErrGone says that no browser has the subscription's endpoint, or has it no more.
var ErrGone = errors.New("push service: the endpoint is not registered")
