package command

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// credentials is the content of the file that 'sininho login' writes, which only its owner can read.
type credentials struct {
	// Current is the account in use: the latest one signed in to or chosen.
	Current string `json:"current,omitzero"`
	// Servers has a credential for each account by its name; an account without a name is listed
	// under its server's origin.
	Servers map[string]credential `json:"servers"`
}

type credential struct {
	// Server is the origin of a named account.
	Server  string    `json:"server,omitzero"`
	Secret  string    `json:"secret"`
	Account string    `json:"account"`
	SavedAt time.Time `json:"savedAt"`
	// ExpiresAt is zero if the secret does not expire.
	ExpiresAt time.Time `json:"expiresAt,omitzero"`
}

// source is where a credential comes from.
type source string

const (
	fromEnvironment source = "SININHO_API_KEY"
	fromKeyFile     source = keyFile
	fromLogin       source = "sininho login"
)

// isAPIKey reports whether a secret is a publisher's API key, which does not sign in a person.
func isAPIKey(secret string) bool { return strings.HasPrefix(secret, "snh_") }

// secret returns the credential to call with: that of --account, otherwise of the environment,
// otherwise the sign-in at this server, otherwise "". A sign-in is only used at its own server.
func (s *session) secret() (string, error) {
	if s.account == "" {
		key, from, err := s.environmentKey()
		if key != "" || err != nil {
			s.source = from
			return key, err
		}
	}
	saved, err := s.signedInAs()
	return saved.Secret, err
}

// personalSecret is secret for commands that an API key cannot run: it prefers the sign-in to an
// API key in the environment.
func (s *session) personalSecret() (string, error) {
	secret, err := s.secret()
	if err != nil || !isAPIKey(secret) {
		return secret, err
	}
	from := s.source
	if from == fromLogin {
		return "", &apiKeyError{fromLogin}
	}
	saved, err := s.signedInAs()
	switch {
	case err != nil:
		return "", err
	case saved.Secret == "" || isAPIKey(saved.Secret):
		return "", &apiKeyError{from}
	}
	s.talk("Acting as %s: an API key cannot do this, so %s is not used.", saved.Account, from)
	return saved.Secret, nil
}

// signedInAs returns the sign-in at this server, or a zero credential.
func (s *session) signedInAs() (credential, error) {
	saved, err := s.credentials()
	if err != nil {
		return credential{}, err
	}
	if err := s.checkAccount(saved); err != nil {
		return credential{}, err
	}
	s.source = fromLogin
	return saved.Servers[s.accountName(saved)], nil
}

// apiKeyError means that a command needs a person but found only an API key.
type apiKeyError struct{ source source }

// Error implements error.
func (e *apiKeyError) Error() string { return "an API key cannot do this" }

// serverName normalizes an origin to the form used in the file.
func serverName(origin string) string {
	base, err := baseURL(strings.TrimSpace(origin))
	if err != nil {
		return origin
	}
	u, err := url.Parse(strings.TrimSuffix(base, "/api/v1"))
	if err != nil {
		return origin
	}
	u.Host = strings.ToLower(u.Host)
	return u.String()
}

// credentialsPath returns the path of the file, or "" if no directory is known for it.
func (s *session) credentialsPath() string {
	dir := s.env("XDG_CONFIG_HOME")
	if !filepath.IsAbs(dir) && runtime.GOOS == "windows" {
		dir = s.env("AppData")
	}
	if !filepath.IsAbs(dir) && s.env("HOME") != "" {
		dir = filepath.Join(s.env("HOME"), ".config")
	}
	if !filepath.IsAbs(dir) {
		return ""
	}
	return filepath.Join(dir, "sininho", "credentials.json")
}

// credentials reads the file once; a missing file has no credentials.
func (s *session) credentials() (*credentials, error) {
	if s.saved != nil {
		return s.saved, nil
	}
	saved := &credentials{Servers: map[string]credential{}}
	path := s.credentialsPath()
	text, err := os.ReadFile(path)
	switch {
	case path == "" || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) ||
		errors.Is(err, syscall.ENOTDIR):
		// Nothing was saved, for example because the home of a service is /dev/null.
	case err != nil:
		return nil, err
	default:
		if err := json.Unmarshal(text, saved); err != nil || saved.Servers == nil {
			return nil, fmt.Errorf("%s is not a file of 'sininho login'; delete it and sign in again", path)
		}
		s.warnOfReaders(path)
	}
	s.saved = saved
	return saved, nil
}

// warnOfReaders warns if other users of the machine can read the file.
func (s *session) warnOfReaders(path string) {
	info, err := os.Stat(path)
	if err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		s.talk("Others on this machine can read %s; run: chmod 600 %s", path, path)
	}
}

// remember saves a credential for the requested account, or for this server, and makes it the current one.
func (s *session) remember(c credential) error {
	saved, err := s.credentials()
	if err != nil {
		return err
	}
	server := serverName(s.origin())
	name := cmp.Or(s.requestedAccount(), server)
	if name != server {
		c.Server = server
	}
	saved.Servers[name] = c
	saved.Current = name
	return s.writeCredentials(saved)
}

// forget deletes the credential of this account, and the file with the last one.
func (s *session) forget() error {
	saved, err := s.credentials()
	if err != nil {
		return err
	}
	name := s.accountName(saved)
	delete(saved.Servers, name)
	if saved.Current == name {
		saved.Current = ""
	}
	if len(saved.Servers) > 0 {
		return s.writeCredentials(saved)
	}
	if err := os.Remove(s.credentialsPath()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (s *session) writeCredentials(saved *credentials) error {
	path := s.credentialsPath()
	if path == "" {
		return errors.New("there is no place to save the sign-in: neither XDG_CONFIG_HOME nor HOME is set; " +
			"set SININHO_API_KEY instead")
	}
	text, err := json.MarshalIndent(saved, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return writePrivately(path, append(text, '\n'))
}

// writePrivately atomically writes a file that only its owner can read.
func writePrivately(path string, text []byte) error {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*") // 0600
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}
