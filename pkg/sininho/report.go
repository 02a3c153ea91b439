package sininho

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/sininho/sininho/pkg/api"
)

// ReportsService reports to the operators and, with the access token of an operator, reads and closes reports
// (API: /channels/…/report and /admin/reports).
type ReportsService struct{ api *api.Client }

// ReportCategory is a kind of reason for a report.
type ReportCategory string

// The categories of reports. More may be added.
const (
	ReportSpam          ReportCategory = "spam"
	ReportFraud         ReportCategory = "fraud"
	ReportImpersonation ReportCategory = "impersonation"
	ReportAbuse         ReportCategory = "abuse"
	ReportIllegal       ReportCategory = "illegal"
	ReportOther         ReportCategory = "other"
)

// ReportStatus is what operators have made of a report.
type ReportStatus string

// The statuses of reports.
const (
	ReportOpen      ReportStatus = "open"
	ReportResolved  ReportStatus = "resolved"
	ReportDismissed ReportStatus = "dismissed"
)

// ReportInput describes what is wrong. Text has at most 1,000 characters and is required with [ReportOther].
type ReportInput struct {
	Category ReportCategory
	Text     string
}

func (in ReportInput) body() (api.ReportInput, error) {
	var f faults
	f.text("text", in.Text)
	return api.ReportInput{Category: api.ReportCategory(in.Category), Text: optional(in.Text)}, f.err()
}

// Report is a report about a channel or, with NotificationID, a notification.
type Report struct {
	ID            string   `json:"id"`
	Reporter      Reporter `json:"reporter"`
	ChannelID     string   `json:"channelId"`
	PublisherSlug string   `json:"publisherSlug"`
	ChannelSlug   string   `json:"channelSlug"`
	// NotificationID and Title, which the notification had then, are empty in a report about a channel.
	NotificationID string         `json:"notificationId,omitzero"`
	Title          string         `json:"title,omitzero"`
	Category       ReportCategory `json:"category"`
	Text           string         `json:"text"`
	Status         ReportStatus   `json:"status"`
	CreatedAt      time.Time      `json:"createdAt"`
	UpdatedAt      time.Time      `json:"updatedAt"`
	// ClosedAt is zero while the report is open.
	ClosedAt time.Time `json:"closedAt,omitzero"`
}

// Address returns the address of the channel at the time of the report.
func (r Report) Address() Address { return Address{Publisher: r.PublisherSlug, Channel: r.ChannelSlug} }

// Reporter is the person who reported something. Only operators see them.
type Reporter struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Email string `json:"email"` // empty without one
}

// Channel reports a channel. Reporting it again changes the report while it is open.
func (s *ReportsService) Channel(ctx context.Context, channel string, in ReportInput) error {
	address, err := ParseAddress(channel)
	if err != nil {
		return err
	}
	body, err := in.body()
	if err != nil {
		return err
	}
	return check(s.api.ReportChannel(ctx, address.Publisher, address.Channel, body))
}

// Notification reports a notification. Reporting it again changes the report while it is open.
func (s *ReportsService) Notification(ctx context.Context, channel, id string, in ReportInput) error {
	address, parsed, err := parseChannelItem(channel, id)
	if err != nil {
		return err
	}
	body, err := in.body()
	if err != nil {
		return err
	}
	return check(s.api.ReportNotification(ctx, address.Publisher, address.Channel, parsed, body))
}

// List iterates over the reports with a status, or all of them if it is empty, the oldest first. The iteration ends at
// the first error.
func (s *ReportsService) List(ctx context.Context, status ReportStatus) iter.Seq2[Report, error] {
	only := (*api.ReportStatus)(optional(string(status)))
	return listed(func(r Report) string { return r.ID }, func(limit, offset *int32) (*http.Response, error) {
		return s.api.ListReports(ctx, &api.ListReportsParams{Limit: limit, Offset: offset, Status: only})
	})
}

// Resolve closes a report about which something was done. A closed report stays as it is.
func (s *ReportsService) Resolve(ctx context.Context, id string) (*Report, error) {
	return s.finish(ctx, id, api.ReportPatchStatusResolved)
}

// Dismiss closes a report about which nothing had to be done. A closed report stays as it is.
func (s *ReportsService) Dismiss(ctx context.Context, id string) (*Report, error) {
	return s.finish(ctx, id, api.ReportPatchStatusDismissed)
}

func (s *ReportsService) finish(ctx context.Context, id string, status api.ReportPatchStatus) (*Report, error) {
	parsed, err := parseID(id)
	if err != nil {
		return nil, err
	}
	return decode[Report](s.api.CloseReport(ctx, parsed, api.ReportPatch{Status: status}))
}
