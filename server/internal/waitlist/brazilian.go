package waitlist

import (
	"fmt"

	"github.com/sininho/sininho/server/internal/emails"
)

// brazilian is the Portuguese of Brazil.
type brazilian struct{}

func (brazilian) confirmation() emails.Draft {
	return emails.Draft{
		Subject: "Confirme o seu endereço na lista de espera do Sininho",
		Paragraphs: []string{
			"Falta um passo para você entrar na lista de espera do Sininho: confirme que este endereço é seu."},
		Action: "Confirmar o endereço",
		Foot: "Se não foi você que se inscreveu, ignore este e-mail: um endereço não confirmado é excluído depois " +
			"de 30 dias.",
		Leave: "Sair da lista",
	}
}

func (brazilian) position(place, waiting int64) emails.Draft {
	return emails.Draft{
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

func (brazilian) invitation() emails.Draft {
	return emails.Draft{
		Subject: "O seu convite para o Sininho",
		Paragraphs: []string{"Chegou a sua vez: você já pode entrar no Sininho.",
			"Entre com a conta que preferir. O convite vale para uma pessoa."},
		Action: "Aceitar o convite",
		Foot:   "Se não quiser, você não precisa fazer nada.",
		Leave:  "Sair da lista",
	}
}

func (brazilian) account() emails.Draft {
	return emails.Draft{
		Subject: "Você já tem uma conta no Sininho",
		Paragraphs: []string{"Este endereço foi informado na página da lista de espera, mas você não precisa " +
			"esperar: já tem uma conta."},
		Action: "Entrar",
		Foot:   "Se não foi você que o informou, não precisa fazer nada.",
	}
}
