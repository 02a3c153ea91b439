// Package pushservice is a stand-in for the push service behind Chromium, for development and tests only. A Chromium that
// is started with its Flags subscribes here for real, and gets what Deliver is given as a real, encrypted push.
//
// It speaks Google's three protocols for that: check-in, by which a browser becomes a device (POST /checkin, protocol
// buffers), registration, by which each subscription of a device gets its endpoint (POST /register, a form), and the
// stream of messages (MCS over TLS). What it keeps is in memory; a browser that was a device of an earlier run is taken on
// with its number, but its subscriptions are gone.
package pushservice
