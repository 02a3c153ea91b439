package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// repository reads a git repository by running git. It never writes to it.
type repository struct{ dir string }

// git runs git and returns its stdout.
func (r repository) git(ctx context.Context, stdin io.Reader, args ...string) ([]byte, error) {
	cmd := r.command(ctx, args...)
	cmd.Stdin = stdin
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(stderr.String()))
	}
	return stdout.Bytes(), nil
}

// command runs git without what the user's settings could add to its output: replaced objects,
// signatures, colours, a pager.
func (r repository) command(ctx context.Context, args ...string) *exec.Cmd {
	settings := []string{"-C", r.dir, "--no-pager", "--no-replace-objects",
		"-c", "log.showSignature=false", "-c", "color.ui=false", "-c", "core.quotePath=false"}
	//nolint:gosec // no shell, and names are checked
	cmd := exec.CommandContext(ctx, "git", append(settings, args...)...)
	cmd.Env = append(os.Environ(), "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0")
	return cmd
}

// branches returns the short names of the local branches, in git's order.
func (r repository) branches(ctx context.Context) ([]string, error) {
	out, err := r.git(ctx, nil, "for-each-ref", "--format=%(refname)", "refs/heads/")
	if err != nil {
		return nil, err
	}
	var names []string
	for name := range strings.Lines(string(out)) {
		names = append(names, strings.TrimPrefix(strings.TrimSuffix(name, "\n"), "refs/heads/"))
	}
	return names, nil
}

// ref returns the full name of a branch. HEAD is what is checked out, on a branch or not.
func ref(branch string) string {
	if branch == "HEAD" {
		return branch
	}
	return "refs/heads/" + branch
}

// hashes returns the commits of a branch, oldest first, or only the newest limit ones if limit is above 0.
func (r repository) hashes(ctx context.Context, branch string, limit int) ([]string, error) {
	args := []string{"rev-list", "--date-order", "--reverse"}
	if limit > 0 {
		args = append(args, "--max-count="+strconv.Itoa(limit))
	}
	out, err := r.git(ctx, nil, append(args, ref(branch), "--")...)
	if err != nil {
		return nil, fmt.Errorf("branch %s: %w", branch, err)
	}
	return strings.Fields(string(out)), nil
}

// commits reads commits in order through one `git cat-file --batch`, and calls each with every
// commit until it returns an error.
func (r repository) commits(ctx context.Context, hashes []string, each func(commit) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := r.command(ctx, "cat-file", "--batch")
	cmd.Stdin = strings.NewReader(strings.Join(hashes, "\n") + "\n")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("git cat-file: %w", err)
	}
	err = r.readCommits(ctx, bufio.NewReader(stdout), len(hashes), each)
	cancel()
	_ = cmd.Wait() // fails if git was stopped early, after everything needed was read
	if err != nil && stderr.Len() > 0 {
		err = fmt.Errorf("%w: %s", err, strings.TrimSpace(stderr.String()))
	}
	return err
}

func (r repository) readCommits(ctx context.Context, in *bufio.Reader, n int, each func(commit) error) error {
	for range n {
		hash, object, err := readObject(in)
		if err != nil {
			return fmt.Errorf("git cat-file: %w", err)
		}
		c := parseCommit(hash, object)
		if err := r.recode(ctx, &c); err != nil {
			return err
		}
		if err := each(c); err != nil {
			return err
		}
	}
	return nil
}

// readObject reads `hash commit size`, the object and a line end.
func readObject(in *bufio.Reader) (hash string, object []byte, err error) {
	header, err := in.ReadString('\n')
	if err != nil {
		return "", nil, err
	}
	fields := strings.Fields(header)
	if len(fields) != 3 || fields[1] != "commit" {
		return "", nil, fmt.Errorf("unexpected %q", strings.TrimSpace(header))
	}
	size, err := strconv.Atoi(fields[2])
	if err != nil {
		return "", nil, err
	}
	object = make([]byte, size+1)
	if _, err := io.ReadFull(in, object); err != nil {
		return "", nil, err
	}
	return fields[0], object[:size], nil
}

// recode converts a message in another encoding to UTF-8 with git. It does not change a message
// with a NUL, because git would cut it there.
func (r repository) recode(ctx context.Context, c *commit) error {
	if c.isUTF8() || bytes.IndexByte(c.message, 0) >= 0 {
		return nil
	}
	out, err := r.git(ctx, nil, "log", "--no-walk", "-z", "--encoding=UTF-8", "--format=%an%x00%B", c.hash, "--")
	if err != nil {
		return err
	}
	author, message, _ := bytes.Cut(bytes.TrimSuffix(out, []byte{0}), []byte{0})
	c.author, c.message = string(author), message
	return nil
}
