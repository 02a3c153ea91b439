package fcm

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// A Firebase installation id has 22 characters, the first of which is one of four.
var installationID = regexp.MustCompile(`^[cdef][A-Za-z0-9_-]{21}$`)

const authLifetime = 7 * 24 * time.Hour

type authToken struct {
	Token     string `json:"token"`
	ExpiresIn string `json:"expiresIn"`
}

// createInstallation registers an installation of the web SDK. The browser proposes an id and stores it.
func (s *Server) createInstallation(w http.ResponseWriter, r *http.Request) {
	var in struct {
		FID   string `json:"fid"`
		AppID string `json:"appId"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&in); err != nil {
		invalid("", "Invalid JSON payload received. "+err.Error()).write(w)
		return
	}
	if in.AppID == "" {
		invalid("installation.app_id", "Request contains an invalid argument.").write(w)
		return
	}
	if !installationID.MatchString(in.FID) {
		in.FID = newInstallationID()
	}
	writeJSON(w, http.StatusOK, struct {
		Name         string    `json:"name"`
		FID          string    `json:"fid"`
		RefreshToken string    `json:"refreshToken"`
		AuthToken    authToken `json:"authToken"`
	}{
		"projects/" + r.PathValue("project") + "/installations/" + in.FID, in.FID, "3_" + random(32),
		newAuthToken(in.FID),
	})
}

// generateAuthToken renews the token of an installation. It accepts any refresh token, because browsers keep theirs
// longer than a stand-in runs.
func (s *Server) generateAuthToken(w http.ResponseWriter, r *http.Request) {
	if !strings.HasPrefix(r.Header.Get("Authorization"), "FIS_v2 ") {
		noCredentials.write(w)
		return
	}
	writeJSON(w, http.StatusOK, newAuthToken(r.PathValue("fid")))
}

func (s *Server) deleteInstallation(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, struct{}{})
}

// newAuthToken returns a token in the form of the real one, a JWT with the installation's id and a fake signature.
func newAuthToken(fid string) authToken {
	claims, err := json.Marshal(map[string]any{"fid": fid, "exp": time.Now().Add(authLifetime).Unix()})
	if err != nil {
		panic(err) // a string and a number can always be marshaled
	}
	part := base64.RawURLEncoding.EncodeToString
	return authToken{part([]byte(`{"alg":"ES256","typ":"JWT"}`)) + "." + part(claims) + "." + random(32), "604800s"}
}

// installationOf reads the installation from the header that the web SDK sends with registrations.
func installationOf(r *http.Request) (fid string, ok bool) {
	token, ok := strings.CutPrefix(r.Header.Get("X-Goog-Firebase-Installations-Auth"), "FIS ")
	parts := strings.Split(token, ".")
	if !ok || len(parts) != 3 {
		return "", false
	}
	var claims struct{ FID string }
	if decodePart(parts[1], &claims) != nil || claims.FID == "" {
		return "", false
	}
	return claims.FID, true
}

func newInstallationID() string {
	var b [17]byte
	_, _ = rand.Read(b[:]) // never fails
	b[0] = 0x70 | b[0]&0x0f
	return base64.RawURLEncoding.EncodeToString(b[:])[:22]
}

// random returns text made of the given number of random bytes.
func random(bytes int) string {
	b := make([]byte, bytes)
	_, _ = rand.Read(b) // never fails
	return base64.RawURLEncoding.EncodeToString(b)
}
