package checker

import (
	"time"

	"github.com/sininho/sininho/server/lab/simulation/history"
)

// device is a device with everything that was done to it.
type device struct {
	history.Event               // in the end
	registered    time.Duration // when it surely was first
	retires       []op          // what may have retired it
	gone          bool          // the push service did not know it at some time
}

// devices gathers what was done to each device.
func (j *judge) devices() map[string]*device {
	all := map[string]*device{}
	for _, e := range j.all(history.Device) {
		all[e.Device] = &device{Event: e, registered: never}
	}
	j.of(func(o op) {
		if d := all[o.got.Device]; d != nil {
			d.registered = min(d.registered, o.to)
		}
		for _, d := range all { // the address or the installation moved to another device
			sameAddress, sameKey := d.Address == o.Address, d.Key == o.Key
			if o.maybe() && (sameAddress || sameKey) && o.got.Device != d.Device &&
				(!sameAddress || !sameKey || d.Person != o.Person) {
				d.retires = append(d.retires, o)
			}
		}
	}, history.Register)
	j.of(func(o op) {
		if d := all[o.Device]; d != nil && o.maybe() {
			d.retires = append(d.retires, o)
		}
	}, history.Remove)
	for _, e := range j.all(history.Fault) {
		for _, d := range all {
			d.gone = d.gone || e.Address == d.Address
		}
	}
	return all
}

// checkDevices checks that each device that was registered is there, and that none was retired without a reason.
func (j *judge) checkDevices() {
	devices := j.devices()
	j.of(func(o op) {
		if o.done() && devices[o.got.Device] == nil {
			j.breach("lost", "%s of %s was registered, and is not there", o.got.Device, o.Person)
		}
	}, history.Register)
	for _, d := range devices {
		if d.Cause != "" && len(d.retires) == 0 && !d.gone {
			j.breach("devices", "%s of %s was retired as %s without a reason", d.Device, d.Person, d.Cause)
		}
	}
}

// checkOutcomes checks that each device that was registered in time has one outcome, and a possible one.
func (j *judge) checkOutcomes() {
	devices, outcomes := j.devices(), map[[2]string][]history.Event{}
	for _, e := range j.all(history.Delivery) {
		key := [2]string{e.ID, e.Device}
		outcomes[key] = append(outcomes[key], e)
		if r, d := j.rows[e.ID], devices[e.Device]; r != nil && d != nil {
			j.checkOutcome(e, r, d)
		} else {
			j.breach("phantom", "an outcome of %s on %s", e.ID, e.Device)
		}
	}
	for key, all := range outcomes {
		if len(all) > 1 {
			j.breach("outcomes", "%s has %d on %s", key[0], len(all), key[1])
		}
	}
	for id, r := range j.rows {
		for _, d := range devices {
			if j.targets(r, d) && len(outcomes[[2]string{id, d.Device}]) == 0 {
				j.breach("outcomes", "%s has none on %s of %s", r.Title, d.Address, d.Person)
			}
		}
	}
	j.checkDispatches(outcomes)
}

// targets reports whether a notification must have an outcome on a device: it was registered before the notification
// was published, by somebody who has followed the channel from then on, and it was not retired.
func (j *judge) targets(r *row, d *device) bool {
	from, _ := r.published()
	if r.Published == nil || r.label.expires != nil && r.label.schedule != nil || d.gone || len(d.retires) > 0 {
		return false
	}
	return d.registered < from && j.follow(d.Person, r.Channel).between(from, j.restarted).must(true)
}

// checkOutcome checks that an outcome is possible.
func (j *judge) checkOutcome(e history.Event, r *row, d *device) {
	from, _ := r.published()
	key := r.Title + " on " + d.Address + " of " + d.Person + ": " + e.Outcome + " " + e.Cause
	if !j.follow(d.Person, r.Channel).between(from, j.restarted).may(true) {
		j.breach("outcomes", "%s, who does not follow the channel", key)
	}
	bells := j.bell(d.Person, r.Channel).between(from, j.restarted)
	mutes := j.mute(d.Person, r.Channel).between(from, j.restarted)
	rings := bells.may("all") || bells.may("important") && r.label.important()
	silent := bells.may("none") || bells.may("important") && !r.label.important()
	withdrawal := !r.Visible || r.label.expires != nil
	possible := false
	switch e.Outcome + " " + e.Cause {
	case "accepted ":
		possible = rings && mutes.may(false)
	case "suppressed bell":
		possible = silent
	case "suppressed muted":
		possible = mutes.may(true)
	case "failed unregistered", "failed sender_mismatch", "failed invalid":
		possible = d.gone
	case "failed retired":
		possible = d.gone || len(d.retires) > 0
	case "expired withdrawn", "expired expired":
		possible = withdrawal
	}
	if !possible {
		j.breach("outcomes", "%s, with the bells %v and muted %v", key, bells, mutes)
	}
}

