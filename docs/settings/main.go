// Command settings writes the guide to the settings, docs/settings.gen.md, and .env.example from the comments and
// tags of server/settings.go. It runs in the root of the repository (`make generate`).
package main

import (
	"fmt"
	"os"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "settings:", err)
		os.Exit(1)
	}
}

func run() error {
	source, err := os.ReadFile("server/settings.go")
	if err != nil {
		return err
	}
	sections, err := parse(source)
	if err != nil {
		return err
	}
	for path, content := range map[string]string{
		"docs/settings.gen.md": guide(sections),
		".env.example":         example(sections),
	} {
		//nolint:gosec // for everyone to read
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			return err
		}
	}
	return nil
}
