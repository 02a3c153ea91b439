package webui

import (
	"bytes"
	"io"
)

// shell is index.html, whose head the server replaces.
type shell struct {
	index         *file
	before, after []byte
}

// Marks of the part of index.html that is replaced.
const (
	headBegins = "<!-- head -->"
	headEnds   = "<!-- /head -->"
)

// newShell leaves an index.html without marks as it is.
func newShell(index *file) shell {
	page, _ := io.ReadAll(index.plain())
	before, rest, begins := bytes.Cut(page, []byte(headBegins))
	_, after, ends := bytes.Cut(rest, []byte(headEnds))
	if !begins || !ends {
		return shell{index: index}
	}
	return shell{index, before, after}
}

// with returns the app with a head.
func (s shell) with(head []byte) *file {
	if s.after == nil {
		return s.index
	}
	return newCompressedFile("index.html", bytes.Join([][]byte{s.before, head, s.after}, nil))
}
