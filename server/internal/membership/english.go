package membership

import (
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/emails"
)

type english struct{}

func (english) invitation(slug string, role core.Role, expiry time.Time) emails.Draft {
	rights := "If you accept, you can publish to the channels of “" + slug + "” and manage them."
	if role == core.RoleOwner {
		rights = "If you accept, you become an owner of “" + slug +
			"”: you can publish, manage the channels and decide who else takes part."
	}
	return emails.Draft{
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
