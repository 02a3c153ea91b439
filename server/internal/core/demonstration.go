package core

import "time"

// DemonstrationLife is how long a notification stays in a demonstration channel.
const DemonstrationLife = time.Hour

// ErrDemonstrationFollowed returns the error for following a demonstration channel.
func ErrDemonstrationFollowed() *Error {
	return Forbidden(Text{"A demonstration channel cannot be followed.",
		"Um canal de demonstração não pode ser seguido."})
}

// checkIn reports every fault of the input for the channel. Anyone can publish to a demonstration channel, so there it
// also rejects images, icons and links, and makes the notification expire soon.
func (in *PublishInput) checkIn(channel ChannelRef, links LinkRules, now time.Time) error {
	var f faults
	if channel.Demonstration {
		in.ExpiresAt = new(now.Add(DemonstrationLife))
		f.demonstration("#/image", in.Image != "")
		f.demonstration("#/icon", in.Icon != "")
		f.demonstration("#/link", in.Link != "")
	}
	return append(f, in.faults(links, now)...).err()
}

// checkIn rejects changes that the channel does not allow.
func (in CorrectInput) checkIn(channel ChannelRef) error {
	var f faults
	if channel.Demonstration {
		f.demonstration("#/image", in.Image.Value != nil)
		f.demonstration("#/icon", in.Icon.Value != nil)
		f.demonstration("#/link", in.Link.Value != nil)
		f.demonstration("#/scheduledAt", in.ScheduledAt != nil)
		f.demonstration("#/expiresAt", in.ExpiresAt.Set)
	}
	return f.err()
}

func (f *faults) demonstration(pointer string, given bool) {
	if given {
		f.add(pointer, "demonstration", Text{"cannot be given in a demonstration channel",
			"não pode ser dado num canal de demonstração"})
	}
}
