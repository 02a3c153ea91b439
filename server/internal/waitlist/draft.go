package waitlist

import (
	"strconv"
	"strings"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/mail"
)

// language returns a function that chooses the text for a locale: English for English, Portuguese for all others.
func language(locale string) (name string, in func(en, pt string) string) {
	if strings.HasPrefix(strings.ToLower(locale), "en") {
		return "en", func(en, _ string) string { return en }
	}
	return "pt", func(_, pt string) string { return pt }
}

// draft returns the email that the status of an entry calls for.
func (s *Emails) draft(e Entry, waiting int64) mail.Draft {
	if e.Status == Joined {
		return s.account(e.Locale)
	}
	locale, in := language(e.Locale)
	token := s.tokens.entry(e.ID)
	d := mail.Draft{Locale: locale, LeaveURL: s.links.leave(token), Leave: in("Leave the list", "Sair da lista")}
	switch e.Status {
	case Unconfirmed:
		s.confirmation(&d, in, token)
	case Waiting:
		s.position(&d, in, token, e, waiting)
	default:
		s.invitation(&d, in, e.ID)
	}
	return d
}

func (s *Emails) confirmation(d *mail.Draft, in func(en, pt string) string, token string) {
	d.Subject = in("Confirm your address for Sininho's waiting list",
		"Confirme o seu endereço na lista de espera do Sininho")
	d.Paragraphs = []string{in("One step is left to be on Sininho's waiting list: confirm that this address is yours.",
		"Falta um passo para entrar na lista de espera do Sininho: confirme que este endereço é seu.")}
	d.Action, d.URL = in("Confirm the address", "Confirmar o endereço"), s.links.entry(token)
	d.Foot = in("If it was not you who joined, ignore this e-mail: "+
		"an address that is not confirmed is deleted after 30 days.",
		"Se não foi você que se inscreveu, ignore este e-mail: "+
			"um endereço que não é confirmado é apagado ao fim de 30 dias.")
}

func (s *Emails) position(d *mail.Draft, in func(en, pt string) string, token string, e Entry, waiting int64) {
	place, all := strconv.FormatInt(e.Position, 10), strconv.FormatInt(waiting, 10)
	d.Subject = in("Your place on Sininho's waiting list: "+place,
		"O seu lugar na lista de espera do Sininho: "+place+".º")
	d.Paragraphs = []string{in("You are on Sininho's waiting list already, at place "+place+" of "+all+".",
		"Já está na lista de espera do Sininho, em "+place+".º lugar de "+all+".")}
	d.Action, d.URL = in("See my place", "Ver o meu lugar"), s.links.entry(token)
	d.Share = s.links.referral(e.ReferralCode)
	d.Shared = in("Whoever joins by your link moves you up:",
		"Quem entrar pela sua ligação faz com que avance:")
	d.Foot = in("You get this e-mail because your address was entered again on the page of the waiting list.",
		"Recebe este e-mail porque o seu endereço voltou a ser indicado na página da lista de espera.")
}

func (s *Emails) invitation(d *mail.Draft, in func(en, pt string) string, id core.ID) {
	d.Subject = in("Your invitation to Sininho", "O seu convite para o Sininho")
	d.Paragraphs = []string{in("It is your turn: you may sign in to Sininho.",
		"Chegou a sua vez: já pode entrar no Sininho."),
		in("Sign in with whichever account you like. The invitation is good for one person.",
			"Entre com a conta que preferir. O convite serve para uma pessoa.")}
	d.Action, d.URL = in("Accept the invitation", "Aceitar o convite"), s.links.invitation(s.tokens.invitation(id))
	d.Foot = in("If you do not want to, you need not do anything.", "Se não quiser, não precisa de fazer nada.")
}

// account informs a person with an account that they need not wait.
func (s *Emails) account(locale string) mail.Draft {
	name, in := language(locale)
	return mail.Draft{Locale: name, Subject: in("You already have an account at Sininho", "Já tem conta no Sininho"),
		Paragraphs: []string{in("This address was entered on the page of the waiting list, but you need not wait: "+
			"you already have an account.",
			"Este endereço foi indicado na página da lista de espera, mas não precisa de esperar: já tem conta.")},
		Action: in("Sign in", "Entrar"), URL: s.links.login(),
		Foot: in("If it was not you, you need not do anything.", "Se não foi você, não precisa de fazer nada.")}
}
