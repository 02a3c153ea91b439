package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// source is the commit that a release is built from.
type source struct {
	commit string // with +dirty if files are changed
	date   time.Time
}

func readSource(root string) (s source, err error) {
	commit, err := output(root, "git", "log", "-1", "--format=%H %ct")
	if err != nil {
		return s, err
	}
	hash, seconds, _ := strings.Cut(commit, " ")
	unix, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return s, fmt.Errorf("date of the commit: %w", err)
	}
	changed, err := output(root, "git", "status", "--porcelain", "--untracked-files=no")
	if changed != "" {
		hash += "+dirty"
	}
	return source{commit: hash, date: time.Unix(unix, 0).UTC()}, err
}

// output runs a program in a folder and returns what it prints, without the last newline.
func output(dir, name string, args ...string) (string, error) {
	return outputWith(nil, dir, name, args...)
}

// outputWith is output with more environment variables.
func outputWith(environment []string, dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	var stderr bytes.Buffer
	cmd.Dir, cmd.Stderr, cmd.Env = dir, &stderr, append(os.Environ(), environment...)
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, &stderr)
	}
	return strings.TrimSpace(string(out)), nil
}
