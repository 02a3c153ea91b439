package webhook

import "fmt"

// maxChallengeLength is more than the challenges of Sininho have.
const maxChallengeLength = 64

// SignChallenge returns the response that confirms an event endpoint: the signature of the challenge instead of the
// body, under the ID and the Timestamp of m, which [Verify] returned for the request. Respond with it as text and a
// status of 200.
//
// It fails with [ErrSecret], or with [ErrChallenge] unless the challenge has 1 to 64 letters and digits: a receiver
// that signed anything else could be made to sign an event.
func SignChallenge(m Message, challenge string, secrets ...string) (string, error) {
	if challenge == "" || len(challenge) > maxChallengeLength {
		return "", fmt.Errorf("%w: it has 1 to %d characters", ErrChallenge, maxChallengeLength)
	}
	for _, r := range challenge {
		if (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') {
			return "", fmt.Errorf("%w: it has only letters and digits", ErrChallenge)
		}
	}
	m.Body = []byte(challenge)
	header, err := Sign(m, secrets...)
	return header.Get(HeaderSignature), err
}
