package core

import "github.com/sininho/sininho/pkg/rules"

// Text is a text for people, in the two languages of Sininho.
type Text = rules.Text