// checkDispatches checks that each dispatch is finished, with the counts of its outcomes. What reaches no device needs
// none.
func (j *judge) checkDispatches(outcomes map[[2]string][]history.Event) {
	devices, accepted := map[string]int{}, map[string]int{}
	for key, all := range outcomes {
		devices[key[0]] += len(all)
		for _, e := range all {
			accepted[key[0]] += count(e.Outcome == "accepted")
		}
	}
	found := map[string]bool{}
	for _, e := range j.all(history.Dispatch) {
		found[e.ID] = true
		title := e.ID
		if r := j.rows[e.ID]; r != nil {
			title = r.Title
		}
		if !e.Finished {
			j.breach("dispatches", "that of %s is not finished", title)
		} else if e.Total != devices[e.ID] || e.Accepted != accepted[e.ID] {
			j.breach("dispatches", "that of %s counts %d devices and %d accepted, and there are %d and %d", title,
				e.Total, e.Accepted, devices[e.ID], accepted[e.ID])
		}
	}
	for id, r := range j.rows {
		if devices[id] > 0 && !found[id] {
			j.breach("dispatches", "%s has none", r.Title)
		}
	}
}

// checkPushes checks that what was accepted was pushed, and repeated only where something broke.
func (j *judge) checkPushes() {
	devices := map[string]*device{}
	targeted := map[[2]string]string{} // notification and address: outcome
	owners := map[string]int{}         // one after the other
	for id, d := range j.devices() {
		devices[id] = d
		owners[d.Address]++
	}
	for _, e := range j.all(history.Delivery) {
		if d := devices[e.Device]; d != nil && j.rows[e.ID] != nil {
			key := [2]string{e.ID, d.Address}
			if targeted[key] != "accepted" {
				targeted[key] = e.Outcome
			}
		}
	}
	pushed := map[[2]string]history.Event{}
	for _, p := range j.all(history.Push) {
		key := [2]string{p.ID, p.Address}
		r := j.rows[p.ID]
		outcome, known := targeted[key]
		switch before, again := pushed[key]; {
		case r == nil:
			j.breach("phantom", "a push of %s to %s", p.ID, p.Address)
		case p.Revision != "":
			continue
		case p.Tag != p.ID:
			j.breach("pushes", "one of %s has the tag %s", p.ID, p.Tag)
		case !known:
			j.breach("pushes", "%s was pushed to %s, which was not to have it", r.Title, p.Address)
		case again && !j.broke(before, p) && owners[p.Address] < 2:
			j.breach("repeats", "%s was pushed to %s after %s and %s, and nothing broke", r.Title, p.Address, before.At,
				p.At)
		case outcome != "accepted" && !j.mayChange(r, p.Address, devices):
			j.breach("pushes", "%s was pushed to %s, and has the outcome %s", r.Title, p.Address, outcome)
		}
		pushed[key] = p
	}
	for key, outcome := range targeted {
		if _, ok := pushed[key]; !ok && outcome == "accepted" {
			j.breach("pushes", "%s was accepted for %s, and not pushed", j.rows[key[0]].Title, key[1])
		}
	}
}

// mayChange reports whether a push whose acceptance got lost may have another outcome when it is tried again.
func (j *judge) mayChange(r *row, address string, devices map[string]*device) bool {
	for _, d := range devices {
		if d.Address == address && (d.gone || len(d.retires) > 0) {
			return true
		}
	}
	return !r.Visible || r.label.expires != nil
}

// broke reports whether something broke so late that the first of two pushes may have been in flight, or its outcome
// not yet recorded.
func (j *judge) broke(first, second history.Event) bool {
	for _, e := range j.all(history.Fault) {
		if e.Breaks && e.At <= second.At && e.At+e.Length+history.InFlight >= first.At {
			return true
		}
	}
	return false
}
