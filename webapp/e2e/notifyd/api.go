package main

import (
	"encoding/json"
	"net/http"
	"strconv"
)

func (d *daemon) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /notes", d.listNotes)
	mux.HandleFunc("DELETE /notes", d.clearNotes)
	mux.HandleFunc("POST /invoke/{id}/{action}", d.clickNote)
	mux.HandleFunc("POST /close/{id}", d.closeNote)
	return mux
}

func (d *daemon) listNotes(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(d.notes.list())
}

func (d *daemon) clearNotes(w http.ResponseWriter, _ *http.Request) {
	d.notes.clear()
	w.WriteHeader(http.StatusNoContent)
}

func (d *daemon) clickNote(w http.ResponseWriter, r *http.Request) {
	n, ok := d.openNote(w, r)
	if !ok {
		return
	}
	if !n.has(r.PathValue("action")) {
		http.Error(w, "the note has no such action", http.StatusNotFound)
		return
	}
	if err := d.invoke(n.ID, r.PathValue("action")); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func (d *daemon) closeNote(w http.ResponseWriter, r *http.Request) {
	n, ok := d.openNote(w, r)
	if !ok {
		return
	}
	if _, err := d.close(n.ID, dismissed); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// openNote returns the open note that the request names. It writes an error response if there is none.
func (d *daemon) openNote(w http.ResponseWriter, r *http.Request) (note, bool) {
	id, err := strconv.ParseUint(r.PathValue("id"), 10, 32)
	n, ok := d.notes.get(uint32(id))
	switch {
	case err != nil || !ok:
		http.Error(w, "no such note", http.StatusNotFound)
	case n.Closed:
		http.Error(w, "the note is closed", http.StatusConflict)
	default:
		return n, true
	}
	return note{}, false
}
