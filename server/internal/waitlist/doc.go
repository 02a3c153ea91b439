// Package waitlist holds the rules of the waiting list: who waits and in which order, whom an invitation lets in, and what
// the e-mails say.
//
// It imports neither web nor SQL nor SMTP: package postgres is its [Store], package mail its [Sender], and package dispatch
// carries its letters from the one to the other.
package waitlist
