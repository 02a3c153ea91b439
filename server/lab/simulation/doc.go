// Package simulation runs many faults at once against three nodes of the built server, and has a checker judge what
// their clients saw. There is only test code here, and in the packages below:
//
//   - history is what a run writes: every invocation and its completion, as Jepsen does;
//   - checker judges a history against a model of the promise of docs/delivery.md, and knows nothing else;
//   - judge is a command that judges histories again that a failed run has kept.
//
// A seed draws everything before anything runs (draw_test.go): what each caller does, with which pauses and at which
// node, and what breaks when and for how long. The same seed draws the same, but threads and processes interleave anew
// each time.
//
// A run (run_test.go) has publishers, followers with devices, streams, and four sequences of faults: of processes, of
// connections and PostgreSQL, of the push service, and of clocks. Then everything is healed, and a run waits for
// conditions and observes. Pauses and repetitions that would still take long are moved up in the database, as if time
// had passed; `make test-faults` waits for them.
package simulation
