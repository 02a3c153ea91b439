package webui

// english is English, for readers of any country.
var english = texts{
	locale:  "en_US",
	general: head{Description: "Follow what matters. Get it instantly."},
	fixed: map[kind]head{
		landing: {Title: "Follow what matters. Get it instantly.",
			Description: "The channels you choose, in one place and on all your devices. No algorithm: only what " +
				"you decided to follow."},
		discovery: {Title: "Channels",
			Description: "Find channels by name, subject or category, and follow those that interest you."},
		demonstration: {Title: "Demo",
			Description: "Write a notification and watch it arrive, instantly. Anyone here can see it, for an hour."},
		guide: {Title: "How to publish",
			Description: "A school tells the parents, a choir moves a rehearsal, a shop closes early. " +
				"All in the browser, on a phone or a computer, with nothing to install."},
		privacy: {Title: "Privacy", Description: "How the data of those who use this Sininho is treated."},
		terms:   {Title: "Terms of use", Description: "What applies to those who use this Sininho."},
		joining: {Title: "Invitation to a private channel",
			Description: "Open the invitation to see the channel before you join."},
		signIn: {Title: "Sign in to Sininho",
			Description: "To follow channels and get their notifications on all your devices."},
	},
	nothing: head{Title: "Not Found",
		Description: "It may have been deleted, or the address may be mistyped."},
	lost: head{Title: "Are you lost?",
		Description: "The page you’re looking for doesn’t exist. The address may be mistyped, or the page may " +
			"have moved."},
	channel:      "What %s publishes in %s.",
	publisher:    "The channels of %s.",
	notification: "Published in %s, by %s.",
}
