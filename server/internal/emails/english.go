package emails

import (
	"fmt"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

type english struct{}

func (english) signIn(code string) draft {
	return draft{
		Subject: code + " is your Sininho code",
		Paragraphs: []string{"This is your code to sign in to Sininho.",
			"Enter it on the page where you asked for it, or follow the link in that browser. " +
				"It works once, for 15 minutes."},
		Action: "Sign in to Sininho",
		Foot: "If you did not ask for it, ignore this email and do not give the code to anyone: " +
			"it gives access to your account.",
	}
}

func (english) addAddress(code string) draft {
	return draft{
		Subject: code + " confirms your address on Sininho",
		Paragraphs: []string{"This is your code to add this address to your account on Sininho.",
			"Enter it on the page where you asked for it, or follow the link in that browser. " +
				"It works once, for 15 minutes."},
		Action: "Confirm the address",
		Foot:   "If you did not ask for it, ignore this email and do not give the code to anyone.",
	}
}

func (english) membership(slug string, role core.Role, expiry time.Time) draft {
	rights := "If you accept, you can publish to the channels of “" + slug + "” and manage them."
	if role == core.RoleOwner {
		rights = "If you accept, you become an owner of “" + slug +
			"”: you can publish, manage the channels and decide who else takes part."
	}
	return draft{
		Subject: "Invitation to join “" + slug + "” on Sininho",
		Paragraphs: []string{"Someone has invited this address to join “" + slug + "” on Sininho.",
			rights,
			"Sign in with the account of this address to see who is inviting you, and accept or decline. " +
				"The invitation expires on " + expiry.Format("2 January 2006") + "."},
		Action: "See the invitation",
		Foot: "If you do not know the person who is inviting you, decline the invitation or ignore this email. " +
			"After declining, you get no more emails from “" + slug + "”.",
	}
}

func (english) channelInvitation(address string, approval bool, expiry time.Time) draft {
	what := "If you accept, you follow the channel, and its publisher sees your name."
	if approval {
		what = "If you accept, you ask to join, and the channel's publisher sees your name."
	}
	return draft{
		Subject: "Invitation to the channel “" + address + "” on Sininho",
		Paragraphs: []string{
			"Someone has invited this address to follow the private channel “" + address + "” on Sininho.",
			what, "The invitation expires on " + expiry.Format("2 January 2006") + "."},
		Action: "See the invitation",
		Foot:   "If you do not know the person who is inviting you, ignore this email.",
	}
}

func (english) publisherRequest(slug string, approved bool, answer string) draft {
	d := draft{
		Subject: "Your request to publish on Sininho was approved",
		Paragraphs: []string{"You can now publish on Sininho as “" + slug + "”.",
			"What is left is to create your first channel, which takes a minute."},
		Action: "Create a channel",
		Foot:   "You get this email because you asked to publish on Sininho.",
	}
	if approved {
		return d
	}
	d.Subject, d.Action = "The answer to your request to publish on Sininho", "See the request"
	d.Paragraphs = []string{"The people who run Sininho did not approve your request to publish as “" + slug + "”."}
	if answer != "" {
		d.Paragraphs = append(d.Paragraphs, "Their answer: “"+answer+"”")
	}
	return d
}

func (english) confirmation() draft {
	return draft{
		Subject: "Confirm your address for Sininho's waiting list",
		Paragraphs: []string{
			"One step is left to join Sininho's waiting list: confirm that this address is yours."},
		Action: "Confirm the address",
		Foot: "If it was not you who joined, ignore this email: an address that is not confirmed is deleted after " +
			"30 days.",
		Leave: "Leave the list",
	}
}

func (english) position(place, waiting int64) draft {
	return draft{
		Subject: fmt.Sprintf("Your place on Sininho's waiting list: %d", place),
		Paragraphs: []string{
			fmt.Sprintf("You are already on Sininho's waiting list, at place %d of %d.", place, waiting)},
		Action: "See my place",
		Shared: "Everyone who joins by your link moves you up:",
		Foot:   "You get this email because your address was entered again on the page of the waiting list.",
		Leave:  "Leave the list",
	}
}

func (english) invitation() draft {
	return draft{
		Subject: "Your invitation to Sininho",
		Paragraphs: []string{"It is your turn: you can now sign in to Sininho.",
			"Sign in with whichever account you like. The invitation is good for one person."},
		Action: "Accept the invitation",
		Foot:   "If you do not want to, you need not do anything.",
		Leave:  "Leave the list",
	}
}

func (english) account() draft {
	return draft{
		Subject: "You already have an account on Sininho",
		Paragraphs: []string{"This address was entered on the page of the waiting list, but you need not wait: " +
			"you already have an account."},
		Action: "Sign in",
		Foot:   "If it was not you, you need not do anything.",
	}
}
