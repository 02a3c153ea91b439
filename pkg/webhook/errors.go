package webhook

import "errors"

// Errors returned by [Sign], [Verify], [SignChallenge] and [CheckSecret]; match them with [errors.Is]. When Verify
// returns any of them but [ErrSecret], the sender is at fault: respond 401 without details.
var (
	// ErrSecret means that one of your own signing secrets cannot be used: a configuration error.
	ErrSecret = errors.New("webhook: the secret cannot be used")
	// ErrHeader means that a required header is missing or malformed.
	ErrHeader = errors.New("webhook: a header is missing or malformed")
	// ErrTooOld means that the webhook was signed longer ago than the tolerance. It may be a replay.
	ErrTooOld = errors.New("webhook: the timestamp is too old")
	// ErrTooNew means that the timestamp is further in the future than the tolerance. Check the clocks.
	ErrTooNew = errors.New("webhook: the timestamp is too far in the future")
	// ErrSignature means that no signature was made with one of the secrets: the body was changed,
	// was parsed and encoded again, or was signed with another secret.
	ErrSignature = errors.New("webhook: no signature matches")
	// ErrChallenge means that [SignChallenge] refuses to sign the text.
	ErrChallenge = errors.New("webhook: not a challenge")
)
