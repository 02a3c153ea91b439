package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/itchyny/gojq"
)

// compileQuery compiles the expression of --jq, which implies --json. The expression has no access
// to files or the environment.
func (s *session) compileQuery() error {
	if s.query == "" {
		return nil
	}
	parsed, err := gojq.Parse(s.query)
	if err == nil {
		s.jq, err = gojq.Compile(parsed)
	}
	if err != nil {
		return fmt.Errorf("--jq takes an expression of jq such as .id: %w", err)
	}
	s.json = true
	return nil
}

// writeQueried writes the results of the expression for a value, one per line: texts without
// quotes, as jq -r does, and everything else as JSON.
func (s *session) writeQueried(value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return s.queryJSON(text)
}

func (s *session) queryJSON(text []byte) error {
	var input any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&input); err != nil {
		return err
	}
	results := s.jq.RunWithContext(s.running.Context, input)
	for {
		result, more := results.Next()
		if !more {
			return nil
		}
		if err, failed := result.(error); failed {
			var halt *gojq.HaltError
			if errors.As(err, &halt) && halt.Value() == nil {
				return nil
			}
			return &queryError{err}
		}
		if err := s.writeResult(result); err != nil {
			return err
		}
	}
}

func (s *session) writeResult(result any) error {
	if text, isText := result.(string); isText {
		if isTerminal(s.out.w) {
			text = visible(text)
		}
		_, err := io.WriteString(s.out, text+"\n")
		return err
	}
	line, err := gojq.Marshal(result)
	if err != nil {
		return err
	}
	return s.writeLine(line)
}

// queryError is a failure of the expression on its input.
type queryError struct{ err error }

func (e *queryError) Error() string { return "--jq: " + e.err.Error() }
