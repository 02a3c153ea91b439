//go:build !race

package servertest_test

const raceDetector = false
