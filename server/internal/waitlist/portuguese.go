package waitlist

import (
	"fmt"

	"github.com/sininho/sininho/server/internal/emails"
)

// portuguese is that of Portugal.
type portuguese struct{}

func (portuguese) confirmation() emails.Draft {
	return emails.Draft{
		Subject: "Confirme o seu endereço na lista de espera do Sininho",
		Paragraphs: []string{
			"Falta um passo para entrar na lista de espera do Sininho: confirme que este endereço é seu."},
		Action: "Confirmar o endereço",
		Foot: "Se não se inscreveu, ignore este e-mail: um endereço que não é confirmado é apagado ao fim de " +
			"30 dias.",
		Leave: "Sair da lista",
	}
}

func (portuguese) position(place, waiting int64) emails.Draft {
	return emails.Draft{
		Subject: fmt.Sprintf("O seu lugar na lista de espera do Sininho: %d.º", place),
		Paragraphs: []string{
			fmt.Sprintf("Já está na lista de espera do Sininho, em %d.º lugar de %d.", place, waiting)},
		Action: "Ver o meu lugar",
		Shared: "Quem entrar pelo seu link faz com que avance:",
		Foot:   "Recebe este e-mail porque o seu endereço voltou a ser indicado na página da lista de espera.",
		Leave:  "Sair da lista",
	}
}

func (portuguese) invitation() emails.Draft {
	return emails.Draft{
		Subject: "O seu convite para o Sininho",
		Paragraphs: []string{"Chegou a sua vez: já pode entrar no Sininho.",
			"Entre com a conta que preferir. O convite serve para uma pessoa."},
		Action: "Aceitar o convite",
		Foot:   "Se não quiser, não precisa de fazer nada.",
		Leave:  "Sair da lista",
	}
}

func (portuguese) account() emails.Draft {
	return emails.Draft{
		Subject: "Já tem conta no Sininho",
		Paragraphs: []string{
			"Este endereço foi indicado na página da lista de espera, mas não precisa de esperar: já tem conta."},
		Action: "Entrar",
		Foot:   "Se não o indicou, não precisa de fazer nada.",
	}
}
