package sininho

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/sininho/sininho/pkg/api"
)

// AuditLogService reads the audit log (API: /publishers/{publisherSlug}/audit-log and /admin/audit-log). It needs the
// access token of an owner or, for All, of an operator.
type AuditLogService struct{ api *api.Client }

// AuditEntry says who changed what.
type AuditEntry struct {
	ID string    `json:"id"`
	At time.Time `json:"at"`
	// Action is the operation of the API that made the change, for example createApiKey.
	Action string      `json:"action"`
	Actor  AuditActor  `json:"actor"`
	Object AuditObject `json:"object"`
	// Channel is the channel that the entry is about, as it is now. It is nil in other entries, if it was deleted, and
	// for operators if it is private.
	Channel *ChannelRef `json:"channel,omitzero"`
	// PublisherSlug and PublisherName are empty in entries that concern no publisher, and when it was deleted.
	PublisherSlug string `json:"publisherSlug,omitzero"`
	PublisherName string `json:"publisherName,omitzero"`
	// Detail says more, for example the role of a member or the reason of a suspension.
	Detail map[string]string `json:"detail,omitempty"`
	// Network and RequestID are those of the request. Owners do not see those of operators.
	Network   string `json:"network,omitzero"`
	RequestID string `json:"requestId,omitzero"`
}

// AuditActor is who made a change or published: a person, a token, a key, a webhook, an operator, or the system.
type AuditActor struct {
	Kind    string `json:"kind"`
	ID      string `json:"id,omitzero"`
	TokenID string `json:"tokenId,omitzero"`
	// Name is that of the person, API key or webhook; empty if it was deleted.
	Name string `json:"name,omitzero"`
}

// AuditObject is what was changed, with the name that it had then.
type AuditObject struct {
	ID   string `json:"id,omitzero"`
	Name string `json:"name"`
}

// List iterates over the entries about a publisher, newest first. The iteration ends at the first error.
func (s *AuditLogService) List(ctx context.Context, publisher string) iter.Seq2[AuditEntry, error] {
	slug, err := parseSlug(publisher)
	if err != nil {
		return failed[AuditEntry](err)
	}
	return listed(auditEntryID, func(limit, offset *int32) (*http.Response, error) {
		return s.api.ListAuditLog(ctx, slug, &api.ListAuditLogParams{Limit: limit, Offset: offset})
	})
}

// All iterates over the entries about a publisher or, if it is empty, about everything, newest first. The iteration
// ends at the first error.
func (s *AuditLogService) All(ctx context.Context, publisher string) iter.Seq2[AuditEntry, error] {
	if publisher != "" {
		if _, err := parseSlug(publisher); err != nil {
			return failed[AuditEntry](err)
		}
	}
	return listed(auditEntryID, func(limit, offset *int32) (*http.Response, error) {
		return s.api.ListAllAuditLog(ctx,
			&api.ListAllAuditLogParams{Limit: limit, Offset: offset, Publisher: optional(publisher)})
	})
}

func auditEntryID(e AuditEntry) string { return e.ID }
