package template

import (
	"context"
	"errors"
	"time"
)

// The limits for rendering one event. Real payloads use less than a hundredth of them.
const (
	maxSteps  = 20_000           // variable reads, loop rounds and the nodes in them, filters, writes
	maxBytes  = 4 << 20          // bytes into and out of filters, and bytes written
	maxTime   = 10 * time.Second // for a busy machine; steps and bytes run out within hundredths of a second
	maxText   = 256 << 10        // bytes of one text that a filter builds
	maxValues = 20_000           // in a payload
)

var errTooMuch = errors.New("it takes too long or makes too much")

// meter counts the cost of rendering. It panics when a limit is exceeded, because reading a variable cannot return an
// error; rendering.text recovers.
type meter struct {
	ctx          context.Context //nolint:containedctx // a meter is used for one rendering only
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

// variable is a template variable that costs a step each time Liquid reads it with ToLiquid.
type variable struct {
	value any
	meter *meter
}

// ToLiquid returns the value.
func (v variable) ToLiquid() any {
	v.meter.spend(1, 0)
	return v.value
}

// output collects the rendered text.
type output struct {
	meter *meter
	text  []byte
}

func (o *output) Write(b []byte) (int, error) {
	o.meter.spend(1, len(b))
	o.text = append(o.text, b...)
	return len(b), nil
}
