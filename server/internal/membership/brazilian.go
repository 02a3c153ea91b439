package membership

import (
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/emails"
)

// brazilian is the Portuguese of Brazil.
type brazilian struct{}

func (brazilian) invitation(slug string, role core.Role, expiry time.Time) emails.Draft {
	rights := "Se você aceitar, poderá publicar nos canais de “" + slug + "” e gerenciá-los."
	if role == core.RoleOwner {
		rights = "Se você aceitar, será responsável por “" + slug +
			"”: poderá publicar, gerenciar os canais e decidir quem mais participa."
	}
	return emails.Draft{
		Subject: "Convite para participar de “" + slug + "” no Sininho",
		Paragraphs: []string{"Alguém convidou este endereço para participar de “" + slug + "” no Sininho.",
			rights,
			"Entre com a conta deste endereço para ver quem está convidando e aceitar ou recusar. " +
				"O convite expira em " + expiry.Format("02/01/2006") + "."},
		Action: "Ver o convite",
		Foot: "Se você não conhece quem está convidando, recuse o convite ou ignore este e-mail. Depois de recusar, " +
			"você não receberá mais e-mails de “" + slug + "”.",
	}
}
