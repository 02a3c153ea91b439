package sininhotest

import (
	"net/http"
	"slices"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/pkg/sininho"
)

func (s *Server) listDevices(w http.ResponseWriter, r *http.Request) {
	var all []sininho.Device
	for _, d := range s.store.devices {
		all = append(all, *d)
	}
	writePage(w, r, all)
}

func (s *Server) registerDevice(w http.ResponseWriter, r *http.Request) {
	in := decoded[api.DeviceInput](r)
	status := http.StatusOK
	i := slices.IndexFunc(s.store.devices, func(d *sininho.Device) bool { return d.InstallationID == in.InstallationID })
	if i < 0 {
		status = http.StatusCreated
		s.store.devices = slices.Insert(s.store.devices, 0, &sininho.Device{ID: newID(), InstallationID: in.InstallationID, CreatedAt: now()})
		i = 0
	}
	d := s.store.devices[i]
	d.Kind, d.Platform, d.Name, d.LastSeenAt = string(in.Kind), string(in.Platform), in.Name, now()
	writeJSON(w, status, *d)
}

func (s *Server) oneDevice(w http.ResponseWriter, r *http.Request) {
	i := slices.IndexFunc(s.store.devices, func(d *sininho.Device) bool { return d.ID == r.PathValue("id") })
	switch {
	case r.Method == http.MethodDelete:
		if i >= 0 {
			s.store.devices = slices.Delete(s.store.devices, i, i+1)
		}
		w.WriteHeader(http.StatusNoContent)
	case i < 0:
		notFound(w)
	default:
		*s.store.devices[i] = merged(r, *s.store.devices[i])
		writeJSON(w, http.StatusOK, *s.store.devices[i])
	}
}

func (s *Server) testDevice(w http.ResponseWriter, r *http.Request) {
	if !slices.ContainsFunc(s.store.devices, func(d *sininho.Device) bool { return d.ID == r.PathValue("id") }) {
		notFound(w)
		return
	}
	writeJSON(w, http.StatusOK, sininho.DeviceTest{Outcome: sininho.DeviceAccepted})
}
