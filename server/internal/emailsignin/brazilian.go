package emailsignin

import "github.com/sininho/sininho/server/internal/emails"

// brazilian is the Portuguese of Brazil.
type brazilian struct{}

func (brazilian) signIn(code string) emails.Draft {
	return emails.Draft{
		Subject: code + " é o seu código do Sininho",
		Paragraphs: []string{"Este é o seu código para entrar no Sininho.",
			"Digite-o na página em que você o pediu ou siga o link nesse navegador. Ele vale uma vez, por 15 minutos."},
		Action: "Entrar no Sininho",
		Foot: "Se não foi você que o pediu, ignore este e-mail e não passe o código a ninguém: ele dá acesso à sua " +
			"conta.",
	}
}

func (brazilian) addAddress(code string) emails.Draft {
	return emails.Draft{
		Subject: code + " confirma o seu endereço no Sininho",
		Paragraphs: []string{"Este é o seu código para adicionar este endereço à sua conta no Sininho.",
			"Digite-o na página em que você o pediu ou siga o link nesse navegador. Ele vale uma vez, por 15 minutos."},
		Action: "Confirmar o endereço",
		Foot:   "Se não foi você que o pediu, ignore este e-mail e não passe o código a ninguém.",
	}
}
