// Command bench measures Sininho as its users meet it: through the whole HTTP stack, with authentication, validation
// and durable commits, on a database that looks like one after a year (package sampledata).
//
//	make bench                                          the whole table, in about half an hour
//	make bench BENCHFLAGS="-only publish,feed"          what has one of these in its name
//	make bench BENCHFLAGS="-scale 0.01 -rounds 2"       a quick look
//	make bench BENCHFLAGS="-growth"                     the curves instead of the table
//	make bench BENCHFLAGS="-nodes"                      1 to 3 servers on the database instead of the table
//	make bench BENCHFLAGS="-rehearse -devices 1000000 -scale 0.1"   one publish to a million devices over 3 servers
//	go run ./server/lab/bench -help                         all flags
//
// Machines are noisy, so most figures are ratios to a limit that is measured in the same run, by turns: raw SQL on the
// same database, a bare client to the same push service, or a bare net/http server. The table has the medians of all
// rounds and their spread, and marks what falls short of its bar; -json keeps every round. A ratio is worth little
// while others use the machine: look at the load in the last lines.
//
//   - publish: requests a second with an idempotency key, next to INSERTs of one row by as many clients, and how long a
//     request takes. The channels' followers have no devices, because the dispatch is measured by itself. The bars are
//     for INSERTs over a pool of pgx's default size, as they were set; with a connection for each client PostgreSQL
//     shares commits and inserts two to three times as fast, which rows of their own show.
//   - metrics: the same on a server whose metrics are scraped, next to one that only counts, and counting next to a
//     publish.
//   - feed, list: requests a second by 16 clients, next to prepared SQL that reads the rows of the page and nothing
//     else. Unread pages are next to the first page of the same person.
//   - dispatch: pushes a second from the publish to the last recorded outcome, next to a client that only sends over
//     HTTP/2. Then with a push service that takes 50 ms, next to the Admin SDK's SendEach, with small channels
//     that publish in the middle of it, next to the same on an idle server.
//   - live: the time from a publish to the last of all receipts, the server's CPU time, and its memory for a stream,
//     next to a server of net/http alone. Also the memory of a stream over TLS, with a connection for each as those of
//     different browsers have, and of its socket in the kernel, for which it needs root. Also the rate of publishes
//     while a stream of another channel is open, next to the same without.
//   - read marks, follows: requests of many people at once, over 256 connections, until the response, next to the same
//     change in SQL that tells nobody. Some of the people have a stream open and must be told.
//   - displays: the server's CPU time for each report that a notification was displayed.
//   - validation and auth: time and allocations of a publish without a database, less those of its handler. It is
//     BenchmarkPublish of package httpapi.
//   - binary, warm start, memory: what `go build` makes, how long `sininho-server dev` takes to be ready, and the
//     resident memory of an idle server and of one after many publishes.
//
// The server, PostgreSQL with the stand-ins, and the bare server are processes of their own: this program starts itself
// with a role as its argument. So their memory and CPU time can be read from /proc; hence it needs Linux.
package main
