package sampledata

import "fmt"

// Sizes are how many rows there are of each kind.
type Sizes struct {
	Notifications int
	Channels      int
	Subscriptions int
	Devices       int // in use; some retired ones are added
}

// Standard returns the sizes with which results are compared.
func Standard() Sizes {
	return Sizes{Notifications: 1_000_000, Channels: 10_000, Subscriptions: 1_000_000, Devices: 200_000}
}

// Scale returns the sizes multiplied by a factor. There are always enough channels for the special ones.
func (s Sizes) Scale(factor float64) Sizes {
	scaled := func(n int) int { return max(1, int(float64(n)*factor)) }
	return Sizes{Notifications: scaled(s.Notifications), Channels: max(minChannels, scaled(s.Channels)),
		Subscriptions: scaled(s.Subscriptions), Devices: scaled(s.Devices)}
}

// minChannels leaves ordinary channels beside the special ones.
const minChannels = 400

// check returns an error when the sizes do not fit together.
func (s Sizes) check() error {
	switch {
	case s.Notifications < 1 || s.Devices < 1:
		return fmt.Errorf("sample data: %+v: at least one notification and one device are needed", s)
	case s.Channels < minChannels:
		return fmt.Errorf("sample data: %d channels are too few, at least %d are needed", s.Channels, minChannels)
	}
	return nil
}
