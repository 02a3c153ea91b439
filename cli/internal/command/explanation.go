package command

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/sininho/sininho/pkg/sininho"
)

// explanation is an error as it is written with --json.
type explanation struct {
	Error string `json:"error"`          // the cause
	Hint  string `json:"hint,omitempty"` // a remedy
	Exit  int    `json:"exit"`
	// Of a refusal by the server:
	Status     int                  `json:"status,omitempty"`
	Code       string               `json:"code,omitempty"`
	RequestID  string               `json:"requestId,omitempty"`
	RetryAfter float64              `json:"retryAfter,omitempty"` // seconds
	Errors     []sininho.FieldError `json:"errors,omitempty"`     // of the input
}

// explain writes the cause of an error and a remedy, with --json as a line of JSON, and returns the exit code.
func (s *session) explain(err error) int {
	if !s.json || errors.Is(err, errReported) || errors.Is(err, errFaulty) {
		return s.explainInWords(err)
	}
	stderr, words := s.err, &strings.Builder{}
	s.err = words
	e := explanation{Exit: s.explainInWords(err)}
	s.err = stderr
	if words.Len() == 0 { // of a command that was run, which said it
		return e.Exit
	}
	e.Error, e.Hint, _ = strings.Cut(strings.TrimPrefix(strings.TrimSpace(words.String()), "sininho: "), "\n")
	if input, ok := errors.AsType[*sininho.InputError](err); ok {
		e.Errors = input.Fields
	}
	if refused, ok := errors.AsType[*sininho.Error](err); ok {
		e.Status, e.Code, e.RequestID, e.Errors = refused.Status, refused.Code, refused.RequestID, refused.Fields
		e.RetryAfter = refused.RetryAfter.Seconds()
	}
	line, _ := json.Marshal(e) // texts and numbers
	s.talk("%s", line)
	return e.Exit
}
