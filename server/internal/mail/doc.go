// Package mail sends the waiting list's e-mails by SMTP. It knows nothing of what they say, and keeps none.
package mail
