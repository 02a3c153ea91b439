package ntfy

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// maxActions is how many actions a message may have.
const maxActions = 3

// action is a button of a message. Only those that open an address can be kept.
type action struct {
	Action string `json:"action"`
	Label  string `json:"label"`
	URL    string `json:"url"`
}

// parseActions reads actions in JSON, or in the short form "view, Label, https://…; action=view, label=…, url=…".
func parseActions(s string) (actions []action, err error) {
	if s = strings.TrimSpace(s); strings.HasPrefix(s, "[") {
		if json.Unmarshal([]byte(s), &actions) != nil {
			return nil, errActions.because("the JSON is not an array of actions")
		}
		return actions, checkActions(actions)
	}
	for _, part := range splitOutside(s, ';') {
		a, err := parseAction(part)
		if err != nil {
			return nil, err
		}
		actions = append(actions, a)
	}
	return actions, checkActions(actions)
}

func checkActions(actions []action) error {
	if len(actions) > maxActions {
		return errActions.because(fmt.Sprintf("only %d actions allowed", maxActions))
	}
	for i, a := range actions {
		actions[i].Action = strings.ToLower(a.Action)
		switch {
		case actions[i].Action != "view":
			return errActions.because("only view is supported here, which opens an address")
		case a.Label == "":
			return errActions.because("parameter 'label' is required")
		case a.URL == "":
			return errActions.because("parameter 'url' is required for action 'view'")
		}
	}
	return nil
}

var actionKey = regexp.MustCompile(`^[-.\w]+\s*=\s*`)

// parseAction reads an action in the short form.
func parseAction(s string) (a action, err error) {
	for i, section := range splitOutside(s, ',') {
		section = strings.TrimSpace(section)
		key := actionKey.FindString(section)
		value, err := unquote(strings.TrimSpace(section[len(key):]))
		if err != nil {
			return a, err
		}
		key = strings.ToLower(strings.TrimRight(key, "= \t"))
		if key == "" && i < 3 {
			key = []string{"action", "label", "url"}[i]
		}
		switch key {
		case "action":
			a.Action = value
		case "label":
			a.Label = value
		case "url":
			a.URL = value
		case "clear":
		default:
			if a.Action == "view" {
				return a, errActions.because(fmt.Sprintf("%q is unknown", section))
			}
		}
	}
	return a, nil
}

// splitOutside splits a text at a character that is not between quotes. A quote begins where a value does.
func splitOutside(s string, at byte) (parts []string) {
	start, quote := 0, byte(0)
	last := byte('=') // the last character that is no space
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case quote != 0 && c == '\\':
			i++
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
		case (c == '"' || c == '\'') && strings.IndexByte(",;=", last) >= 0:
			quote = c
		case c == at:
			parts, start = append(parts, s[start:i]), i+1
		}
		if c != ' ' {
			last = c
		}
	}
	if rest := s[start:]; strings.TrimSpace(rest) != "" {
		parts = append(parts, rest)
	}
	return parts
}

func unquote(s string) (string, error) {
	if s == "" || s[0] != '"' && s[0] != '\'' {
		return s, nil
	}
	quote := s[:1]
	if len(s) < 2 || !strings.HasSuffix(s, quote) {
		return "", errActions.because("a quote does not end")
	}
	return strings.ReplaceAll(s[1:len(s)-1], `\`+quote, quote), nil
}
