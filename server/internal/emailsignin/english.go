package emailsignin

import "github.com/sininho/sininho/server/internal/emails"

type english struct{}

func (english) signIn(code string) emails.Draft {
	return emails.Draft{
		Subject: code + " is your Sininho code",
		Paragraphs: []string{"This is your code to sign in to Sininho.",
			"Enter it on the page where you asked for it, or follow the link in that browser. " +
				"It works once, for 15 minutes."},
		Action: "Sign in to Sininho",
		Foot: "If you did not ask for it, ignore this email and do not give the code to anyone: " +
			"it gives access to your account.",
	}
}

func (english) addAddress(code string) emails.Draft {
	return emails.Draft{
		Subject: code + " confirms your address on Sininho",
		Paragraphs: []string{"This is your code to add this address to your account on Sininho.",
			"Enter it on the page where you asked for it, or follow the link in that browser. " +
				"It works once, for 15 minutes."},
		Action: "Confirm the address",
		Foot:   "If you did not ask for it, ignore this email and do not give the code to anyone.",
	}
}
