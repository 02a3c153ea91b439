//go:build race

package servertest_test

// raceDetector reports whether the race detector is on, which takes several times as much memory.
const raceDetector = true
