package core

import "time"

// ErrChanged says that something was changed since the caller has seen it.
func ErrChanged() *Error {
	return &Error{Code: CodeChanged, Detail: Text{"It was changed since you have seen it. Read it again, and repeat your change on what it is now.",
		"Foi alterado desde que o viu. Leia-o de novo e repita a sua alteração sobre o que é agora."}}
}

// CheckSeen refuses an edit that is based on another version than there is. A version is the time of the latest change;
// seen is nil when the caller does not say which they have seen. Stores call it under a lock.
func CheckSeen(seen *time.Time, is time.Time) error {
	if seen != nil && !seen.Equal(is) {
		return ErrChanged()
	}
	return nil
}
