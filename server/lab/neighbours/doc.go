// Package neighbours shows that one account cannot delay what belongs to others. Each test runs a server with its
// default limits, a reader with a device, a stream and a feed, and a hostile account that uses one feature as hard as
// it may. The reader is measured while nothing else happens and then beside the attack. A test fails when anything of
// the reader's takes longer than two seconds, or than three times as long as before, whichever is more.
//
//	neighbourhood_test.go  the server, the people on it, and the tools of the hostile account
//	reader_test.go         what the reader does, and how long it takes
//	attack_test.go         runs an attack beside the reader, and compares
//	push_test.go           attacks by devices, push services and notifications
//	bytes_test.go          attacks by long texts, streams that nobody reads, searches and writes
//	streams_test.go        attacks by many streams
//	door_test.go           attacks by webhooks, event endpoints, pictures, exports and emails
//
// `make test-neighbours` runs all of them. Other runs leave out the tests that call long. There is only test code here.
package neighbours
