package waitlist

import (
	"fmt"

	"github.com/sininho/sininho/server/internal/emails"
)

type english struct{}

func (english) confirmation() emails.Draft {
	return emails.Draft{
		Subject: "Confirm your address for Sininho's waiting list",
		Paragraphs: []string{
			"One step is left to join Sininho's waiting list: confirm that this address is yours."},
		Action: "Confirm the address",
		Foot: "If it was not you who joined, ignore this email: an address that is not confirmed is deleted after " +
			"30 days.",
		Leave: "Leave the list",
	}
}

func (english) position(place, waiting int64) emails.Draft {
	return emails.Draft{
		Subject: fmt.Sprintf("Your place on Sininho's waiting list: %d", place),
		Paragraphs: []string{
			fmt.Sprintf("You are already on Sininho's waiting list, at place %d of %d.", place, waiting)},
		Action: "See my place",
		Shared: "Everyone who joins by your link moves you up:",
		Foot:   "You get this email because your address was entered again on the page of the waiting list.",
		Leave:  "Leave the list",
	}
}

func (english) invitation() emails.Draft {
	return emails.Draft{
		Subject: "Your invitation to Sininho",
		Paragraphs: []string{"It is your turn: you can now sign in to Sininho.",
			"Sign in with whichever account you like. The invitation is good for one person."},
		Action: "Accept the invitation",
		Foot:   "If you do not want to, you need not do anything.",
		Leave:  "Leave the list",
	}
}

func (english) account() emails.Draft {
	return emails.Draft{
		Subject: "You already have an account on Sininho",
		Paragraphs: []string{"This address was entered on the page of the waiting list, but you need not wait: " +
			"you already have an account."},
		Action: "Sign in",
		Foot:   "If it was not you, you need not do anything.",
	}
}
