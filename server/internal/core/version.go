package core

import "time"

// ErrChanged returns the error for an object that changed after the caller read it.
func ErrChanged() *Error {
	return &Error{Code: CodeChanged,
		Detail: Text{EN: "It has changed since you read it. Read it again and repeat your change.",
			PT: "Foi alterado desde que o leu. Leia-o novamente e repita a sua alteração."}}
}

// CheckSeen returns ErrChanged if the caller's edit is based on the version seen, but the current version is another. A
// version is the time of the latest change; seen is nil when the caller names no version. Stores call CheckSeen while
// they hold a lock on the object.
func CheckSeen(seen *time.Time, is time.Time) error {
	if seen != nil && !seen.Equal(is) {
		return ErrChanged()
	}
	return nil
}
