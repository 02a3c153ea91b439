package membership

import (
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/emails"
)

// portuguese is that of Portugal.
type portuguese struct{}

func (portuguese) invitation(slug string, role core.Role, expiry time.Time) emails.Draft {
	rights := "Se aceitar, pode publicar nos canais de «" + slug + "» e geri-los."
	if role == core.RoleOwner {
		rights = "Se aceitar, passa a ser responsável por «" + slug +
			"»: pode publicar, gerir os canais e decidir quem mais participa."
	}
	return emails.Draft{
		Subject: "Convite para participar em «" + slug + "» no Sininho",
		Paragraphs: []string{"Alguém convidou este endereço a participar em «" + slug + "» no Sininho.",
			rights,
			"Entre com a conta deste endereço para ver quem convida, e aceitar ou recusar. O convite expira em " +
				expiry.Format("02/01/2006") + "."},
		Action: "Ver o convite",
		Foot: "Se não conhece quem convida, recuse o convite ou ignore este e-mail. Depois de o recusar, não recebe " +
			"mais e-mails de «" + slug + "».",
	}
}
