// Package mail renders emails in one form and sends them by SMTP, also as River jobs that are tried again. It knows
// nothing about their content and stores none of them.
package mail
