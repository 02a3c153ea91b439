package core

import (
	"context"
	"time"

	"github.com/sininho/sininho/pkg/rules"
)

// Report is what a person reported to the operators about a channel or a notification. Its publisher does not see it.
type Report struct {
	ID             ID
	Reporter       Subscriber // only ID, Name and Email are set
	ChannelID      ID
	NotificationID *ID // nil: the channel itself
	PublisherSlug  string
	ChannelSlug    string
	Title          string // of the notification
	Category       ReportCategory
	Text           string
	Status         ReportStatus
	CreatedAt      time.Time
	UpdatedAt      time.Time
	ClosedAt       *time.Time
}

// ReportCategory is a kind of reason for a report.
type ReportCategory string

// The categories.
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

// The statuses.
const (
	ReportOpen      ReportStatus = "open"
	ReportResolved  ReportStatus = "resolved"  // something was done about it
	ReportDismissed ReportStatus = "dismissed" // nothing had to be done
)

const (
	maxReportText = 1000 // characters
	// MaxOpenReports is how many reports of one person may be open.
	MaxOpenReports = 50
	// ReportsKept is how long a closed report is kept.
	ReportsKept = 180 * 24 * time.Hour
)

// ErrTooManyReports returns the error for a person with MaxOpenReports.
func ErrTooManyReports() *Error {
	return &Error{Code: CodeInvalid, Reason: "too_many",
		Detail: Text{EN: "50 of your reports are still open. Wait until the operators have looked at some.",
			PT: "Tem 50 denúncias por tratar. Espere que os operadores tratem algumas."}}
}

// ReportInput is the input for a report.
type ReportInput struct {
	Category ReportCategory
	Text     string
}

// Validate implements Input.
func (in ReportInput) Validate(*Rules, time.Time) []FieldError {
	var f faults
	f.Text("#/text", in.Text)
	f.Length("#/text", in.Text, maxReportText)
	if in.Category == ReportOther && rules.IsBlank(in.Text) {
		f.Add("#/text", "blank", Text{EN: "is required with the category other",
			PT: "é obrigatório com a categoria other"})
	}
	return f.Faults
}

// ReportStore keeps reports.
type ReportStore interface {
	// PutReport stores a report, or changes the reporter's open one about the same object. It fails with CodeInvalid
	// when the reporter has MaxOpenReports.
	PutReport(ctx context.Context, r Report) error
	// Reports returns the reports with a status, the oldest first, or all of them for an empty status.
	Reports(ctx context.Context, status ReportStatus, page Page) (data []Report, total int64, err error)
	// CloseReport fails with CodeNotFound when there is no such report. A report that is closed stays as it is.
	CloseReport(ctx context.Context, id ID, status ReportStatus, now time.Time) (Report, error)
}

type reportsStore interface {
	ReportStore
	NotificationStore
	ChannelStore
	viewersStore
}

// Reports takes reports, and shows them to operators.
type Reports struct {
	store     reportsStore
	operators Operators
	now       func() time.Time
}

// NewReports returns the service for reports.
func NewReports(store reportsStore, operators Operators, now func() time.Time) *Reports {
	return &Reports{store: store, operators: operators, now: now}
}

// Put reports a channel that the caller may see, or one of its visible notifications if notificationID is not nil.
func (s *Reports) Put(
	ctx context.Context, c Caller, publisherSlug, slug string, notificationID *ID, in ReportInput,
) error {
	channel, _, err := visibleChannel(ctx, s.store, s.operators, c, publisherSlug, slug)
	if err != nil {
		return err
	}
	now := s.now()
	r := Report{
		ID: NewID(), Reporter: Subscriber{ID: c.SubscriberID}, ChannelID: channel.ID, NotificationID: notificationID,
		PublisherSlug: channel.PublisherSlug, ChannelSlug: channel.Slug, Category: in.Category, Text: in.Text,
		Status: ReportOpen, CreatedAt: now, UpdatedAt: now,
	}
	if notificationID != nil {
		n, err := s.store.Notification(ctx, channel.ID, *notificationID, nil)
		if err == nil && !n.Visible {
			err = NotFound()
		}
		if err != nil {
			return err
		}
		r.Title = n.Title
	}
	if err := invalid(in.Validate(nil, now)); err != nil {
		return err
	}
	return s.store.PutReport(ctx, r)
}

// List returns the reports with a status, or all of them, the oldest first, for operators.
func (s *Reports) List(ctx context.Context, c Caller, status ReportStatus, page Page) ([]Report, int64, error) {
	if err := s.operators.Check(ctx, c, s.store.Subscriber); err != nil {
		return nil, 0, err
	}
	return s.store.Reports(ctx, status, page)
}

// Close resolves or dismisses a report, for operators.
func (s *Reports) Close(ctx context.Context, c Caller, id ID, status ReportStatus) (Report, error) {
	if err := s.operators.Check(ctx, c, s.store.Subscriber); err != nil {
		return Report{}, err
	}
	return s.store.CloseReport(ctx, id, status, s.now())
}
