// Package mailbox is a stand-in for a mail server: it takes every e-mail by SMTP and keeps it in memory, to be read on a
// page or as JSON.
package mailbox
