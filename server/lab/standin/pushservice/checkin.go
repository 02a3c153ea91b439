package pushservice

import (
	"crypto/rand"
	"encoding/binary"
	"io"
	"net/http"
	"time"
)

const maxBody = 1 << 20

// checkin makes a browser a device by giving it an id and a secret. A browser that sends a valid pair keeps it.
//
// The fields are those of AndroidCheckinRequest and AndroidCheckinResponse.
func (s *Service) checkin(w http.ResponseWriter, r *http.Request) {
	const (
		askID, askSecret = 2, 13
		statsOK          = 1
		timeMsec         = 3
		androidID        = 7
		token            = 8
	)
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	ask, err := readFields(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	id, secret := ask.numbers[askID], ask.numbers[askSecret]
	if s.device(id, secret) == nil {
		id, secret = s.newDevice()
	}
	w.Header().Set("Content-Type", "application/x-protobuf")
	_, _ = w.Write(
		buffer{}.int(statsOK, 1).int(timeMsec, uint64(time.Now().UnixMilli())).fixed(androidID, id).
			fixed(token, secret),
	)
}

func (s *Service) newDevice() (id, secret uint64) {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	id, secret = binary.LittleEndian.Uint64(b[:])>>1|1, binary.LittleEndian.Uint64(b[8:])>>1|1
	s.device(id, secret)
	return id, secret
}

// device returns the device with an id, or nil if the secret is wrong. An unknown device is added, because its browser
// checked in during an earlier run.
func (s *Service) device(id, secret uint64) *device {
	if id == 0 || secret == 0 {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.devices[id]
	if d == nil {
		d = &device{secret: secret}
		s.devices[id] = d
	}
	if d.secret != secret {
		return nil
	}
	return d
}
