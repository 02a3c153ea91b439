package ntfy

import (
	"net/http"
	"strings"

	"github.com/sininho/sininho/pkg/mend"
)

// param returns the first value of a parameter by its names, in the headers and then in the query.
func param(r *http.Request, names ...string) string {
	for _, name := range names {
		value := r.Header.Get(name)
		if value == "" {
			continue
		}
		if strings.EqualFold(name, "priority") && isBrowserPriority(value) {
			continue
		}
		if value = strings.TrimSpace(mend.Header(value)); value != "" {
			return value
		}
	}
	if r.URL.RawQuery == "" {
		return ""
	}
	query := r.URL.Query()
	for _, name := range names {
		if value := strings.TrimSpace(query.Get(strings.ToLower(name))); value != "" {
			return value
		}
	}
	return ""
}

// isBrowserPriority reports whether a priority is what browsers send with each request (RFC 9218).
func isBrowserPriority(value string) bool {
	return strings.HasPrefix(strings.TrimSpace(value), "u=") || strings.TrimSpace(value) == "i"
}

// listParam returns the values of a parameter that are separated by commas.
func listParam(r *http.Request, names ...string) []string { return splitList(param(r, names...)) }

func splitList(list string) (values []string) {
	for value := range strings.SplitSeq(list, ",") {
		if value = strings.TrimSpace(value); value != "" {
			values = append(values, value)
		}
	}
	return values
}

// boolParam returns a parameter that is yes or no.
func boolParam(r *http.Request, unset bool, names ...string) bool {
	if value := param(r, names...); value != "" {
		return isYes(value)
	}
	return unset
}

func isYes(value string) bool {
	switch strings.ToLower(value) {
	case "1", "yes", "true":
		return true
	default:
		return false
	}
}
