// Package checker judges the history of a simulation against a model of the promise of docs/delivery.md. It reads
// nothing but the history: neither a database nor a server.
//
// The model is a set of registers: whether a person follows a channel, whether a notification is visible, has been read
// or is archived, what its title is. Each operation is a write between its invocation and its completion. One with an
// unknown result may have happened at any time after its invocation, or never. A read may return each value that a
// register may have had while the read was under way, and nothing else.
package checker

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/sininho/sininho/server/lab/simulation/history"
)

// Breach is a part of the promise that was not kept.
type Breach struct {
	Rule string
	What string
}

func (b Breach) String() string { return b.Rule + ": " + b.What }

// Check returns how a history breaches the promise.
func Check(events []history.Event) []Breach {
	j := newJudge(events)
	for _, check := range []func(){
		j.checkResponses, j.checkPublishes, j.checkRows, j.checkTitles, j.checkReads, j.checkStreams, j.checkOutcomes,
		j.checkPushes, j.checkDevices, j.checkStops,
	} {
		check()
	}
	slices.SortStableFunc(j.breaches, func(a, b Breach) int { return cmp.Compare(a.Rule, b.Rule) })
	return j.breaches
}

// never is the completion of an operation whose end nobody has seen.
const never = time.Duration(math.MaxInt64)

// op is an operation, with what was asked for and what was the response.
type op struct {
	history.Event // the invocation
	from, to      time.Duration
	as            history.Type
	got           history.Event
}

// done reports whether the operation surely happened.
func (o op) done() bool { return o.as == history.OK }

// maybe reports whether the operation happened, or may have.
func (o op) maybe() bool { return o.as != history.Fail }

type judge struct {
	events    []history.Event
	ops       []op
	began     time.Time     // of the history, by the clock of the wall
	restarted time.Duration // when all processes had ended
	ahead     time.Duration // how far a clock of a node may be ahead
	rows      map[string]*row
	labels    map[string]*label
	follows   map[[2]string]*register[bool] // person, channel
	bells     map[[2]string]*register[string]
	mutes     map[[2]string]*register[bool]
	breaches  []Breach
}

func (j *judge) breach(rule, format string, args ...any) {
	j.breaches = append(j.breaches, Breach{rule, fmt.Sprintf(format, args...)})
}

func newJudge(events []history.Event) *judge {
	j := &judge{events: events, restarted: never, rows: map[string]*row{}, labels: map[string]*label{},
		follows: map[[2]string]*register[bool]{}, bells: map[[2]string]*register[string]{},
		mutes: map[[2]string]*register[bool]{}}
	for _, e := range events {
		switch e.Kind {
		case history.Begun:
			j.began = *e.Published
		case history.Restarted:
			j.restarted = e.At
		case history.Fault:
			j.ahead = max(j.ahead, e.Offset)
		case history.Notification:
			j.rows[e.ID] = &row{Event: e}
		}
	}
	j.pair()
	j.readLabels()
	j.readFollows()
	j.readRows()
	return j
}

// pair pairs invocations with completions. When all processes have ended, so have their operations.
func (j *judge) pair() {
	at := map[int]int{}
	for _, e := range j.events {
		if e.Type == history.Invoke {
			at[e.Op] = len(j.ops)
			to := never
			if e.At < j.restarted {
				to = j.restarted
			}
			j.ops = append(j.ops, op{Event: e, from: e.At, to: to, as: history.Info})
		} else if i, ok := at[e.Op]; ok {
			o := &j.ops[i]
			o.as, o.got = e.Type, e
			if e.Type != history.Info {
				o.to = e.At
			}
		}
	}
}

// wall returns when a time of the wall's clock is in the history.
func (j *judge) wall(t time.Time) time.Duration { return t.Sub(j.began) }

// of calls fn for each operation of some kinds.
func (j *judge) of(fn func(o op), kinds ...string) {
	for _, o := range j.ops {
		if slices.Contains(kinds, o.Kind) {
			fn(o)
		}
	}
}

// all returns the notes or final observations of a kind.
func (j *judge) all(kind string) (all []history.Event) {
	for _, e := range j.events {
		if e.Kind == kind {
			all = append(all, e)
		}
	}
	return all
}

// checkResponses checks that nothing worse than "not available, try again" was the response.
func (j *judge) checkResponses() {
	for _, o := range j.ops {
		if s := o.got.Status; s >= 500 && (s != 503 || o.got.Problem == history.NoRetryAfter) {
			j.breach("responses", "%s of %s at %s: status %d, %s", o.Kind, o.Process, o.Node, s, o.got.Problem)
		}
	}
}

// checkStops checks that processes that were asked to stop did so in time, and without an error once all was well.
func (j *judge) checkStops() {
	const most = 16 * time.Second
	healed := never
	for _, e := range j.all(history.Healed) {
		healed = e.At
	}
	for _, e := range j.all(history.Stopped) {
		if e.Length > most || e.At-e.Length >= healed && e.Status != 0 {
			j.breach("stops", "%s ended with status %d after %s", e.Node, e.Status, e.Length)
		}
	}
}
