// Package metrics counts what a node does, for Prometheus, and serves the counts with the profiles of net/http/pprof on
// an address of their own.
//
// Each part of the server has a type here: HTTP, Live, Delivery, Jobs, Pictures and Replicas. Its methods may be called
// on nil, which counts nothing, so that a server without metrics pays nothing for them. They allocate nothing. No label
// has a value that a caller chooses: no id, name, path or secret.
package metrics
