// Package compat is for programs that were written for other notification servers. Each of its packages speaks the
// protocol of one of them, and turns a request into calls of the API in the same process: what may be published, by
// whom, how often, and what is recorded of it is the same through every door.
//
// A credential is sent in each request, never in a cookie, so no page of another site can publish in somebody's name.
package compat
