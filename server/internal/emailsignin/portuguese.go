package emailsignin

import "github.com/sininho/sininho/server/internal/emails"

// portuguese is that of Portugal.
type portuguese struct{}

func (portuguese) signIn(code string) emails.Draft {
	return emails.Draft{
		Subject: code + " é o seu código do Sininho",
		Paragraphs: []string{"Este é o seu código para entrar no Sininho.",
			"Escreva-o na página onde o pediu, ou siga o link nesse navegador. Serve uma vez, durante 15 minutos."},
		Action: "Entrar no Sininho",
		Foot:   "Se não o pediu, ignore este e-mail e não dê o código a ninguém: dá acesso à sua conta.",
	}
}

func (portuguese) addAddress(code string) emails.Draft {
	return emails.Draft{
		Subject: code + " confirma o seu endereço no Sininho",
		Paragraphs: []string{"Este é o seu código para adicionar este endereço à sua conta no Sininho.",
			"Escreva-o na página onde o pediu, ou siga o link nesse navegador. Serve uma vez, durante 15 minutos."},
		Action: "Confirmar o endereço",
		Foot:   "Se não o pediu, ignore este e-mail e não dê o código a ninguém.",
	}
}
