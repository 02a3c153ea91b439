package sininhotest

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/waitlistapi"
)

// waiting is an entry of the waiting list, with what is e-mailed.
type waiting struct {
	sininho.WaitlistEntry
	token, code string
	referrer    *waiting
}

func (s *Server) waitlistRoutes(mux *http.ServeMux) {
	const path = "/api/v1/waitlist"
	mux.HandleFunc("GET "+path+"/entries", s.locked(func(w http.ResponseWriter, r *http.Request) { writePage(w, r, s.waitlist(r)) }))
	mux.HandleFunc("POST "+path+"/entries", s.locked(s.join))
	mux.HandleFunc("GET "+path+"/entries/export", s.locked(s.exportWaitlist))
	mux.HandleFunc("GET "+path+"/entries/{token}", s.locked(s.inWaitlist(s.writePlace)))
	mux.HandleFunc("POST "+path+"/entries/{token}/confirm", s.locked(s.inWaitlist(s.confirm)))
	mux.HandleFunc("DELETE "+path+"/entries/{token}", s.locked(s.inWaitlist(s.leave)))
	mux.HandleFunc("POST "+path+"/invitations", s.locked(s.once(s.invite)))
}

// WaitlistToken gives the token that was e-mailed to an address which joined the waiting
// list; it is empty for any other.
func (s *Server) WaitlistToken(email string) string {
	s.store.mu.Lock()
	defer s.store.mu.Unlock()
	if e := s.store.waits(email); e != nil {
		return e.token
	}
	return ""
}

func (s *store) waits(email string) *waiting {
	i := slices.IndexFunc(s.waiting, func(e *waiting) bool { return strings.EqualFold(e.Email, email) })
	if i < 0 {
		return nil
	}
	return s.waiting[i]
}

func (s *store) enter(email string) *waiting {
	if e := s.waits(email); e != nil {
		return e
	}
	e := &waiting{token: "swt_" + text(), code: text()[:8]}
	e.ID, e.Email, e.Locale, e.Status, e.CreatedAt = newID(), email, "pt", sininho.WaitlistUnconfirmed, now()
	s.waiting = append(s.waiting, e)
	return e
}

func text() string { return strings.ReplaceAll(uuid.NewString(), "-", "") }

func (s *Server) join(w http.ResponseWriter, r *http.Request) {
	in := decoded[waitlistapi.WaitlistEntryInput](r)
	known := s.store.waits(in.Email) != nil
	if e := s.store.enter(in.Email); !known {
		if in.Name != nil {
			e.Name = *in.Name
		}
		if in.ReferralCode != nil {
			e.referrer = s.store.referrer(*in.ReferralCode, e)
		}
	}
	writeJSON(w, http.StatusAccepted, map[string]any{"status": "accepted"})
}

func (s *store) referrer(code string, of *waiting) *waiting {
	for _, e := range s.waiting {
		if e.code == code && e != of {
			of.ReferredBy = e.Email
			return e
		}
	}
	return nil
}

func (s *Server) inWaitlist(h func(http.ResponseWriter, *http.Request, *waiting)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for _, e := range s.store.waiting {
			if e.token == r.PathValue("token") {
				h(w, r, e)
				return
			}
		}
		notFound(w)
	}
}

func (s *Server) confirm(w http.ResponseWriter, r *http.Request, e *waiting) {
	if e.Status == sininho.WaitlistUnconfirmed {
		e.Status, e.ConfirmedAt = sininho.WaitlistWaiting, now()
		if e.referrer != nil {
			e.referrer.Referrals++
		}
	}
	s.writePlace(w, r, e)
}

func (s *Server) leave(w http.ResponseWriter, _ *http.Request, e *waiting) {
	s.store.waiting = slices.DeleteFunc(s.store.waiting, func(other *waiting) bool { return other == e })
	w.WriteHeader(http.StatusNoContent)
}

func (s *Server) writePlace(w http.ResponseWriter, _ *http.Request, e *waiting) {
	ordered := s.store.ordered()
	place := sininho.WaitlistPlace{Email: e.Email, Name: e.Name, Status: e.Status, Referrals: e.Referrals, ReferralCode: e.code,
		ReferralURL: s.URL + "/?ref=" + e.code, CreatedAt: e.CreatedAt, ConfirmedAt: e.ConfirmedAt, InvitedAt: e.InvitedAt}
	for _, other := range ordered {
		if other.Position > 0 {
			place.Total++
		}
		if other.ID == e.ID {
			place.Position = other.Position
		}
	}
	writeJSON(w, http.StatusOK, place)
}

// ordered is the list as it is invited, with the positions of those who wait.
func (s *store) ordered() []sininho.WaitlistEntry {
	list := []sininho.WaitlistEntry{}
	for _, e := range s.waiting {
		list = append(list, e.WaitlistEntry)
	}
	slices.SortStableFunc(list, func(a, b sininho.WaitlistEntry) int {
		if n := cmp.Compare(btoi(b.Status == sininho.WaitlistWaiting), btoi(a.Status == sininho.WaitlistWaiting)); n != 0 {
			return n
		}
		if a.Status != sininho.WaitlistWaiting {
			return b.CreatedAt.Compare(a.CreatedAt)
		}
		return cmp.Or(cmp.Compare(b.Referrals, a.Referrals), a.ConfirmedAt.Compare(b.ConfirmedAt))
	})
	for i := range list {
		if list[i].Status == sininho.WaitlistWaiting {
			list[i].Position = int64(i) + 1
		}
	}
	return list
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// waitlist is what a list or an export asks for.
func (s *Server) waitlist(r *http.Request) []sininho.WaitlistEntry {
	words, status := strings.ToLower(r.URL.Query().Get("q")), r.URL.Query().Get("status")
	return slices.DeleteFunc(s.store.ordered(), func(e sininho.WaitlistEntry) bool {
		return !strings.Contains(strings.ToLower(e.Email+" "+e.Name), words) || status != "" && string(e.Status) != status
	})
}

func (s *Server) exportWaitlist(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/csv")
	out := csv.NewWriter(w)
	_ = out.Write([]string{"id", "email", "name", "status", "position", "referrals", "locale", "createdAt", "confirmedAt", "invitedAt", "joinedAt"})
	for _, e := range s.waitlist(r) {
		_ = out.Write([]string{e.ID, e.Email, e.Name, string(e.Status), strconv.FormatInt(e.Position, 10), strconv.FormatInt(e.Referrals, 10),
			e.Locale, when(e.CreatedAt), when(e.ConfirmedAt), when(e.InvitedAt), when(e.JoinedAt)})
	}
	out.Flush()
}

func when(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339)
}

func (s *Server) invite(_ *http.Request, body []byte) (int, any) {
	var in waitlistapi.InvitationInput
	_ = json.Unmarshal(body, &in)
	emails := in.Emails
	if in.Next != nil {
		for _, e := range s.store.ordered() {
			if e.Status == sininho.WaitlistWaiting && len(emails) < int(*in.Next) {
				emails = append(emails, e.Email)
			}
		}
	}
	invited := []sininho.WaitlistEntry{}
	for _, email := range emails {
		e := s.store.enter(email)
		if e.Status != sininho.WaitlistJoined {
			e.Status, e.InvitedAt = sininho.WaitlistInvited, now()
		}
		invited = append(invited, e.WaitlistEntry)
	}
	return http.StatusOK, map[string]any{"data": invited}
}
