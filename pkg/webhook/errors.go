package webhook

import "errors"

// What can be wrong with a webhook or a secret; match with [errors.Is]. All but
// [ErrSecret] are the sender's fault and deserve a 401 without details.
var (
	// ErrSecret: a signing secret of our own cannot be used. A fault of configuration.
	ErrSecret = errors.New("webhook: the secret cannot be used")
	// ErrHeader: a header that is needed is missing, or is not what it should be.
	ErrHeader = errors.New("webhook: a header is missing or malformed")
	// ErrTooOld: it was signed longer ago than the tolerance. It may be a replay.
	ErrTooOld = errors.New("webhook: the timestamp is too old")
	// ErrTooNew: it was signed further in the future than the tolerance. Check the clocks.
	ErrTooNew = errors.New("webhook: the timestamp is too far in the future")
	// ErrSignature: no signature is by one of the secrets. The body was changed, parsed and
	// written anew, or signed with another secret.
	ErrSignature = errors.New("webhook: no signature matches")
)
