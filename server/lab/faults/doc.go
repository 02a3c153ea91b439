// Package faults shows what becomes of the promise of docs/delivery.md when something breaks: nodes of the built
// server are killed, PostgreSQL is stopped, connections are cut, and the push service fails. docs/guarantees.md lists
// every fault with its outcome and its test. There is only test code here.
//
// An installation is one database, one stand-in of the push service and any number of nodes, each a process of its own.
// A ledger holds every request that the test's publishers made, with its key, response and time. In the end a judge
// joins the ledger, the database and the push service's record by SQL, over every id.
//
// There is a file for each kind of fault: process, database, network, push, stream and input. Tests that take longer
// than a few seconds call long, which skips them unless FAULTS=all is set, as `make test-faults` does. It is a variable
// and not a build tag so that all of them are compiled, linted and listed by every run.
package faults
