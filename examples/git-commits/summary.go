package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"sync"

	"github.com/cheggaaa/pb/v3"
	"github.com/mattn/go-isatty"
)

// summary counts what was done. It is safe for concurrent use.
type summary struct {
	mu       sync.Mutex
	branches []*branchCount
	inexact  []string
}

type branchCount struct {
	branch, channel string
	created         bool
	commits         int
	published, old  int
}

func newSummary() *summary { return &summary{} }

func (s *summary) addBranch(j job, created bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.branches = append(s.branches,
		&branchCount{branch: j.branch, channel: j.channel, created: created, commits: len(j.hashes)})
}

func (s *summary) add(j job, isNew bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.branches {
		if b.channel != j.channel {
			continue
		}
		if isNew {
			b.published++
		} else {
			b.old++
		}
	}
}

func (s *summary) addInexact(hash string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Contains(s.inexact, hash) {
		s.inexact = append(s.inexact, hash)
	}
}

// write writes the result for each branch.
func (s *summary) write(w io.Writer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.branches {
		note := ""
		if b.created {
			note = " (new channel)"
		}
		fmt.Fprintf(w, "%s -> %s%s: %d commits, %d notifications published, %d already there\n",
			clean(b.branch), b.channel, note, b.commits, b.published, b.old)
	}
	slices.Sort(s.inexact)
	for _, hash := range s.inexact {
		fmt.Fprintf(w, "commit %s: what is not UTF-8 in its message was published as U+FFFD, "+
			"and what no notification may have was removed\n", hash)
	}
}

// progress shows a bar if stderr is a terminal.
type progress struct {
	w   io.Writer
	bar *pb.ProgressBar
}

func newProgress(w io.Writer, quiet bool) *progress {
	file, ok := w.(*os.File)
	if quiet || !ok || !isatty.IsTerminal(file.Fd()) {
		return &progress{}
	}
	return &progress{w: w}
}

func (p *progress) start(jobs []job) {
	if p.w == nil {
		return
	}
	total := 0
	for _, j := range jobs {
		total += len(j.hashes)
	}
	p.bar = pb.New(total).SetWriter(p.w).SetTemplate(pb.Simple).Start()
}

func (p *progress) step() {
	if p.bar != nil {
		p.bar.Increment()
	}
}

func (p *progress) finish() {
	if p.bar != nil {
		p.bar.Finish()
	}
}
