package fcm

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
)

// listFaults handles GET /faults.
func (s *Server) listFaults(w http.ResponseWriter, _ *http.Request) {
	list := []Fault{}
	for _, f := range s.faults.all() {
		list = append(list, f.Fault)
	}
	writeJSON(w, http.StatusOK, list)
}

// addFaults handles POST /faults. It responds with the whole list.
func (s *Server) addFaults(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err != nil {
		writeProblem(w, err.Error())
		return
	}
	list, err := readFaults(body)
	if err == nil {
		err = s.AddFaults(list...)
	}
	if err != nil {
		writeProblem(w, err.Error())
		return
	}
	s.listFaults(w, r)
}

// readFaults reads one fault or an array of them, and refuses unknown fields.
func readFaults(body []byte) ([]Fault, error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if trimmed := bytes.TrimLeft(body, " \t\r\n"); len(trimmed) > 0 && trimmed[0] == '[' {
		var list []Fault
		err := d.Decode(&list)
		return list, err
	}
	var one Fault
	err := d.Decode(&one)
	return []Fault{one}, err
}

// clearFaults handles DELETE /faults.
func (s *Server) clearFaults(w http.ResponseWriter, _ *http.Request) {
	s.ClearFaults()
	w.WriteHeader(http.StatusNoContent)
}
