//go:build linux || darwin

package backup

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"strings"
)

// begun matches what pg_dump and pg_restore say when they begin with a table.
var begun = regexp.MustCompile(`(?:dumping contents of|processing data for) table "(?:public\.)?([^"]+)"`)

// run runs one of PostgreSQL's programs with --verbose. It reports each table to progress; its error has what the
// program said of errors.
func run(cmd *exec.Cmd, progress io.Writer) error {
	messages, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	var faults []string
	for lines := bufio.NewScanner(messages); lines.Scan(); {
		line := lines.Text()
		if table := begun.FindStringSubmatch(line); table != nil {
			fmt.Fprintf(progress, "  %s\n", table[1])
		}
		if isFault(line) {
			faults = append(faults, line)
		}
	}
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("%w: %s", err, strings.Join(faults, "; "))
	}
	if len(faults) > 0 {
		return errors.New(strings.Join(faults, "; "))
	}
	return nil
}

func isFault(line string) bool {
	for _, sign := range []string{"error:", "fatal:", "detail:", "hint:"} {
		if strings.Contains(line, ": "+sign) {
			return true
		}
	}
	return strings.HasPrefix(line, "DETAIL:")
}
