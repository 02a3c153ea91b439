package sininhotest

import (
	"net/http"
	"strings"
	"time"

	"github.com/sininho/sininho/pkg/sininho"
)

// signIn is a device sign-in that is under way.
type signIn struct {
	sininho.DeviceSignIn
	answered, approved bool
}

func (s *Server) signInRoutes(mux *http.ServeMux) {
	mux.HandleFunc("DELETE /api/v1/auth", s.locked(s.signOut))
	mux.HandleFunc("POST /api/v1/auth/device", s.locked(s.beginSignIn))
	mux.HandleFunc("POST /api/v1/auth/device/token", s.locked(s.takeToken))
}

func (s *Server) signOut(w http.ResponseWriter, r *http.Request) {
	delete(s.store.secrets, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
	w.WriteHeader(http.StatusNoContent)
}

// AnswerDeviceSignIn confirms, or refuses, the device sign-in with this user code as
// ana@example.com. It fails the test when there is none.
func (s *Server) AnswerDeviceSignIn(userCode string, approve bool) {
	s.t.Helper()
	s.store.mu.Lock()
	defer s.store.mu.Unlock()
	in := s.store.signIns[userCode]
	if in == nil {
		s.t.Errorf("sininhotest: there is no device sign-in %s", userCode)
		return
	}
	in.answered, in.approved = true, approve
}

func (s *Server) beginSignIn(w http.ResponseWriter, _ *http.Request) {
	const letters = "BCDFGHJKLMNPQRSTVWXZ"
	var code strings.Builder
	for i, b := range []byte(strings.ReplaceAll(newID(), "-", ""))[24:] {
		if i == 4 {
			code.WriteByte('-')
		}
		code.WriteByte(letters[b%byte(len(letters))])
	}
	in := &signIn{DeviceSignIn: sininho.DeviceSignIn{
		DeviceCode: newID(), UserCode: code.String(), VerificationURL: s.URL + "/login/device",
		VerificationURLComplete: s.URL + "/login/device?code=" + code.String(), ExpiresIn: 900, Interval: 1,
	}}
	s.store.signIns[in.UserCode] = in
	writeJSON(w, http.StatusOK, in.DeviceSignIn)
}

func (s *Server) takeToken(w http.ResponseWriter, r *http.Request) {
	given := decoded[struct{ DeviceCode string }](r)
	for code, in := range s.store.signIns {
		switch {
		case in.DeviceCode != given.DeviceCode:
			continue
		case !in.answered:
			writeProblem(w, problem(http.StatusBadRequest, "authorization_pending", "The person has not confirmed yet."))
			return
		}
		delete(s.store.signIns, code)
		if !in.approved {
			writeProblem(w, problem(http.StatusBadRequest, sininho.CodeAccessDenied, "The person refused."))
			return
		}
		writeJSON(w, http.StatusOK, sininho.DeviceToken{AccessToken: s.store.addToken("test", time.Time{}), Subscriber: s.store.me})
		return
	}
	writeProblem(w, problem(http.StatusBadRequest, sininho.CodeExpiredToken, "The sign-in is over."))
}
