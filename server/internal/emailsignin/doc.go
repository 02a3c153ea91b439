// Package emailsignin sends the codes of sign-ins by email. It queues each email in the transaction that stores the
// sign-in, and writes it when it is sent, unless the code has expired or was used by then. The rules are in package
// core and session, the rows in package postgres.
//
//	store.go   the store of sign-ins that queues their emails
//	email.go   the River job that sends an email
//	words.go   what the emails say, in portuguese.go, brazilian.go and english.go
package emailsignin
