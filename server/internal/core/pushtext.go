package core

// pushText holds the words of pushes in one language.
type pushText struct {
	test  string // of the push by which a person tests a device
	rings string // the title of the first push to a device
	title string // of a summary of a number of notifications
	more  string // the end of a summary that lists not all
}

var pushTexts = Translate(
	pushText{"As notificações chegam a este dispositivo.", "Pronto: este dispositivo toca", "%d novas notificações",
		"e mais %d"},
	pushText{"As notificações estão chegando a este dispositivo.", "Pronto: este dispositivo toca",
		"%d novas notificações", "e mais %d"},
	pushText{"Notifications reach this device.", "Done: this device rings", "%d new notifications", "and %d more"},
)
