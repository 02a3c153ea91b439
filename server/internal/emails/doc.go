// Package emails writes all emails and sends them. An email is queued in the transaction that calls for it, so that
// neither exists without the other, and holds no address and no text: these are looked up when it is sent, unless what
// it would say is no longer true by then. Who gets an email, and how many, is decided in packages core and waitlist.
//
//	email.go       the kinds of email, and how one is queued
//	sender.go      how each kind is written, and the way of all to the mail server
//	code.go        the codes to sign in with
//	membership.go  invitations to become a member of a publisher
//	waitlist.go    emails to the waiting list
//	words.go       what the emails say, in portuguese.go, brazilian.go and english.go
//	draft.go       the form of all emails
//	face.go        the name and picture above the text
//	budget.go      what is left of the budget for other emails than codes
//	worker.go      the River job that sends an email, and when it is tried again
//	store.go       the store that queues emails
package emails
