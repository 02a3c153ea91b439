// Command judge judges histories of simulations, which are files, and prints how they breach the promise.
package main

import (
	"fmt"
	"os"

	"github.com/sininho/sininho/server/lab/simulation/checker"
	"github.com/sininho/sininho/server/lab/simulation/history"
)

func main() {
	breaches := 0
	for _, path := range os.Args[1:] {
		all, err := judge(path)
		if err != nil {
			fmt.Fprintln(os.Stderr, "judge:", err)
			os.Exit(2)
		}
		for _, b := range all {
			fmt.Printf("%s: %s\n", path, b)
		}
		breaches += len(all)
	}
	if breaches > 0 {
		os.Exit(1)
	}
}

func judge(path string) ([]checker.Breach, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	events, err := history.Parse(f)
	return checker.Check(events), err
}
