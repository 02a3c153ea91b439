package core

import "time"

// Audience counts the followers of a channel, and whom of them a notification would ring now or, in their quiet hours,
// after these.
type Audience struct {
	Followers        int64
	Ringing          int64 // by one that is normal
	RingingImportant int64
	Estimated        bool // the last two are estimates from a sample
}

// Reach counts the followers of a channel.
type Reach struct {
	Followers int64
	ByBell    map[Bell]int64 // of those who have a device that rings, and have not muted the channel
	Sampled   bool           // ByBell is an estimate from a sample of the followers
}

// audience returns whom the bells let a notification ring.
func (r Reach) audience(now time.Time) Audience {
	a := Audience{Followers: r.Followers, Estimated: r.Sampled}
	for bell, people := range r.ByBell {
		if rings(bell, Normal, now) {
			a.Ringing += people
		}
		if rings(bell, Important, now) {
			a.RingingImportant += people
		}
	}
	return a
}

func rings(bell Bell, importance Importance, now time.Time) bool {
	return Target{Bell: bell, Importance: importance}.Suppression(now) == ""
}
