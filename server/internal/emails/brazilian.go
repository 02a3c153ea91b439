package emails

import (
	"fmt"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// brazilian is the Portuguese of Brazil.
type brazilian struct{}

func (brazilian) signIn(code string) draft {
	return draft{
		Subject: code + " é o seu código do Sininho",
		Paragraphs: []string{"Este é o seu código para entrar no Sininho.",
			"Digite-o na página em que você o pediu ou siga o link nesse navegador. Ele vale uma vez, por 15 minutos."},
		Action: "Entrar no Sininho",
		Foot: "Se não foi você que o pediu, ignore este e-mail e não passe o código a ninguém: ele dá acesso à sua " +
			"conta.",
	}
}

func (brazilian) addAddress(code string) draft {
	return draft{
		Subject: code + " confirma o seu endereço no Sininho",
		Paragraphs: []string{"Este é o seu código para adicionar este endereço à sua conta no Sininho.",
			"Digite-o na página em que você o pediu ou siga o link nesse navegador. Ele vale uma vez, por 15 minutos."},
		Action: "Confirmar o endereço",
		Foot:   "Se não foi você que o pediu, ignore este e-mail e não passe o código a ninguém.",
	}
}

func (brazilian) membership(slug string, role core.Role, expiry time.Time) draft {
	rights := "Se você aceitar, poderá publicar nos canais de “" + slug + "” e gerenciá-los."
	if role == core.RoleOwner {
		rights = "Se você aceitar, será responsável por “" + slug +
			"”: poderá publicar, gerenciar os canais e decidir quem mais participa."
	}
	return draft{
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

func (brazilian) channelInvitation(address string, approval bool, expiry time.Time) draft {
	what := "Se você aceitar, seguirá o canal, e quem o publica verá o seu nome."
	if approval {
		what = "Se você aceitar, pedirá para entrar, e quem publica o canal verá o seu nome."
	}
	return draft{
		Subject: "Convite para o canal “" + address + "” no Sininho",
		Paragraphs: []string{"Alguém convidou este endereço para seguir o canal privado “" + address + "” no Sininho.",
			what, "O convite expira em " + expiry.Format("02/01/2006") + "."},
		Action: "Ver o convite",
		Foot:   "Se você não conhece quem está convidando, ignore este e-mail.",
	}
}

func (brazilian) publisherRequest(slug string, approved bool, answer string) draft {
	d := draft{
		Subject: "Seu pedido para publicar no Sininho foi aceito",
		Paragraphs: []string{"Você já pode publicar no Sininho como “" + slug + "”.",
			"Falta criar o primeiro canal: leva um minuto."},
		Action: "Criar um canal",
		Foot:   "Você recebe este e-mail porque pediu para publicar no Sininho.",
	}
	if approved {
		return d
	}
	d.Subject, d.Action = "A resposta ao seu pedido para publicar no Sininho", "Ver o pedido"
	d.Paragraphs = []string{"Quem administra o Sininho não aceitou seu pedido para publicar como “" + slug + "”."}
	if answer != "" {
		d.Paragraphs = append(d.Paragraphs, "A resposta: “"+answer+"”")
	}
	return d
}

func (brazilian) confirmation() draft {
	return draft{
		Subject: "Confirme o seu endereço na lista de espera do Sininho",
		Paragraphs: []string{
			"Falta um passo para você entrar na lista de espera do Sininho: confirme que este endereço é seu."},
		Action: "Confirmar o endereço",
		Foot: "Se não foi você que se inscreveu, ignore este e-mail: um endereço não confirmado é excluído depois " +
			"de 30 dias.",
		Leave: "Sair da lista",
	}
}

func (brazilian) position(place, waiting int64) draft {
	return draft{
		Subject: fmt.Sprintf("O seu lugar na lista de espera do Sininho: %dº", place),
		Paragraphs: []string{
			fmt.Sprintf("Você já está na lista de espera do Sininho, em %dº lugar de %d.", place, waiting)},
		Action: "Ver o meu lugar",
		Shared: "Quem entrar pelo seu link faz você avançar:",
		Foot: "Você está recebendo este e-mail porque o seu endereço foi informado novamente na página da lista de " +
			"espera.",
		Leave: "Sair da lista",
	}
}

func (brazilian) invitation() draft {
	return draft{
		Subject: "O seu convite para o Sininho",
		Paragraphs: []string{"Chegou a sua vez: você já pode entrar no Sininho.",
			"Entre com a conta que preferir. O convite vale para uma pessoa."},
		Action: "Aceitar o convite",
		Foot:   "Se não quiser, você não precisa fazer nada.",
		Leave:  "Sair da lista",
	}
}

func (brazilian) account() draft {
	return draft{
		Subject: "Você já tem uma conta no Sininho",
		Paragraphs: []string{"Este endereço foi informado na página da lista de espera, mas você não precisa " +
			"esperar: já tem uma conta."},
		Action: "Entrar",
		Foot:   "Se não foi você que o informou, não precisa fazer nada.",
	}
}
