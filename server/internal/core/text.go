package core

// Text is something a person reads, in the two languages Sininho speaks.
type Text struct{ EN, PT string }

// In returns the text in Portuguese when pt is true, else in English.
func (t Text) In(pt bool) string {
	if pt && t.PT != "" {
		return t.PT
	}
	return t.EN
}
