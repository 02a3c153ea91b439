package waitlist

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestAnExportThatFailsHalfwayIsAborted(t *testing.T) {
	halfway := csvResponse{each: func(take func(Entry) error) error {
		if err := take(Entry{Email: "eva@example.com"}); err != nil {
			return err
		}
		return errors.New("halfway")
	}}
	defer func() {
		if err, ok := recover().(error); !ok || !errors.Is(err, http.ErrAbortHandler) {
			t.Errorf("an export that fails halfway: recovered %v, want %v", err, http.ErrAbortHandler)
		}
	}()
	err := halfway.VisitExportWaitlistResponse(httptest.NewRecorder())
	t.Errorf("an export that fails halfway returned %v, want it aborted", err)
}

func TestAnExportThatFailsAtOnceReturnsTheError(t *testing.T) {
	broken := errors.New("broken")
	at := csvResponse{each: func(func(Entry) error) error { return broken }}
	if err := at.VisitExportWaitlistResponse(httptest.NewRecorder()); !errors.Is(err, broken) {
		t.Errorf("an export that fails at once: got error %v, want %v", err, broken)
	}
}

// TestCellsAreNoFormulas tries the characters that start a formula in spreadsheets.
func TestCellsAreNoFormulas(t *testing.T) {
	for text, want := range map[string]string{
		"Ana": "Ana", "": "", "a-b=c": "a-b=c", "Ana; Rui": "Ana; Rui",
		"=1": "'=1", "+1": "'+1", "-1": "'-1", "@x": "'@x", "\t=1": "'\t=1", " =1": "' =1", "\u00a0=1": "'\u00a0=1",
		"\u200b=1": "'\u200b=1", "＝1": "'＝1", "Ana;=1+1;x": "Ana;'=1+1;x", "Ana; @SUM(1;1)": "Ana;' @SUM(1;1)",
	} {
		if got := cell(text); got != want {
			t.Errorf("cell of %q: got %q, want %q", text, got, want)
		}
	}
}
