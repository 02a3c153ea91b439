// Package live tells signed-in subscribers, and readers of a public channel, what changes, as server-sent events on
// whichever node they are connected to.
//
// Ids are stream positions. A node keeps the position up to which it has told its streams; a signal from the node that
// gave new positions (or a poll, while signals do not come through) makes it read what followed and hand it out. A
// stream that comes back with Last-Event-ID is registered first, then gets from the database what it missed, and then what
// the node hands out beyond that: no gap, no repetition.
//
// An event is the same for every stream, and depends on nothing but its position: a notification is published at one
// position and its latest change is at a later one, so a stream can be cut and resumed anywhere.
package live
