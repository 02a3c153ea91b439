package emails

import (
	"fmt"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// portuguese is that of Portugal.
type portuguese struct{}

func (portuguese) signIn(code string) draft {
	return draft{
		Subject: code + " é o seu código do Sininho",
		Paragraphs: []string{"Este é o seu código para entrar no Sininho.",
			"Escreva-o na página onde o pediu, ou siga o link nesse navegador. Serve uma vez, durante 15 minutos."},
		Action: "Entrar no Sininho",
		Foot:   "Se não o pediu, ignore este e-mail e não dê o código a ninguém: dá acesso à sua conta.",
	}
}

func (portuguese) addAddress(code string) draft {
	return draft{
		Subject: code + " confirma o seu endereço no Sininho",
		Paragraphs: []string{"Este é o seu código para adicionar este endereço à sua conta no Sininho.",
			"Escreva-o na página onde o pediu, ou siga o link nesse navegador. Serve uma vez, durante 15 minutos."},
		Action: "Confirmar o endereço",
		Foot:   "Se não o pediu, ignore este e-mail e não dê o código a ninguém.",
	}
}

func (portuguese) membership(slug string, role core.Role, expiry time.Time) draft {
	rights := "Se aceitar, pode publicar nos canais de «" + slug + "» e geri-los."
	if role == core.RoleOwner {
		rights = "Se aceitar, passa a ser responsável por «" + slug +
			"»: pode publicar, gerir os canais e decidir quem mais participa."
	}
	return draft{
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

func (portuguese) channelInvitation(address string, approval bool, expiry time.Time) draft {
	what := "Se aceitar, segue o canal, e quem o publica vê o seu nome."
	if approval {
		what = "Se aceitar, pede para entrar, e quem publica o canal vê o seu nome."
	}
	return draft{
		Subject: "Convite para o canal «" + address + "» no Sininho",
		Paragraphs: []string{"Alguém convidou este endereço a seguir o canal privado «" + address + "» no Sininho.",
			what, "O convite expira em " + expiry.Format("02/01/2006") + "."},
		Action: "Ver o convite",
		Foot:   "Se não conhece quem convida, ignore este e-mail.",
	}
}

func (portuguese) publisherRequest(slug string, approved bool, answer string) draft {
	d := draft{
		Subject: "O seu pedido para publicar no Sininho foi aceite",
		Paragraphs: []string{"Já pode publicar no Sininho como «" + slug + "».",
			"Falta criar o primeiro canal: demora um minuto."},
		Action: "Criar um canal",
		Foot:   "Recebe este e-mail porque pediu para publicar no Sininho.",
	}
	if approved {
		return d
	}
	d.Subject, d.Action = "A resposta ao seu pedido para publicar no Sininho", "Ver o pedido"
	d.Paragraphs = []string{"Quem gere o Sininho não aceitou o seu pedido para publicar como «" + slug + "»."}
	if answer != "" {
		d.Paragraphs = append(d.Paragraphs, "A resposta: «"+answer+"»")
	}
	return d
}

func (portuguese) confirmation() draft {
	return draft{
		Subject: "Confirme o seu endereço na lista de espera do Sininho",
		Paragraphs: []string{
			"Falta um passo para entrar na lista de espera do Sininho: confirme que este endereço é seu."},
		Action: "Confirmar o endereço",
		Foot: "Se não se inscreveu, ignore este e-mail: um endereço que não é confirmado é apagado ao fim de " +
			"30 dias.",
		Leave: "Sair da lista",
	}
}

func (portuguese) position(place, waiting int64) draft {
	return draft{
		Subject: fmt.Sprintf("O seu lugar na lista de espera do Sininho: %d.º", place),
		Paragraphs: []string{
			fmt.Sprintf("Já está na lista de espera do Sininho, em %d.º lugar de %d.", place, waiting)},
		Action: "Ver o meu lugar",
		Shared: "Quem entrar pelo seu link faz com que avance:",
		Foot:   "Recebe este e-mail porque o seu endereço voltou a ser indicado na página da lista de espera.",
		Leave:  "Sair da lista",
	}
}

func (portuguese) invitation() draft {
	return draft{
		Subject: "O seu convite para o Sininho",
		Paragraphs: []string{"Chegou a sua vez: já pode entrar no Sininho.",
			"Entre com a conta que preferir. O convite serve para uma pessoa."},
		Action: "Aceitar o convite",
		Foot:   "Se não quiser, não precisa de fazer nada.",
		Leave:  "Sair da lista",
	}
}

func (portuguese) account() draft {
	return draft{
		Subject: "Já tem conta no Sininho",
		Paragraphs: []string{
			"Este endereço foi indicado na página da lista de espera, mas não precisa de esperar: já tem conta."},
		Action: "Entrar",
		Foot:   "Se não o indicou, não precisa de fazer nada.",
	}
}
