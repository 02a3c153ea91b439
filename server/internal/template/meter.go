package template

import (
	"context"
	"errors"
	"time"
)

// What rendering one event may cost. Real payloads cost less than a hundredth.
const (
	maxSteps  = 20_000           // variables read, rounds of loops and what is in them, filters and writes
	maxBytes  = 4 << 20          // that go into and come out of filters, and are written
	maxTime   = 10 * time.Second // on however busy a machine: steps and bytes are used up within hundredths of one
	maxText   = 256 << 10        // of one text or list that a filter makes
	maxValues = 20_000           // in a payload
)

var errTooMuch = errors.New("it takes too long or makes too much")

// meter counts what rendering costs. Where it is used up it panics, since reading a variable cannot fail otherwise; render
// recovers.
type meter struct {
	ctx          context.Context //nolint:containedctx // of the one render that the meter is for
	steps, bytes int
	spent        bool
}

func newMeter(ctx context.Context) *meter { return &meter{ctx: ctx, steps: maxSteps, bytes: maxBytes} }

func (m *meter) spend(steps, bytes int) {
	m.steps -= steps
	m.bytes -= bytes
	if m.steps < 0 || m.bytes < 0 || m.ctx.Err() != nil {
		m.spent = true
		panic(errTooMuch)
	}
}

// variable is a variable that costs a step whenever it is read. Liquid reads it by ToLiquid.
type variable struct {
	value any
	meter *meter
}

// ToLiquid answers the value.
func (v variable) ToLiquid() any {
	v.meter.spend(1, 0)
	return v.value
}

// output takes what is written.
type output struct {
	meter *meter
	text  []byte
}

func (o *output) Write(b []byte) (int, error) {
	o.meter.spend(1, len(b))
	o.text = append(o.text, b...)
	return len(b), nil
}
