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
	secret        bool
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
	var faults []error
	for _, declaration := range file.Decls {
		general, ok := declaration.(*ast.GenDecl)
		if !ok || general.Tok != token.TYPE {
			continue
		}
		spec := general.Specs[0].(*ast.TypeSpec) //nolint:forcetypeassert // a type's declaration has these
		part, ok := spec.Type.(*ast.StructType)
		if !ok || spec.Name.Name == "Config" {
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
			s.settings, faults = append(s.settings, setting), append(faults, err)
		}
		sections = append(sections, s)
	}
	return sections, errors.Join(faults...)
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
