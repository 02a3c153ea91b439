package mail

import (
	"errors"

	"github.com/sininho/sininho/server/internal/core"
)

// Message is an email as it is sent.
type Message struct {
	ID          core.ID // the same whenever the email is sent again
	To          string
	Subject     string
	Text, HTML  string
	Unsubscribe string // the address of the page to unsubscribe on, or empty
}

// ErrRefused means that the mail server refused a message permanently.
var ErrRefused = errors.New("the mail server refused the message permanently")
