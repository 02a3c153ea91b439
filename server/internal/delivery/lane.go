package delivery

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/sininho/sininho/server/internal/core"
)

// laneSize is how many devices of a page a push service other than FCM has at least to get batches of its own. The
// others share batches, so that push services with few devices need few jobs.
const laneSize = 50

// laneKey is a notification and the push service of its devices.
type laneKey struct {
	notificationID core.ID
	service        string
}

// inLanes orders targets by notification, and those of a notification so that batches are for one push service, as far
// as it has enough devices: a push service that is slow then holds up no other.
func inLanes(targets []core.Target) []core.Target {
	sizes := map[laneKey]int{}
	for _, t := range targets {
		sizes[laneKey{t.NotificationID, t.Service}]++
	}
	for i, t := range targets {
		if t.Service != core.ServiceFCM && sizes[laneKey{t.NotificationID, t.Service}] < laneSize {
			targets[i].Service = sharedLane
		}
	}
	slices.SortStableFunc(targets, func(a, b core.Target) int {
		return cmp.Or(bytes.Compare(a.NotificationID[:], b.NotificationID[:]), cmp.Compare(a.Service, b.Service))
	})
	return targets
}

// sharedLane is that of all push services with few devices.
const sharedLane = "~"

// queueOf returns the queue for the devices of a push service.
func queueOf(service string) string {
	if service == core.ServiceFCM {
		return queueSend
	}
	return queueWebPush
}
