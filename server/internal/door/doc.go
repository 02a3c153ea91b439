// Package door bounds how many connections clients have open, so that one network does not take the memory and the file
// descriptors of all.
//
//	door.go      what each network may have, and who makes room
//	listener.go  connections, from when they are accepted until they are closed
//	watch.go     which connections wait for a request
package door
