package core

import (
	"testing"
	"time"

	"github.com/sininho/sininho/server/lab/check"
)

func TestChallengeConfirms(t *testing.T) {
	t.Parallel()
	sent := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	const challenge, address = "3kTMd8yWqvXb2RzLpN5cHs", "https://example.com/hook"
	s := EventSecrets{ChallengeHash: hashChallenge(challenge, address), ChallengedAt: &sent}
	for _, c := range []struct {
		what               string
		secrets            EventSecrets
		challenge, address string
		after              time.Duration
		want               bool
	}{
		{"the challenge at once", s, challenge, address, 0, true},
		{"the challenge at the end of its hour", s, challenge, address, time.Hour - time.Second, true},
		{"the challenge after its hour", s, challenge, address, time.Hour, false},
		{"another challenge", s, "x", address, 0, false},
		{"the challenge of another address", s, challenge, address + "/", 0, false},
		{"no challenge", EventSecrets{}, "", "", 0, false},
	} {
		check.Equal(t, c.what+" confirms", c.secrets.confirms(c.challenge, c.address, sent.Add(c.after)), c.want)
	}
}
