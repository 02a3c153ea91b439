// Package feeds serves what channels and publishers publish, and what a person follows, as Atom and JSON Feed, for
// feed readers and other programs.
//
//	handler.go   the addresses, limits, and which responses readers may keep
//	etag.go      whether a reader has the current version
//	document.go  what a feed shows, whatever its format
//	atom.go      Atom (RFC 4287)
//	json.go      JSON Feed 1.1
//
// The feed of a channel or publisher has what anyone may see of it. That of a person is at an address that is a secret,
// and has private channels too. A reader that asks again is told that nothing has changed without any notification
// being read. A feed has no state of its own: a correction is its notification with another time and the same id, and
// what was withdrawn is gone.
package feeds
