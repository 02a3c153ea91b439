package servertest_test

import (
	"bytes"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/sininho/sininho/server/lab/servertest"
)

// TestSlowUpload sends a picture over a slow connection, for longer than another request may take.
func TestSlowUpload(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	in, out := io.Pipe()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/api/v1/publishers/demo/pictures", in)
	if err != nil {
		t.Fatalf("new request: %v", err)
	}
	req.Header.Set("Authorization", "Bearer "+s.APIKey)
	req.Header.Set("Content-Type", "image/jpeg")
	file := bytes.NewReader(photo(t))
	go func() {
		_, err := io.CopyN(out, file, 1000)
		<-time.After(11 * time.Second) // the others have 10 seconds
		if err == nil {
			_, err = io.Copy(out, file)
		}
		_ = out.CloseWithError(err)
	}()
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatalf("upload: %v", err)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusCreated {
		body, _ := io.ReadAll(res.Body)
		t.Errorf("upload: got %s %s, want 201", res.Status, body)
	}
}
