package server

import (
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/sininho/sininho/server/internal/core"
)

// shownSettings returns the settings in force as operators see them, by name, without the values of secrets.
func (c Config) shownSettings() (all []core.Setting) {
	v := reflect.ValueOf(c)
	for _, field := range reflect.VisibleFields(v.Type()) {
		name, _, _ := strings.Cut(field.Tag.Get("env"), ",")
		if name == "" {
			continue
		}
		value := v.FieldByIndex(field.Index)
		s := core.Setting{Name: name, Value: settingText(value), Source: core.SettingDefault}
		s.Set = s.Value != ""
		if c.own[name] {
			s.Source = core.SettingEnvironment
		}
		if field.Tag.Get("secret") != "" || hasPassword(s.Value) {
			s.Secret, s.Value = true, ""
		}
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b core.Setting) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// settingText returns a value as it is written in the environment.
func settingText(v reflect.Value) string {
	if list, ok := v.Interface().([]string); ok {
		return strings.Join(list, ",")
	}
	return fmt.Sprint(v.Interface())
}

// hasPassword reports whether a value is a URL with a user name or a password.
func hasPassword(value string) bool {
	u, err := url.Parse(value)
	return err == nil && u.User != nil
}
