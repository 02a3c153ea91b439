package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// section is one part of Config.
type section struct {
	title, about string
	settings     []setting
}

type setting struct {
	name, about   string
	standard      string // the default
	example, when string // when it is needed: "yes" for always
	file          string // an example of the file that usually has the value
	mode          string // the choice without which it is not used
	secret        bool
}

// need returns when a setting is required, in words.
func (s setting) need() string {
	if s.when == always && s.mode != "" {
		return "with `" + s.mode + "`, the default"
	}
	return s.when
}

// introduces matches the comment of a section.
var introduces = regexp.MustCompile(`^\w+ (?:is|are) (\w)(.*)$`)

// parse returns the sections in the order of Config. It fails on a part or a setting without a comment.
func parse(source []byte) ([]section, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "settings.go", source, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	var sections []section
	var modes map[string]string
	var faults []error
	for _, declaration := range file.Decls {
		general, ok := declaration.(*ast.GenDecl)
		if !ok || general.Tok != token.TYPE {
			continue
		}
		spec := general.Specs[0].(*ast.TypeSpec) //nolint:forcetypeassert // a type's declaration has these
		part, ok := spec.Type.(*ast.StructType)
		if !ok {
			continue
		}
		if spec.Name.Name == "Config" {
			modes = modesOf(part)
			continue
		}
		s := section{title: spec.Name.Name}
		comment := introduces.FindStringSubmatch(oneLine(general.Doc))
		if comment == nil {
			faults = append(faults, fmt.Errorf("%s: a comment such as %q is missing", s.title, s.title+" is for …"))
			continue
		}
		s.about = strings.ToUpper(comment[1]) + comment[2]
		for _, field := range part.Fields.List {
			setting, err := newSetting(field)
			setting.mode = modes[s.title]
			s.settings, faults = append(s.settings, setting), append(faults, err)
		}
		sections = append(sections, s)
	}
	return sections, errors.Join(faults...)
}

// modesOf returns the modes of the parts of Config, by their titles.
func modesOf(config *ast.StructType) map[string]string {
	modes := map[string]string{}
	for _, field := range config.Fields.List {
		title, ok := field.Type.(*ast.Ident)
		if !ok || field.Tag == nil {
			continue
		}
		modes[title.Name] = reflect.StructTag(strings.Trim(field.Tag.Value, "`")).Get("mode")
	}
	return modes
}

func newSetting(field *ast.Field) (setting, error) {
	var s setting
	if field.Tag == nil {
		return s, fmt.Errorf("%s has no tag", field.Names)
	}
	unquoted, err := strconv.Unquote(field.Tag.Value)
	if err != nil {
		return s, err
	}
	tag := reflect.StructTag(unquoted)
	name, options, _ := strings.Cut(tag.Get("env"), ",")
	s = setting{name: name, about: oneLine(field.Doc), standard: tag.Get("envDefault"), example: tag.Get("example"),
		file: tag.Get("file"), when: tag.Get("when"), secret: tag.Get("secret") == "true"}
	if strings.Contains(options, "required") {
		s.when = always
	}
	if s.about == "" {
		return s, fmt.Errorf("%s has no comment", s.name)
	}
	return s, nil
}

const always = "yes"

// oneLine returns a comment as one paragraph.
func oneLine(comment *ast.CommentGroup) string {
	return strings.Join(strings.Fields(comment.Text()), " ")
}
