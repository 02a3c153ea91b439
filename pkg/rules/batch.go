package rules

import (
	"fmt"
	"strings"
)

// MaxBatch is how many notifications can be published together.
const MaxBatch = 1000

// Batch returns the faults of notifications that are published together: those that check finds in each of them, and
// external ids that repeat. Empty ids are none.
func Batch(externalIDs []string, check func(i int) Faults) Faults {
	var f Faults
	first := map[string]int{}
	for i, id := range externalIDs {
		for _, fault := range check(i) {
			f.Add(InBatch(i, fault.Pointer), fault.Code, fault.Detail)
		}
		earlier, repeated := first[id]
		switch {
		case id == "":
		case repeated:
			f.Add(InBatch(i, "#/externalId"), "duplicate", Text{
				EN: fmt.Sprintf("is the same as that of notification %d of the batch", earlier),
				PT: fmt.Sprintf("é igual ao da notificação %d do lote", earlier)})
		default:
			first[id] = i
		}
	}
	return f
}

// InBatch returns the pointer of a member of a notification, within the batch.
func InBatch(i int, pointer string) string {
	return fmt.Sprintf("#/notifications/%d%s", i, strings.TrimPrefix(pointer, "#"))
}
