// Package guard keeps strangers and faults from taking a node away from everybody else.
//
//	transport.go  HTTP to addresses that strangers choose, which leads to none inside the network
//	local.go      what listens on loopback, against pages on the web
//	door.go       how many connections a network may have, and who makes room
//	listener.go   connections, from when they are accepted until they are closed
//	watch.go      which connections wait for a request
//	shares.go     parts of what there is little of, such as memory and connections to the database
//	room.go       memory for large pages
//	run.go        steps in the background, whose panics do not end the process
package guard
