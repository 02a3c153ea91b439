// Package waitlist is the waiting list, whole: people join, confirm their address, see their place, move up by
// bringing others, and leave; operators list, export and invite.
//
//	waitlist.go       the rules: who may do what, and what happens
//	entry.go          an entry and its status
//	input.go          what callers send, and its validation
//	tokens.go         the secrets of emailed links
//	links.go          the addresses that emails lead to
//	joining.go        the River job that adds a person
//	store.go          the rows; joining, confirming and leaving
//	mailbox.go        the mailbox behind an address, which counts once as a referral
//	list.go           the list in its order
//	invitation.go     inviting
//	email.go          what the emails to people on the list are about
//	prune.go          the River job that deletes what is no longer needed
//	api.go            the handlers of openapi/waitlist.yaml
//	export.go         the list as CSV
//
// Package httpapi mounts the handlers, and identifies, limits and validates their requests as all others. Package
// emails writes and sends the emails. Signing up by an invitation is part of signing in, in package postgres.
package waitlist
