// Package metrics counts what a node does, for the operators' screens and for Prometheus. It serves the counts with the
// profiles of net/http/pprof on an address of their own.
//
// Each part of the server has a type here: HTTP, Live, Delivery, Jobs, Pictures and Replicas. Its methods allocate
// nothing, and may be called on nil, which counts nothing. No label has a value that a caller chooses: no id, name,
// path or secret.
package metrics
