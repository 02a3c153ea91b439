package checker

import "time"

// register is something that operations write and read.
type register[T comparable] struct{ writes []write[T] }

// write is one of a register's writes. It took effect once, between from and to, if it is sure; otherwise it did so or
// never did.
type write[T comparable] struct {
	from, to time.Duration
	value    T
	sure     bool
}

// newRegister returns a register with its first value.
func newRegister[T comparable](first T) *register[T] {
	return &register[T]{[]write[T]{{from: -1, to: -1, value: first, sure: true}}}
}

func (r *register[T]) write(from, to time.Duration, value T, sure bool) {
	r.writes = append(r.writes, write[T]{from, to, value, sure})
}

// writeOp writes by an operation.
func (r *register[T]) writeOp(o op, value T) {
	if o.maybe() {
		r.write(o.from, o.to, value, o.done())
	}
}

// between returns the values that the register may have had at some time between from and to: those of the writes that
// had begun, and that no other surely followed before.
func (r *register[T]) between(from, to time.Duration) values[T] {
	var all values[T]
	for _, w := range r.writes {
		if w.from <= to && !r.overwritten(w, from) && !all.may(w.value) {
			all = append(all, w.value)
		}
	}
	return all
}

// overwritten reports whether another write surely followed a write, and was complete at a time.
func (r *register[T]) overwritten(w write[T], at time.Duration) bool {
	for _, later := range r.writes {
		if later.sure && later.from > w.to && later.to < at {
			return true
		}
	}
	return false
}

// values are those that a register may have had.
type values[T comparable] []T

// may reports whether the value is possible.
func (v values[T]) may(value T) bool {
	for _, x := range v {
		if x == value {
			return true
		}
	}
	return false
}

// must reports whether no other value is possible.
func (v values[T]) must(value T) bool { return len(v) == 1 && v[0] == value }
