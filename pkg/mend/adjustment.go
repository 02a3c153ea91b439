package mend

// Adjustment says what was cut, dropped or rewritten.
type Adjustment struct {
	// Pointer is the member of the notification, such as "#/title"; "#" is all of it.
	Pointer string `json:"pointer"`
	// Reason is an English phrase, such as "was cut from 250 to 200 characters".
	Reason string `json:"reason"`
}

// MaxAdjustments is how many adjustments of one notification are listed.
const MaxAdjustments = 50

// Adjustments lists the adjustments of one notification.
type Adjustments []Adjustment

// Add adds an adjustment, unless the list is full or has it already. It adds none without a reason.
func (a *Adjustments) Add(pointer, reason string) {
	added := Adjustment{pointer, reason}
	if reason == "" || len(*a) >= MaxAdjustments {
		return
	}
	for _, known := range *a {
		if known == added {
			return
		}
	}
	*a = append(*a, added)
}
