package httpapi

import (
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

// list returns items and then err, unless it is nil.
func list[T any](err error, items ...T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, item := range items {
			if !yield(item, nil) {
				return
			}
		}
		if err != nil {
			yield(*new(T), err)
		}
	}
}

func exportOf(receipts iter.Seq2[core.Receipt, error]) exportResponse {
	return exportResponse{Export: api.Export{Subscriber: api.Subscriber{Name: "Ana"}}, lists: core.Export{
		FormerSubscriptions: list(nil, core.FormerSubscription{Bell: core.BellAll}), Receipts: receipts,
		Reports: list[core.Report](nil), AuditLog: list(nil, core.AuditEntry{Action: "updateMe"})}}
}

func TestExportIsOneObject(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	export := exportOf(list(nil, core.Receipt{NotificationID: core.ID{1}}, core.Receipt{NotificationID: core.ID{2}}))
	if err := export.VisitExportMeResponse(w); err != nil {
		t.Fatalf("write the export: %v", err)
	}
	var got api.Export
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatalf("parse %s: %v", w.Body, err)
	}
	check.Equal(t, "name", got.Subscriber.Name, "Ana")
	check.Equal(t, "former subscriptions", len(got.FormerSubscriptions), 1)
	check.Equal(t, "receipts", len(got.Receipts), 2)
	check.Equal(t, "reports", len(got.Reports), 0)
	check.Equal(t, "entries of the audit log", len(got.AuditLog), 1)
}

// TestABrokenExportIsAborted expects no response that a client could take for complete.
func TestABrokenExportIsAborted(t *testing.T) {
	t.Parallel()
	defer func() {
		if p := recover(); p != http.ErrAbortHandler { //nolint:errorlint // net/http compares it like this
			t.Errorf("export that cannot be read whole: got panic %v, want %v", p, http.ErrAbortHandler)
		}
	}()
	export := exportOf(list(errors.New("connection lost"), core.Receipt{}))
	err := export.VisitExportMeResponse(httptest.NewRecorder())
	t.Errorf("export that cannot be read whole: got error %v, want a panic", err)
}
