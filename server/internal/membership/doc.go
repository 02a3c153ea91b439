// Package membership sends the emails of membership invitations. It queues each email in the transaction that stores
// the invitation, so that neither exists without the other, and writes it when it is sent, unless the invitation has
// ended by then. The rules of invitations are in package core, their rows in package postgres.
//
//	store.go   the store of invitations that queues their emails
//	email.go   the River job that sends an email
//	words.go   what the emails say, in portuguese.go, brazilian.go and english.go
package membership
