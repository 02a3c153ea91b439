// Package mailbox is a stand-in for a mail server: it accepts every email by SMTP and keeps it in memory, to be read on
// its page or as JSON.
package mailbox
