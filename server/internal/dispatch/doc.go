// Package dispatch pushes what was published: it takes notifications from the outbox, finds their devices and sends to
// them in batches, as River jobs on PostgreSQL, so that any number of nodes share the work and a crash loses none of it.
//
// A notification is claimed once, in the transaction that makes its expand job. The expand job walks the channel's
// devices in pages; each page makes send jobs of at most 500 devices in the transaction that moves the walk on. A send
// job pushes to those of its devices that have no outcome yet, records the outcomes, and comes back later for the rest.
// When every device has its outcome the numbers are kept, and the dispatch is finished.
//
// What happens is told to the publishers' event endpoints. Each event is stored for each endpoint that wants it in the
// transaction that makes it happen; a sweep makes a tell job for each endpoint to which something is due, one at most, so
// that none holds up another.
package dispatch
