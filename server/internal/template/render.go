package template

import (
	"errors"
	"strings"

	"github.com/osteele/liquid/render"

	"github.com/sininho/sininho/server/internal/core"
)

// rendering renders the templates for one event.
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

// text renders one template independently: its assignments are not visible to the next one. A panic becomes an error of
// the template, because the template receives nothing but data.
func (r *rendering) text(node render.Node) (text string, err error) {
	defer func() {
		if recover() != nil {
			err = r.failure()
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

// errPanicked does not say what panicked, which would name parts of this program.
var errPanicked = errors.New("it cannot be worked out with these values")

func (r *rendering) failure() error {
	if r.meter.spent {
		return errTooMuch
	}
	return errPanicked
}

// failed returns the error for a field whose template could not be rendered.
func failed(pointer string, err error) error {
	return core.Invalid(core.FieldError{Pointer: pointer, Code: "template", Detail: core.Text{
		EN: "cannot be rendered: " + err.Error(), PT: "não se consegue preencher: " + err.Error()}})
}
