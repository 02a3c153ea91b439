// Package live streams changes as server-sent events to signed-in subscribers and to readers of a public channel, on
// whichever node they are connected to.
//
// Ids are stream positions. A node keeps the position up to which it has sent changes to its streams. A signal from the
// node that assigned new positions makes it read and send the following changes; it also polls, more often while
// signals do not arrive. A stream that reconnects with Last-Event-ID is registered first, then receives what it missed
// from the database, and then what the node sends after that: no gap and no repetition.
//
// A node reads where the changes are, and whole only those of channels that its streams follow. With a relay it is also
// signalled only about those; a stream begins after its subscriptions are in effect, at the latest position.
//
// An event is the same for every stream and depends only on its position: a notification is published at one position
// and its latest change is at a later one, so a stream can be cut and resumed anywhere.
//
// Streams have turns: a shard writes a piece to each that has something to be written. A stream to which changes of a
// channel come faster falls late: what follows waits in the database, is read by a distribution of that channel's late
// streams, and holds up no other. When that has caught up, its streams are prompt again.
//
// An open stream over HTTP/1 has no goroutine. Its handler begins it, hands the connection on to a shard and returns. A
// shard writes what the kernel takes without waiting; a goroutine writes the rest to a reader that is behind. The same
// holds over TLS, with a listener of [Secure]. This is a good deal of code, and buys a tenth of the memory: 2.8 KiB a
// stream, and 26.6 in a handler of net/http that does nothing else. It is what a proxy that ends TLS connects to.
//
// A stream over HTTP/2 keeps its goroutine, because net/http ends the response when its handler returns. [Keep] goes on
// with it once all other handlers have returned, so the goroutine has a small stack. What the connection takes is
// net/http's. Streams over HTTP/1 on systems other than Unix keep their handler, and go the same way otherwise.
package live
