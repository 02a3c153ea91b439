package core

// Text is a text for people, in the two languages of Sininho.
type Text struct{ EN, PT string }

// In returns the Portuguese text if pt is true and there is one, otherwise the English text.
func (t Text) In(pt bool) string {
	if pt && t.PT != "" {
		return t.PT
	}
	return t.EN
}
