package template

import (
	"errors"
	"fmt"
	"strings"

	"github.com/osteele/liquid/render"

	"github.com/sininho/sininho/server/internal/core"
)

// rendering renders what comes of one event.
type rendering struct {
	config    render.Config
	meter     *meter
	variables map[string]any
}

func newRendering(m *meter, payload map[string]any, headers map[string]string) *rendering {
	named := make(map[string]any, len(headers))
	for name, value := range headers {
		named[name] = value
	}
	r := &rendering{config: config, meter: m, variables: map[string]any{meterName: m,
		"payload": variable{payload, m}, "headers": variable{named, m}}}
	addFilters(&r.config, m)
	return r
}

// text renders one template, for itself: what it assigns is not there for the next. What it panics with is a fault of
// the template, since all it is given is data.
func (r *rendering) text(node render.Node) (text string, err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = r.failure(panicked)
		}
	}()
	if node == nil {
		return "", nil
	}
	out := output{meter: r.meter}
	if err := render.Render(node, &out, r.variables, r.config); err != nil {
		return "", errors.New(newFault(err).text().EN)
	}
	return strings.ToValidUTF8(string(out.text), "\uFFFD"), nil
}

func (r *rendering) failure(panicked any) error {
	if r.meter.spent {
		return errTooMuch
	}
	return fmt.Errorf("it cannot be worked out: %.100s", firstLine(fmt.Sprint(panicked)))
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// failed says that a template could not be rendered, and which field of it.
func failed(pointer string, err error) error {
	return core.Invalid(core.FieldError{Pointer: pointer, Code: "template", Detail: core.Text{
		EN: "cannot be rendered: " + err.Error(), PT: "não se consegue preencher: " + err.Error()}})
}
