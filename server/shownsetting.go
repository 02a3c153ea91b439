package server

import (
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/sininho/sininho/server/internal/core"
)

// shownSettings returns the settings in force as operators see them, by name, without the values of secrets.
func (c Config) shownSettings() (all []core.Setting) {
	for field, value := range settings(reflect.ValueOf(c)) {
		s := core.Setting{Name: nameOf(field), Value: show(value), Source: core.SettingDefault}
		s.Set = s.Value != ""
		if s.Set && c.sources[s.Name] != "" {
			s.Source = core.SettingEnvironment
		}
		if field.Tag.Get("secret") == "true" || hasPassword(s.Value) {
			s.Secret, s.Value = true, ""
		}
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b core.Setting) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// hasPassword reports whether a value is a URL with a user name or a password.
func hasPassword(value string) bool {
	u, err := url.Parse(value)
	return err == nil && u.User != nil
}
