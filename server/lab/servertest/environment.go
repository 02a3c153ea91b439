package servertest

import (
	"os"
	"slices"
	"strings"
)

// Environment returns this process's environment for programs that a test runs, without the variables that would direct
// them to another server.
func Environment() []string {
	return slices.DeleteFunc(os.Environ(),
		func(variable string) bool { return strings.HasPrefix(variable, "SININHO_") })
}
