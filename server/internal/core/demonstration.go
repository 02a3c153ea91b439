package core

import "time"

// DemonstrationLife is how long a notification stays in a demonstration channel.
const DemonstrationLife = time.Hour

// ErrDemonstrationFollowed returns the error for following a demonstration channel.
func ErrDemonstrationFollowed() *Error {
	return Forbidden(Text{EN: "A demonstration channel cannot be followed.",
		PT: "Um canal de demonstração não pode ser seguido."})
}

// expireDemonstration sets a notification for a demonstration channel to expire soon.
func (in *PublishInput) expireDemonstration(channel ChannelRef, now time.Time) {
	if channel.Demonstration {
		in.ExpiresAt = new(now.Add(DemonstrationLife))
	}
}

// faultsIn returns every fault of the input for the channel. Anyone can publish to a demonstration channel, so there
// it also rejects images, icons and links.
func (in PublishInput) faultsIn(channel ChannelRef, r *Rules, now time.Time) []FieldError {
	var f faults
	if channel.Demonstration {
		f.demonstration("#/image", in.Image != "")
		f.demonstration("#/icon", in.Icon != "")
		f.demonstration("#/link", in.Link != "")
	}
	return append(f.Faults, in.Validate(r, now)...)
}

// checkIn returns the changes that the channel does not allow.
func (in CorrectInput) checkIn(channel ChannelRef) (f faults) {
	if channel.Demonstration {
		f.demonstration("#/image", in.Image.Value != nil)
		f.demonstration("#/icon", in.Icon.Value != nil)
		f.demonstration("#/link", in.Link.Value != nil)
		f.demonstration("#/scheduledAt", in.ScheduledAt != nil)
		f.demonstration("#/expiresAt", in.ExpiresAt.Set)
	}
	return f
}

func (f *faults) demonstration(pointer string, given bool) {
	if given {
		f.Add(pointer, "demonstration", Text{EN: "cannot be given in a demonstration channel",
			PT: "não pode ser dado num canal de demonstração"})
	}
}
