package postgres_test

import (
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

func TestReserve(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i, want := range []time.Duration{0, time.Minute, 2 * time.Minute} {
		wait, inTime, err := postgres.Reserve(t.Context(), w.db, "a", time.Minute, 2*time.Minute)
		succeed(t, "reserve", err)
		if !inTime || wait > want || wait < want-30*time.Second {
			t.Errorf("wait for turn %d: got %s, in time %v; want about %s", i, wait, inTime, want)
		}
	}
	_, inTime, err := postgres.Reserve(t.Context(), w.db, "a", time.Minute, 2*time.Minute)
	succeed(t, "reserve beyond patience", err)
	equal(t, "whether a turn beyond patience is reserved", inTime, false)
	_, inTime, err = postgres.Reserve(t.Context(), w.db, "b", time.Minute, 0)
	succeed(t, "reserve at another pace", err)
	equal(t, "whether a turn at another pace is reserved", inTime, true)

	succeed(t, "prune", w.Prune(t.Context(), w.now))
	const names = "select string_agg(name, ' ' order by name) from pacers"
	equal(t, "paces while turns are reserved", scan[string](t, w, names), "a b fcm")
	w.exec(t, "update pacers set next_at = next_at - interval '2 hours'")
	succeed(t, "prune", w.Prune(t.Context(), w.now))
	equal(t, "paces after two hours", scan[string](t, w, names), "fcm")
}

func TestPaceOfChallenges(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	of := func(name string, atOnce int) core.ChallengePace {
		return core.ChallengePace{Name: name, Every: time.Minute, AtOnce: atOnce}
	}
	person, host, other := of("person", 5), of("host", 3), of("other host", 3)
	pace := func(times int, paces ...core.ChallengePace) {
		t.Helper()
		for range times {
			succeed(t, "count a challenge", w.PaceChallenge(t.Context(), paces...))
		}
	}
	pace(3, person, host)
	wantCode(t, "one challenge too many to a host", w.PaceChallenge(t.Context(), person, host), core.CodeRateLimited)
	pace(2, person, other) // the refused challenge did not count
	wantCode(t, "one challenge too many of a person", w.PaceChallenge(t.Context(), person, other),
		core.CodeRateLimited)
	pace(1, other)
	succeed(t, "give back a challenge", w.UnpaceChallenge(t.Context(), person, other))
	pace(1, person, other)
}
