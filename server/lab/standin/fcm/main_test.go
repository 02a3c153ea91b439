package fcm_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	firebase "firebase.google.com/go/v4"
	"firebase.google.com/go/v4/messaging"
	"google.golang.org/api/option"

	"github.com/sininho/sininho/server/lab/leaktest"
	"github.com/sininho/sininho/server/lab/standin"
	"github.com/sininho/sininho/server/lab/standin/fcm"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

const project = "sininho-test"

// fixture is a running stand-in.
type fixture struct {
	*fcm.Server
	url    string
	client *http.Client

	authorization string // used by send, once it has a token
}

func start(t testing.TB, c fcm.Config) *fixture {
	t.Helper()
	c.ProjectID = project
	s, err := fcm.New(c)
	if err != nil {
		t.Fatalf("make the FCM stand-in: %v", err)
	}
	l, err := standin.Serve(s.Handler())
	if err != nil {
		t.Fatalf("serve the stand-in: %v", err)
	}
	tr := &http.Transport{MaxIdleConnsPerHost: 100}
	t.Cleanup(func() {
		tr.CloseIdleConnections()
		if err := l.Close(); err != nil {
			t.Errorf("close the stand-in: %v", err)
		}
	})
	return &fixture{Server: s, url: l.URL(), client: &http.Client{Transport: tr, Timeout: 30 * time.Second}}
}

// account returns the service account's file.
func (f *fixture) account() []byte { return f.ServiceAccountJSON(f.url + "/token") }

// messaging returns the real Admin SDK, in which only the address is replaced.
func (f *fixture) messaging(t testing.TB) *messaging.Client {
	t.Helper()
	app, err := firebase.NewApp(t.Context(), &firebase.Config{ProjectID: project},
		option.WithAuthCredentialsJSON(option.ServiceAccount, f.account()), option.WithEndpoint(f.url+"/v1"))
	if err != nil {
		t.Fatalf("make the Firebase app: %v", err)
	}
	client, err := app.Messaging(t.Context())
	if err != nil {
		t.Fatalf("make the messaging client: %v", err)
	}
	return client
}

// call makes a request and returns the response's status and body.
func (f *fixture) call(t testing.TB, method, path, body string, header ...string) (int, string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, f.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatalf("build the request: %v", err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	res, err := f.client.Do(r)
	if err != nil {
		t.Fatalf("request %s %s: %v", method, path, err)
	}
	defer func() { _ = res.Body.Close() }()
	var b bytes.Buffer
	if _, err := io.Copy(&b, res.Body); err != nil {
		t.Fatalf("read the response of %s %s: %v", method, path, err)
	}
	return res.StatusCode, b.String()
}

// ok is like call, but fails the test unless the call succeeds.
func (f *fixture) ok(t testing.TB, method, path, body string, header ...string) string {
	t.Helper()
	status, response := f.call(t, method, path, body, header...)
	if status/100 != 2 {
		t.Fatalf("%s %s: got %d %s, want 2xx", method, path, status, response)
	}
	return response
}

func (f *fixture) fail(t testing.TB, faults ...fcm.Fault) {
	t.Helper()
	if err := f.AddFaults(faults...); err != nil {
		t.Fatalf("add faults: %v", err)
	}
}
