package command

import (
	"fmt"
	"os"
	"strings"
)

// keyFile is the variable with the path of a file that has the credential, as systemd and Docker hand secrets out.
const keyFile = "SININHO_API_KEY_FILE"

// keyFileError means that the file has no key that can be used.
type keyFileError struct{ reason string }

// Error implements error.
func (e *keyFileError) Error() string { return keyFile + ": " + e.reason }

// environmentKey returns the credential of the environment, and the variable that it comes from; both are empty if
// there is none.
func (s *session) environmentKey() (string, source, error) {
	if key := strings.TrimSpace(s.env(string(fromEnvironment))); key != "" {
		return key, fromEnvironment, nil
	}
	path := s.env(keyFile)
	if path == "" {
		return "", "", nil
	}
	key, err := s.readKey(path)
	return key, fromKeyFile, err
}

// readKey reads a file that has nothing but a key.
func (s *session) readKey(path string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", &keyFileError{err.Error()}
	}
	switch words := strings.Fields(string(text)); len(words) {
	case 0:
		return "", &keyFileError{path + " is empty"}
	case 1:
		s.warnOfReaders(path)
		return words[0], nil
	default:
		return "", &keyFileError{fmt.Sprintf("%s has %d words; it must have nothing but the key", path, len(words))}
	}
}

// hasEnvironmentKey reports whether a credential of the environment takes precedence over saved ones.
func (s *session) hasEnvironmentKey() bool {
	return s.env(string(fromEnvironment)) != "" || s.env(keyFile) != ""
}
