package core

// pushText holds the words of pushes in one language.
type pushText struct {
	test  string // of the push by which a person tests a device
	rings string // the title of the first push to a device
	title string // of a summary of a number of notifications
	more  string // the end of a summary that lists not all

	digest      string // the title of a digest of a number of notifications, which is a text
	digestOfOne string
	channels    string // the end of a digest that names not all channels

	unused, unusedBody string // of the word before an anonymous subscriber is deleted
}

var pushTexts = Translate(
	pushText{"As notificações chegam a este dispositivo.", "Pronto: este dispositivo toca", "%d novas notificações",
		"e mais %d", "Resumo: %s notificações", "Resumo: 1 notificação", "e mais %d canais",
		"Ainda quer receber?", "Abra o Sininho para manter os canais que segue neste navegador. " +
			"Sem uso, são apagados dentro de uma semana."},
	pushText{"As notificações estão chegando a este dispositivo.", "Pronto: este dispositivo toca",
		"%d novas notificações", "e mais %d", "Resumo: %s notificações", "Resumo: 1 notificação", "e mais %d canais",
		"Ainda quer receber?",
		"Abra o Sininho para manter os canais que você segue neste navegador. " +
			"Sem uso, eles são apagados em uma semana."},
	pushText{"Notifications reach this device.", "Done: this device rings", "%d new notifications", "and %d more",
		"Digest: %s notifications", "Digest: 1 notification", "and %d more channels",
		"Do you still want this?", "Open Sininho to keep the channels that you follow in this browser. " +
			"Without use, they are deleted in a week."},
)
