package httpapi

import (
	"bufio"
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"time"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// ExportMe returns all data stored about the caller.
func (a *server) ExportMe(ctx context.Context, _ gen.ExportMeRequestObject) (gen.ExportMeResponseObject, error) {
	c := callOf(ctx)
	e, err := a.Subscribers.Export(ctx, c.caller)
	if err != nil {
		return nil, err
	}
	return exportResponse{a.toAPIExport(c, e, a.Now()), e, a.Pictures}, nil
}

// exportResponse is an api.Export whose long lists are written as they are read.
type exportResponse struct {
	api.Export

	lists core.Export
	pics  Pictures
}

// VisitExportMeResponse implements gen.ExportMeResponseObject. It aborts a response that cannot be completed, so that
// the client does not take it for complete.
func (r exportResponse) VisitExportMeResponse(w http.ResponseWriter) error {
	head, err := json.Marshal(struct {
		api.Export

		Receipts *struct{} `json:"receipts,omitempty"` // instead of that of api.Export
	}{Export: r.Export})
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	out := bufio.NewWriter(w)
	_, _ = out.Write(head[:len(head)-1]) // without the closing brace; Flush returns an error
	if r.writeLists(out) != nil || out.Flush() != nil {
		panic(http.ErrAbortHandler)
	}
	return nil
}

func (r exportResponse) writeLists(w *bufio.Writer) error {
	err := writeList(w, "formerSubscriptions", r.lists.FormerSubscriptions, r.pics.toAPIFormerSubscription)
	if err != nil {
		return err
	}
	if err := writeList(w, "receipts", r.lists.Receipts, toAPIReceipt); err != nil {
		return err
	}
	if err := writeList(w, "reports", r.lists.Reports, toAPIReport); err != nil {
		return err
	}
	if err := writeList(w, "auditLog", r.lists.AuditLog, r.pics.toAPIAuditEntry); err != nil {
		return err
	}
	_, err = w.WriteString("}\n")
	return err
}

// writeList writes a member of a JSON object, with a comma before it.
func writeList[T, A any](w *bufio.Writer, name string, items iter.Seq2[T, error], convert func(T) A) error {
	_, _ = w.WriteString(`,"` + name + `":[`)
	comma := ""
	for item, err := range items {
		if err != nil {
			return err
		}
		text, err := json.Marshal(convert(item))
		if err != nil {
			return err
		}
		_, _ = w.WriteString(comma)
		if _, err := w.Write(text); err != nil {
			return err
		}
		comma = ","
	}
	return w.WriteByte(']')
}

func (a *server) toAPIExport(c *call, e core.Export, now time.Time) api.Export {
	var asked *api.PublisherRequest
	if e.PublisherRequest != nil {
		asked = new(toAPIPublisherRequest(*e.PublisherRequest))
	}
	var feed *api.FeedAddress
	if e.FeedAddress != nil {
		feed = new(toAPIFeedAddress(*e.FeedAddress))
	}
	return api.Export{
		ExportedAt: now.UTC(), Subscriber: a.Pictures.toAPISubscriber(e.Subscriber), GoogleSubject: googleSubject(e),
		Identities:    convert(e.Identities, toAPIExportedIdentity),
		Passkeys:      convert(e.Passkeys, toAPIPasskey),
		Onboarding:    new(toAPIOnboarding(e.Onboarding)),
		Subscriptions: convert(e.Subscriptions, a.Pictures.toAPISubscription),
		Devices:       convert(e.Devices, c.toAPIDevice),
		Sessions:      convert(e.Sessions, c.toAPISession), AccessTokens: convert(e.AccessTokens, toAPIAccessToken),
		Publishers:            convert(e.Publishers, a.Pictures.toAPIPublisher),
		MembershipInvitations: convert(e.Invitations, a.Pictures.toAPIReceivedInvitation),
		WaitlistEntries:       convert(e.Waitlist, toAPIExportedEntry),
		Drafts:                convert(e.Drafts, toAPIDraft),
		PublisherRequest:      asked,
		FeedAddress:           feed,
	}
}

// googleSubject returns how Google knows the person, or nil.
func googleSubject(e core.Export) *string {
	for _, i := range e.Identities {
		if i.Issuer == core.IssuerGoogle {
			return &i.Subject
		}
	}
	return nil
}

func toAPIReceipt(r core.Receipt) api.Receipt {
	return api.Receipt{
		NotificationID: r.NotificationID, ReadAt: utc(r.ReadAt), ArchivedAt: utc(r.ArchivedAt),
		SnoozedUntil: utc(r.SnoozedUntil), OpenedAt: utc(r.OpenedAt),
	}
}

func toAPIExportedEntry(e core.ExportedEntry) api.ExportedWaitlistEntry {
	return api.ExportedWaitlistEntry{
		Email: e.Email, Name: optional(e.Name), Locale: e.Locale, ReferralCode: e.ReferralCode, Referrals: e.Referrals,
		CreatedAt: e.CreatedAt.UTC(), ConfirmedAt: utc(e.ConfirmedAt), InvitedAt: utc(e.InvitedAt),
		JoinedAt: utc(e.JoinedAt),
	}
}
