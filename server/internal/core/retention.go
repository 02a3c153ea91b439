package core

import (
	"fmt"

	"github.com/sininho/sininho/pkg/rules"
)

// Retention is how much is kept. Zero is without limit.
type Retention struct {
	Days         int // of a notification after its publication
	Count        int // of visible notifications of a channel
	DeliveryDays int // of what became of a finished dispatch on each device; its counts stay
}

// checkKept returns the faults of a channel's own retention, which may not exceed that of the installation.
func (r Retention) checkKept(days, count *int) []FieldError {
	var f faults
	f.merge(checkAtMost("#/keepDays", days, r.Days))
	f.merge(checkAtMost("#/keepCount", count, r.Count))
	return f.Faults
}

func checkAtMost(pointer string, value *int, most int) []FieldError {
	if value == nil || most == 0 || *value <= most {
		return nil
	}
	var f faults
	f.Add(pointer, "maximum", rules.Text{
		EN: fmt.Sprintf("is greater than %d, the limit of this installation", most),
		PT: fmt.Sprintf("é maior do que %d, o limite desta instalação", most),
	})
	return f.Faults
}
