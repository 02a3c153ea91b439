// Command sininho publishes to and reads Sininho channels from a terminal or a script.
package main

import (
	"os"

	"github.com/sininho/sininho/cli/internal/command"
)

func main() { os.Exit(command.Main()) }
