// Package runtime has the few functions that the generated clients call. It stands in for
// github.com/oapi-codegen/runtime, whose go.mod requires the web frameworks gin, iris and echo and
// would move their versions, and those of some fifty other modules, in every program that uses the
// SDK. Names and signatures are those of that package, because oapi-codegen's templates call them.
package runtime

import (
	"encoding/json"
	"fmt"
	"net/url"
	"time"
)

// ParamLocation is where a request carries a parameter.
type ParamLocation int

// The locations of parameters that the contracts use.
const (
	ParamLocationQuery ParamLocation = iota + 1
	ParamLocationPath
	ParamLocationHeader
)

// StyleParamOptions describes a parameter. Type and Format are those of its schema and are not
// read: the Go type of the value decides.
type StyleParamOptions struct {
	ParamLocation ParamLocation
	Type          string
	Format        string
}

// StyleParamWithOptions returns a parameter as it stands in the request, escaped for its location
// and, in a query, behind its name. It fails for styles that the contracts do not use.
func StyleParamWithOptions(style string, explode bool, name string, value any, o StyleParamOptions) (string, error) {
	text := paramText(value)
	switch {
	case style == "form" && explode && o.ParamLocation == ParamLocationQuery:
		return url.QueryEscape(name) + "=" + url.QueryEscape(text), nil
	case style == "simple" && !explode && o.ParamLocation == ParamLocationPath:
		return url.PathEscape(text), nil
	case style == "simple" && !explode && o.ParamLocation == ParamLocationHeader:
		return text, nil
	}
	return "", fmt.Errorf("parameter %q: style %q (explode: %t) is not supported", name, style, explode)
}

func paramText(value any) string {
	if at, ok := value.(time.Time); ok {
		return at.Format(time.RFC3339Nano)
	}
	return fmt.Sprint(value)
}

// MarshalForm returns the fields of a form, whose values must all be texts.
func MarshalForm(form any, _ any) (url.Values, error) {
	text, err := json.Marshal(form)
	if err != nil {
		return nil, err
	}
	var fields map[string]string
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, err
	}
	values := make(url.Values, len(fields))
	for name, value := range fields {
		values.Set(name, value)
	}
	return values, nil
}
