package sininho

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/sininho/sininho/pkg/api"
)

// InstallationService shows how an installation is doing (API: /admin/health, /admin/event-endpoints and
// /admin/settings). It needs the access token of an operator.
type InstallationService struct{ api *api.Client }

// Health says how the installation was doing in a period.
type Health struct {
	From  time.Time `json:"from"`
	Until time.Time `json:"until"`
	// PartSeconds is the length of a part.
	PartSeconds int `json:"partSeconds"`
	// Totals are of the whole installation, whatever the options.
	Totals HealthTotals `json:"totals"`
	// Queue is what waits now.
	Queue HealthQueue  `json:"queue"`
	Nodes []HealthNode `json:"nodes"`
	// Parts are those that have figures, oldest first.
	Parts []HealthPart `json:"parts"`
}

// HealthTotals are whom the installation reaches now, and what kept it from that lately. From 10,000 on, a number of
// people, channels or devices is an estimate.
type HealthTotals struct {
	// People have an account or none; WithoutAccount counts the latter.
	People         int64 `json:"people"`
	WithoutAccount int64 `json:"withoutAccount"`
	// Channels counts unlisted and private ones, too; PrivateChannels only the latter.
	Channels        int64 `json:"channels"`
	PrivateChannels int64 `json:"privateChannels"`
	// Devices are those that ring.
	Devices int64 `json:"devices"`
	// LastPushAt is when a push was accepted last, up to a minute late; zero if none was in two days.
	LastPushAt time.Time `json:"lastPushAt,omitzero"`
	// FailedLastHour and FailedLastDay count pushes by cause.
	FailedLastHour map[string]int64 `json:"failedLastHour"`
	FailedLastDay  map[string]int64 `json:"failedLastDay"`
	// Paused are some push services that are not pushed to for a while, because they refuse.
	Paused []HealthPause `json:"paused"`
}

// HealthPause is a push service that is not pushed to for a while.
type HealthPause struct {
	// Service is "fcm", or the origin of the push service of a browser.
	Service string `json:"service"`
	// Cause is for example credentials, quota or unavailable.
	Cause string `json:"cause"`
}

// HealthQueue is what waits to be sent.
type HealthQueue struct {
	// Jobs are steps of sending; each is of up to 500 devices.
	Jobs int64 `json:"jobs"`
	// OldestSeconds is how long the oldest of them has been waiting.
	OldestSeconds float64 `json:"oldestSeconds"`
	// Events are outbound events to be posted.
	Events int64 `json:"events"`
}

// HealthNode is a server.
type HealthNode struct {
	// Name is its host name and port.
	Name string `json:"name"`
	// SeenAt is when it stored figures last, and Streams how many live streams were open then.
	SeenAt  time.Time `json:"seenAt"`
	Streams int64     `json:"streams"`
	// Requests and Errors are of the period. An error is a response with a status of 500 or more.
	Requests int64 `json:"requests"`
	Errors   int64 `json:"errors"`
}

// HealthPart is a part of a period. HealthQueue and Streams are the highest values in it, the other numbers are sums.
type HealthPart struct {
	At time.Time `json:"at"`
	HealthQueue
	Published int64 `json:"published"`
	// Accepted counts the pushes that the push service accepted; Failed, Expired and Retried count the others by cause,
	// the last those that are attempted again later.
	Accepted int64            `json:"accepted"`
	Failed   map[string]int64 `json:"failed"`
	Expired  map[string]int64 `json:"expired"`
	Retried  map[string]int64 `json:"retried"`
	Streams  int64            `json:"streams"`
	Requests int64            `json:"requests"`
	Errors   int64            `json:"errors"`
}

// HealthOptions selects what Health returns.
type HealthOptions struct {
	// Hours is the length of the period, at most 48; 0 means 24.
	Hours int
	// Node is the name of a server, to count only what it did.
	Node string
}

// FailingEventEndpoint is an event endpoint that accepted none of the latest events.
type FailingEventEndpoint struct {
	ID            string `json:"id"`
	PublisherSlug string `json:"publisherSlug"`
	Name          string `json:"name"`
	// Host is the host and port of its address. The rest of the address may be a secret.
	Host string `json:"host"`
	// Enabled is false if the server has disabled it, at DisabledAt for DisabledReason.
	Enabled        bool      `json:"enabled"`
	FailingSince   time.Time `json:"failingSince,omitzero"`
	PausedUntil    time.Time `json:"pausedUntil,omitzero"`
	DisabledAt     time.Time `json:"disabledAt,omitzero"`
	DisabledReason string    `json:"disabledReason,omitzero"`
	// LastStatus is the HTTP status of the latest attempt, or 0 without a response; then LastError says why.
	LastStatus int    `json:"lastStatus,omitzero"`
	LastError  string `json:"lastError,omitzero"`
	// Pending counts the events that wait for it.
	Pending int64 `json:"pending"`
}

// Setting is a setting in force.
type Setting struct {
	// Name is that of the environment variable.
	Name string `json:"name"`
	// Value is empty for a secret.
	Value string `json:"value,omitzero"`
	// Set reports whether it has a value.
	Set    bool `json:"set"`
	Secret bool `json:"secret"`
	// Source is where the value comes from: default or environment. More may be added.
	Source string `json:"source"`
}

// Health returns the figures of the last hours.
func (s *InstallationService) Health(ctx context.Context, opts HealthOptions) (*Health, error) {
	return decode[Health](s.api.GetHealth(ctx, &api.GetHealthParams{
		Hours: optional(int32(opts.Hours)), Node: optional(opts.Node)})) //nolint:gosec // the server checks its range
}

// FailingEventEndpoints iterates over the event endpoints of all publishers that fail, those that have been failing
// longest first. The iteration ends at the first error.
func (s *InstallationService) FailingEventEndpoints(ctx context.Context) iter.Seq2[FailingEventEndpoint, error] {
	id := func(e FailingEventEndpoint) string { return e.ID }
	return listed(id, func(limit, offset *int32) (*http.Response, error) {
		return s.api.ListFailingEventEndpoints(ctx,
			&api.ListFailingEventEndpointsParams{Limit: limit, Offset: offset})
	})
}

// Settings iterates over the settings in force on the server that responds, by name. The iteration ends at the first
// error.
func (s *InstallationService) Settings(ctx context.Context) iter.Seq2[Setting, error] {
	return func(yield func(Setting, error) bool) {
		list, err := decode[struct{ Data []Setting }](s.api.ListSettings(ctx))
		if err != nil {
			yield(Setting{}, err)
			return
		}
		for _, setting := range list.Data {
			if !yield(setting, nil) {
				return
			}
		}
	}
}
