// Package pushservice is a stand-in for the push service of Chromium, for development and tests only. A Chromium
// started with its Flags really subscribes here, and receives what is passed to Deliver as a real, encrypted push.
//
// It speaks three Google protocols: check-in, by which a browser becomes a device (POST /checkin, protocol buffers),
// registration, by which each subscription of a device gets its endpoint (POST /register, a form), and the stream of
// messages (MCS over TLS). Everything is kept in memory: a browser that was a device of an earlier run keeps its id,
// but its subscriptions are gone.
//
// It takes pushes from senders that identify themselves (Web Push: RFC 8030, 8291 and 8292), for browsers and for
// subscriptions that exist here only, whose pushes it decrypts: POST /subscriptions makes one, GET /sent lists what was
// pushed, and POST /faults makes pushes fail.
package pushservice
