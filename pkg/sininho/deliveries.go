package sininho

import "context"

// Deliveries is what became of a notification on the devices it was for; numbers, never
// who. Each device is counted in Targeted and in exactly one of Pending, Suppressed,
// Accepted, Failed and Expired.
type Deliveries struct {
	// Targeted is how many devices were found so far.
	Targeted int64 `json:"targeted"`
	// Pending is still to be sent, or held until quiet hours end.
	Pending int64 `json:"pending"`
	// Suppressed, Failed and Expired count by cause, as bell. Others may come.
	Suppressed map[string]int64 `json:"suppressed"`
	// Accepted was taken by the push service.
	Accepted int64            `json:"accepted"`
	Failed   map[string]int64 `json:"failed"`
	Expired  map[string]int64 `json:"expired"`
	// Displayed and Opened count people, on any of their devices.
	Displayed int64 `json:"displayed"`
	Opened    int64 `json:"opened"`
	// Finished says whether every device was found and has its outcome.
	Finished bool `json:"finished"`
}

// Deliveries tells what became of a notification, to its publisher.
func (s *NotificationsService) Deliveries(ctx context.Context, channel, id string) (*Deliveries, error) {
	address, parsed, err := parseChannelItem(channel, id)
	if err != nil {
		return nil, err
	}
	return decode[Deliveries](s.api.GetDeliveries(ctx, address.Publisher, address.Channel, parsed))
}
