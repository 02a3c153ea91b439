package pushservice

import "errors"

// Subscription is the result of a browser's PushManager.subscribe.
type Subscription struct {
	// Endpoint is the address at the push service. Its last segment identifies the registration.
	Endpoint string
	// P256dh and Auth are the browser's keys, in base64.
	P256dh, Auth string
}

// ErrGone reports that no browser has the subscription's endpoint, or no longer has it.
var ErrGone = errors.New("push service: the endpoint is not registered")
