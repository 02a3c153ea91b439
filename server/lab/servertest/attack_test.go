package servertest_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"net/http"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

// operation is an operation of the contract with its row of the table.
type operation struct {
	id, method string
	hasBody    bool
	row
}

func operations(t *testing.T) (all []operation) {
	t.Helper()
	for id, op := range documented(t) {
		all = append(all, operation{id, op.method, op.RequestBody != nil, table[id]})
	}
	return all
}

// send is call with additional headers, as the owner unless the headers override it.
func (f *fixture) send(o operation, r request, header map[string]string) (int, http.Header) {
	f.t.Helper()
	ctx, cancel := context.WithCancel(f.t.Context())
	defer cancel()
	body, contentType := []byte(nil), "application/json"
	if r.body != nil {
		body, contentType = encode(f.t, r.body)
	}
	req, err := http.NewRequestWithContext(ctx, o.method, f.URL+"/api/v1"+r.path, bytes.NewReader(body))
	if err != nil {
		f.t.Fatalf("new request: %v", err)
	}
	req.Header.Set("Content-Type", contentType)
	who := "owner"
	if o.who == operators {
		who = "operator"
	}
	f.sign[who](req)
	for name, value := range header {
		req.Header.Set(name, value)
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		f.t.Fatalf("request %s %s: %v", req.Method, req.URL, err)
	}
	_ = res.Body.Close()
	return res.StatusCode, res.Header
}

// TestAttacks tries attacks that every operation must withstand.
func TestAttacks(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, o := range operations(t) {
		valid := o.make(f)
		if o.who != uncredentialed {
			unknown := "Bearer snh_live_" + strings.Repeat("0", 36)
			for _, garbage := range []string{"Bearer garbage", unknown, "Basic b3duZXI6", "Bearer "} {
				header := map[string]string{"Cookie": "", "Authorization": garbage}
				if status, _ := f.send(o, valid, header); status != http.StatusUnauthorized {
					t.Errorf("%s with the credential %q: got %d, want 401", o.id, garbage, status)
				}
			}
		}
		for _, origin := range []string{"https://evil.example", "null", f.URL + ".evil.example"} {
			for _, method := range []string{o.method, http.MethodOptions} {
				_, header := f.send(operation{method: method, row: o.row}, valid, map[string]string{"Origin": origin,
					"Access-Control-Request-Method": o.method})
				allowed := header.Get("Access-Control-Allow-Origin") + header.Get("Access-Control-Allow-Credentials")
				if read := o.method == http.MethodGet; allowed != "" && (allowed != "*" || !read) {
					t.Errorf("%s by %s from %s with a cookie: got CORS headers %q, want none but * for what reads", o.id,
						method, origin, allowed)
				}
			}
		}
		if o.method != http.MethodGet && o.who != uncredentialed {
			for _, from := range []map[string]string{
				{"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"},
				{"Sec-Fetch-Site": "same-site", "Origin": "https://other.example"},
				{"Origin": "https://evil.example"}, {"Origin": "null"},
			} {
				if status, _ := f.send(o, valid, from); status != http.StatusForbidden {
					t.Errorf("%s with the headers %v: got %d, want 403", o.id, from, status)
				}
			}
		}
		if !o.hasBody || o.id == "receiveWebhook" {
			continue
		}
		for _, media := range []string{
			"application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x", "",
		} {
			status, _ := f.send(o, valid, map[string]string{"Content-Type": media})
			if status != http.StatusUnsupportedMediaType {
				t.Errorf("%s with the Content-Type %q: got %d, want 415", o.id, media, status)
			}
		}
		if _, isPicture := valid.body.(picture); isPicture {
			continue
		}
		more := object{"role": "owner", "ownerId": f.channel, "subscriberId": f.channel}
		if body, ok := valid.body.(object); ok {
			for name, value := range body {
				more[name] = value
			}
		}
		if status, _ := f.send(o, request{valid.path, more}, nil); status != http.StatusUnprocessableEntity {
			t.Errorf("%s with unknown fields: got %d, want 422", o.id, status)
		}
	}
	var me struct{ Email string }
	f.owner.Do(http.MethodGet, "/subscribers/me", nil, http.StatusOK, &me)
	check.Equal(t, "email after the attacks", me.Email, "owner@example.com")
}

// TestSecretsAreHashed searches the columns of secrets for those of a session, an access token and an API key.
func TestSecretsAreHashed(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, f.URL, nil)
	if err != nil {
		t.Fatalf("new request: %v", err)
	}
	f.owner.Sign(req)
	session, err := req.Cookie("__Host-sininho")
	if err != nil {
		t.Fatalf("session cookie: %v", err)
	}
	db, err := pgx.Connect(t.Context(), f.DatabaseURL)
	if err != nil {
		t.Fatalf("connect to the database: %v", err)
	}
	defer func() { _ = db.Close(context.Background()) }()
	for table, secret := range map[string]string{
		"sessions": session.Value, "access_tokens": f.newToken().Secret, "api_keys": f.newKey("read").Secret,
	} {
		var hashed, plain int
		sum := sha256.Sum256([]byte(secret))
		err := db.QueryRow(t.Context(), `select count(*) filter (where secret_hash = $1),
			count(*) filter (where x::text like '%' || $2 || '%') from `+table+" x", sum[:], secret).
			Scan(&hashed, &plain)
		if err != nil || hashed != 1 || plain != 0 {
			t.Errorf("rows of %s: got %d with the hash and %d with the secret (error %v), want 1 and 0", table,
				hashed, plain, err)
		}
	}
}

// TestPlantedSession sends a session cookie that the server did not create.
func TestPlantedSession(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	req := ana.Request(http.MethodGet, "/subscribers/me", nil)
	planted := strings.Repeat("A", 43)
	req.Header.Set("Cookie", "__Host-sininho="+planted)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatalf("request %s %s: %v", req.Method, req.URL, err)
	}
	_ = res.Body.Close()
	check.Equal(t, "status for a session that the server did not create", res.StatusCode, http.StatusUnauthorized)
}
