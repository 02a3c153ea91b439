package server

import (
	"errors"
	"slices"
	"testing"
)

func TestOperatorEmails(t *testing.T) {
	for value, want := range map[string][]string{
		"":                                  nil,
		"eva@example.com":                   {"eva@example.com"},
		"eva@example.com, Rui@example.com ": {"eva@example.com", "Rui@example.com"},
	} {
		c, err := ReadConfig(map[string]string{"OPERATOR_EMAILS": value})
		if hasProblem(err, `OPERATOR_EMAILS: `) {
			t.Errorf("%q: %v", value, err)
		}
		if got, err := c.operators(); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q %v", value, got, err)
		}
	}
	for _, value := range []string{"eva", "eva@example.com,", "Eva <eva@example.com>", "eva@example.com;rui@example.com"} {
		if _, err := ReadConfig(map[string]string{"OPERATOR_EMAILS": value}); !hasProblem(err, `OPERATOR_EMAILS: holds `) {
			t.Errorf("%q: %v", value, err)
		}
	}
}

func hasProblem(err error, start string) bool {
	var wrong *ConfigError
	return errors.As(err, &wrong) && slices.ContainsFunc(wrong.Problems, func(p string) bool { return len(p) >= len(start) && p[:len(start)] == start })
}
