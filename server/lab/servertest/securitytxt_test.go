package servertest_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

func TestSecurityTxt(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.With("SECURITY_CONTACT", "mailto:security@example.com"))
	res, err := http.Get(s.URL + "/.well-known/security.txt")
	if err != nil {
		t.Fatalf("get security.txt: %v", err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	check.Equal(t, "error of reading security.txt", err, nil)
	check.Equal(t, "status of security.txt", res.StatusCode, http.StatusOK)
	if want := "Contact: mailto:security@example.com\n"; !strings.HasPrefix(string(body), want) {
		t.Errorf("security.txt: got %q, want it to begin with %q", body, want)
	}
}
