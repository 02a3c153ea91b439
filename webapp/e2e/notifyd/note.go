package main

import (
	"slices"
	"sync"
)

// note is a notification that an application sent.
type note struct {
	ID      uint32 `json:"id"`
	App     string `json:"app"`
	Summary string `json:"summary"`
	Body    string `json:"body"`
	Icon    string `json:"icon"`
	// Actions can be clicked, by key.
	Actions []action `json:"actions"`
	// Replaced counts how often the application replaced the content.
	Replaced int  `json:"replaced"`
	Closed   bool `json:"closed"`
}

type action struct {
	Key   string `json:"key"`
	Label string `json:"label"`
}

// readActions reads keys and labels, which alternate.
func readActions(flat []string) []action {
	actions := []action{}
	for pair := range slices.Chunk(flat, 2) {
		if len(pair) == 2 {
			actions = append(actions, action{pair[0], pair[1]})
		}
	}
	return actions
}

func (n note) has(key string) bool {
	return slices.ContainsFunc(n.Actions, func(a action) bool { return a.Key == key })
}

// notes holds the notes received since the start or since they were cleared.
type notes struct {
	mu   sync.Mutex
	last uint32
	all  []note
}

// put keeps a note, in place of another if that is still open, and returns its id.
func (ns *notes) put(n note, replaces uint32) uint32 {
	ns.mu.Lock()
	defer ns.mu.Unlock()
	if old := ns.find(replaces); old != nil && !old.Closed {
		n.ID, n.Replaced = old.ID, old.Replaced+1
		*old = n
		return n.ID
	}
	ns.last++
	n.ID = ns.last
	ns.all = append(ns.all, n)
	return n.ID
}

// find returns the note with an id, or nil. The caller holds the lock.
func (ns *notes) find(id uint32) *note {
	for i := range ns.all {
		if ns.all[i].ID == id {
			return &ns.all[i]
		}
	}
	return nil
}

func (ns *notes) get(id uint32) (note, bool) {
	ns.mu.Lock()
	defer ns.mu.Unlock()
	if n := ns.find(id); n != nil {
		return *n, true
	}
	return note{}, false
}

// close reports whether the note was open.
func (ns *notes) close(id uint32) bool {
	ns.mu.Lock()
	defer ns.mu.Unlock()
	n := ns.find(id)
	if n == nil || n.Closed {
		return false
	}
	n.Closed = true
	return true
}

func (ns *notes) list() []note {
	ns.mu.Lock()
	defer ns.mu.Unlock()
	return append([]note{}, ns.all...)
}

func (ns *notes) clear() {
	ns.mu.Lock()
	defer ns.mu.Unlock()
	ns.all = nil
}
