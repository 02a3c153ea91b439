package servertest

import (
	"os"
	"slices"
	"strings"
)

// Environment is ours for the programs that a test runs, without what leads them to another server than the test's.
func Environment() []string {
	return slices.DeleteFunc(os.Environ(), func(variable string) bool { return strings.HasPrefix(variable, "SININHO_") })
}
