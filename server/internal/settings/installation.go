package settings

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sininho/sininho/server"
)

// Ask asks a person for a value.
type Ask func(question string, secret bool) (string, error)

// New returns the content of a file with the settings of a new installation. Given are values of flags, by the
// names of their settings. What is needed and neither given nor known is asked for; without ask it is an error that
// names all flags that are missing. The settings are complete and valid.
func New(given map[string]string, ask Ask) ([]byte, error) {
	chosen := answers{}
	var faults []error
	for _, e := range entries {
		if e.With != "" && !chosen.has(e.With) {
			faults = append(faults, e.refuse(given))
			continue
		}
		value, err := e.valueOf(given, chosen, ask)
		if err != nil {
			faults = append(faults, err)
		}
		chosen[e.Setting] = value
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	content := render(chosen)
	for _, e := range entries {
		if e.answer || chosen[e.Setting] == "" {
			delete(chosen, e.Setting)
		}
	}
	_, err := server.ReadConfig(chosen)
	return content, err
}

// refuse returns an error if a value is given that nothing that was chosen needs.
func (e Entry) refuse(given map[string]string) error {
	if _, ok := given[e.Setting]; ok {
		return fmt.Errorf("--%s is only for %s", e.Flag, e.With)
	}
	return nil
}

// hasStandard reports whether the value need not be given.
func (e Entry) hasStandard(chosen answers) bool {
	return e.standard != nil && (e.needed == "" || !chosen.has(e.needed))
}

func (e Entry) valueOf(given map[string]string, chosen answers, ask Ask) (value string, err error) {
	value, ok := given[e.Setting]
	switch {
	case ok:
	case e.hasStandard(chosen):
		value = e.standard(chosen)
	case ask == nil:
		return "", fmt.Errorf("--%s is needed: %s", e.Flag, e.About)
	default:
		if value, err = ask(e.About, e.Secret); err != nil {
			return "", err
		}
	}
	if value = strings.TrimSpace(value); value == "" && !e.hasStandard(chosen) {
		return "", fmt.Errorf("--%s must not be empty: %s", e.Flag, e.About)
	}
	if e.Modes != nil {
		return e.mode(value)
	}
	if e.resolve != nil {
		return e.resolve(value)
	}
	return value, nil
}

// both is what the modes of a setting may be called that has two.
const both = "both"

// mode returns the chosen modes as the setting has them.
func (e Entry) mode(value string) (string, error) {
	modes := []string{value}
	switch {
	case e.several && len(e.Modes) == 2 && value == both:
		return strings.Join(e.Modes, ","), nil
	case e.several:
		modes = strings.Split(value, ",")
	}
	for i, m := range modes {
		modes[i] = strings.TrimSpace(m)
		if !slices.Contains(e.Modes, modes[i]) {
			return "", fmt.Errorf("--%s must be %s, not %q", e.Flag, strings.Join(e.Modes, " or "), modes[i])
		}
	}
	return strings.Join(modes, ","), nil
}

// render writes what is set, each with what it is.
func render(chosen answers) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# Settings of Sininho. %s/docs/settings lists all others.\n"+
		"# `sininho-server serve --env-file` reads this file. It has secrets: only the server's user may read it.\n",
		chosen["PUBLIC_URL"])
	for _, e := range entries {
		if value := chosen[e.Setting]; value != "" && !e.answer {
			fmt.Fprintf(&b, "\n# %s%s.\n%s=%s\n", e.About, e.choices(), e.Setting, Quote(value))
		}
	}
	return []byte(b.String())
}

// choices lists the modes of a setting in words.
func (e Entry) choices() string {
	if e.Modes == nil {
		return ""
	}
	choices := ": " + strings.Join(e.Modes, " or ")
	if e.several {
		choices += ", or several with commas between"
	}
	return choices
}

// Help describes the flag of the setting.
func (e Entry) Help() string {
	help := e.About + e.choices()
	if e.With != "" {
		help += " (with " + e.With + ")"
	}
	return help
}
