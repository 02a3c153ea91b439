package waitlist

import (
	"context"
	"encoding/csv"
	"net/http"
	"regexp"
	"strconv"
	"time"

	"github.com/sininho/sininho/server/internal/handler"
	gen "github.com/sininho/sininho/server/internal/waitlist/waitlistgen"
)

// ExportWaitlist returns the waiting list as CSV, for operators.
func (a *API) ExportWaitlist(ctx context.Context, in gen.ExportWaitlistRequestObject) (
	gen.ExportWaitlistResponseObject, error) {
	filter := Filter{Search: handler.Value(in.Params.Q), Status: Status(handler.Value(in.Params.Status))}
	each, err := a.list.Export(ctx, handler.RequestOf(ctx).Caller(), filter)
	return csvResponse{each}, err
}

// csvResponse writes one line per entry, as entries are read.
type csvResponse struct {
	each func(take func(Entry) error) error
}

var csvColumns = []string{"id", "email", "name", "status", "position", "referrals", "locale",
	"createdAt", "confirmedAt", "invitedAt", "joinedAt"}

// VisitExportWaitlistResponse implements gen.ExportWaitlistResponseObject. It aborts a response that cannot be
// completed, so that the client does not take it for complete.
func (o csvResponse) VisitExportWaitlistResponse(w http.ResponseWriter) error {
	lines := csv.NewWriter(w)
	lines.UseCRLF = true // RFC 4180
	begun := false
	begin := func() error {
		if begun {
			return nil
		}
		begun = true
		w.Header().Set("Content-Type", "text/csv; charset=utf-8; header=present")
		w.Header().Set("Content-Disposition", `attachment; filename="waiting-list.csv"`)
		return lines.Write(csvColumns)
	}
	err := o.each(func(e Entry) error {
		if err := begin(); err != nil {
			return err
		}
		return lines.Write(csvLine(e))
	})
	if err != nil && !begun {
		return err
	}
	if err == nil {
		err = begin()
	}
	lines.Flush()
	if err != nil || lines.Error() != nil {
		panic(http.ErrAbortHandler)
	}
	return nil
}

func csvLine(e Entry) []string {
	position := ""
	if e.Position > 0 {
		position = strconv.FormatInt(e.Position, 10)
	}
	return []string{e.ID.String(), cell(e.Email), cell(e.Name), string(e.Status), position,
		strconv.FormatInt(e.Referrals, 10), cell(e.Locale),
		cellTime(&e.CreatedAt), cellTime(e.ConfirmedAt), cellTime(e.InvitedAt), cellTime(e.JoinedAt)}
}

// formula matches the start of a spreadsheet formula, perhaps after invisible characters. It also matches after a
// semicolon, which separates cells in locales with a decimal comma.
var formula = regexp.MustCompile(`(^|;)([\s\p{C}\p{Z}]*[=+\-@＝＋－＠\t\r])`)

// cell escapes text, so that a spreadsheet does not evaluate it as a formula.
func cell(s string) string { return formula.ReplaceAllString(s, "$1'$2") }

func cellTime(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}
