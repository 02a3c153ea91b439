package server

import (
	"fmt"
	"maps"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strings"
)

// fileSuffix ends the name of a variable that names the file with a setting's value, as in SECRET_KEY_FILE.
const fileSuffix = "_FILE"

// Where the value of a setting comes from, if not from a file.
const (
	sourceEnvironment = "environment"
	sourceDefault     = "default"
)

// Setting is one setting as it is in force.
type Setting struct {
	Name   string // of its environment variable
	Value  string // what it has of secrets is masked
	Source string // "environment", "default", or the path of the file that has the value
}

// Settings returns all settings as they are in force, in the order of the guide.
func (c Config) Settings() []Setting {
	var all []Setting
	for field, value := range settings(reflect.ValueOf(c)) {
		name := nameOf(field)
		source, set := c.sources[name]
		if !set {
			source = sourceDefault
		}
		shown := show(value)
		if field.Tag.Get("secret") == "true" {
			shown = mask(shown)
		}
		all = append(all, Setting{name, shown, source})
	}
	return all
}

// settings yields the fields of Config's parts.
func settings(config reflect.Value) func(yield func(reflect.StructField, reflect.Value) bool) {
	return func(yield func(reflect.StructField, reflect.Value) bool) {
		for _, field := range reflect.VisibleFields(config.Type()) {
			if nameOf(field) != "" && !yield(field, config.FieldByIndex(field.Index)) {
				return
			}
		}
	}
}

// nameOf returns the name of a field's environment variable.
func nameOf(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("env"), ",")
	return name
}

// settingOf returns the name of the environment variable of a field of Config.
func settingOf(field string) string {
	f, _ := reflect.TypeFor[Config]().FieldByName(field)
	return nameOf(f)
}

// IsSecret reports whether a setting is secret.
func IsSecret(name string) bool {
	for field := range settings(reflect.ValueOf(Config{})) {
		if nameOf(field) == name {
			return field.Tag.Get("secret") == "true"
		}
	}
	return false
}

// show returns a value on one line: of a text with several, the first.
func show(value reflect.Value) string {
	if list, ok := value.Interface().([]string); ok {
		return strings.Join(list, ",")
	}
	first, _, cut := strings.Cut(fmt.Sprint(value.Interface()), "\n")
	if cut {
		return strings.TrimSuffix(first, "\r") + " …"
	}
	return first
}

const masked = "********"

// mask hides a secret. Of addresses it shows host and path, without credentials and parameters.
func mask(secret string) string {
	if secret == "" {
		return ""
	}
	addresses := strings.Split(secret, ",")
	for i, address := range addresses {
		u, err := url.Parse(strings.TrimSpace(address))
		if err != nil || u.Host == "" {
			return masked
		}
		if u.User != nil {
			u.User = url.User(masked)
		}
		u.RawQuery, u.Fragment = "", ""
		addresses[i] = strings.Replace(u.String(), url.User(masked).String(), masked, 1)
	}
	return strings.Join(addresses, ",")
}

// withoutUnread returns the problems without those of settings whose file could not be read.
func (p problems) withoutUnread() problems {
	names := map[string]bool{}
	for _, problem := range p {
		name, _, _ := strings.Cut(problem, ":")
		names[name] = true
	}
	return slices.DeleteFunc(p, func(problem string) bool {
		name, _, _ := strings.Cut(problem, ":")
		return names[name+fileSuffix]
	})
}

// withFiles returns the environment with the settings that are in files, and the source of each setting that is set.
func withFiles(environment map[string]string, p *problems) (values, sources map[string]string) {
	values, sources = map[string]string{}, map[string]string{}
	maps.Copy(values, environment)
	for field := range settings(reflect.ValueOf(Config{})) {
		name := nameOf(field)
		path := environment[name+fileSuffix]
		switch {
		case path == "" && environment[name] != "":
			sources[name] = sourceEnvironment
		case path != "" && environment[name] != "":
			sources[name] = sourceEnvironment
			p.add(name, "is set twice: unset it, or "+name+fileSuffix)
		case path != "":
			content, err := os.ReadFile(path)
			if err != nil {
				p.add(name+fileSuffix, err.Error())
			}
			values[name], sources[name] = strings.TrimRight(string(content), "\r\n"), path
		}
	}
	return values, sources
}
