package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/server/lab/standin"
	"github.com/sininho/sininho/server/lab/standin/fcm"
	"github.com/sininho/sininho/server/lab/standin/openid"
)

// Settings of the guide.
const (
	publicURL = "https://sininho.example.com"
	clientID  = "1234567890-abc.apps.googleusercontent.com"
	secret    = "GOCSPX-abc"
	project   = "example"
)

// standIns serves Firebase and Google for the guide's settings, writes the service account's key, and returns the
// settings of their addresses.
func (p *production) standIns(credentials string) []string {
	p.t.Helper()
	var err error
	if p.push, err = fcm.New(fcm.Config{ProjectID: project}); err != nil {
		p.t.Fatalf("start the FCM stand-in: %v", err)
	}
	firebase := p.serve(p.push.Handler())
	p.write(credentials, string(p.push.ServiceAccountJSON(firebase+"/token")), 0o600)
	identity := p.serve(openid.New(openid.Config{ClientID: clientID, ClientSecret: secret,
		RedirectURI: func(address string) bool { return address == publicURL+"/api/v1/auth/google/callback" },
	}).Handler())
	return []string{"FCM_ENDPOINT=" + firebase + "/v1", "GOOGLE_AUTH_URL=" + identity + "/authorize",
		"GOOGLE_TOKEN_URL=" + identity + "/token", "GOOGLE_USERINFO_URL=" + identity + "/userinfo"}
}

func (p *production) serve(handler http.Handler) (address string) {
	p.t.Helper()
	served, err := standin.Serve(handler)
	if err != nil {
		p.t.Fatalf("serve a stand-in: %v", err)
	}
	p.t.Cleanup(func() { _ = served.Close() })
	return served.URL()
}

// visitor is a browser that reaches the installation at PUBLIC_URL, by the proxy with the certificate.
type visitor struct {
	t *testing.T
	*http.Client
}

func (p *production) visitor() *visitor {
	p.t.Helper()
	server := &url.URL{Scheme: "http", Host: p.addr}
	proxy := httptest.NewTLSServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(server)
		r.SetXForwarded()
		r.Out.Host = r.In.Host
	}})
	p.t.Cleanup(proxy.Close)
	client := proxy.Client() // finds example.com and its subdomains at the proxy
	jar, err := cookiejar.New(nil)
	if err != nil {
		p.t.Fatalf("make a cookie jar: %v", err)
	}
	client.Jar = jar
	return &visitor{p.t, client}
}

// call sends a request to the API, expects a 2xx response, and decodes it into out unless that is nil.
func (v *visitor) call(method, path string, body, out any) {
	v.t.Helper()
	encoded, err := json.Marshal(body)
	if err != nil {
		v.t.Fatalf("encode JSON: %v", err)
	}
	req, err := http.NewRequestWithContext(v.t.Context(), method, publicURL+"/api/v1"+path, bytes.NewReader(encoded))
	if err != nil {
		v.t.Fatalf("new request: %v", err)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := v.Do(req)
	if err != nil {
		v.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer res.Body.Close()
	got, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode/100 != 2 {
		v.t.Fatalf("%s %s: got %s %v, want 2xx: %s", method, path, res.Status, err, got)
	}
	if out == nil {
		return
	}
	if err := json.Unmarshal(got, out); err != nil {
		v.t.Fatalf("%s %s: decode %s: %v", method, path, got, err)
	}
}

// signIn signs in with Google, which leads back to PUBLIC_URL.
func (v *visitor) signIn() {
	v.t.Helper()
	req, err := http.NewRequestWithContext(v.t.Context(), http.MethodGet,
		publicURL+"/api/v1/auth/google?login_hint=ana@example.com", nil)
	if err != nil {
		v.t.Fatalf("new request: %v", err)
	}
	res, err := v.Do(req)
	if err != nil {
		v.t.Fatalf("sign in: %v", err)
	}
	_ = res.Body.Close()
	if at := res.Request.URL.String(); at != publicURL+"/onboarding" {
		v.t.Fatalf("sign in: got to %s with %s, want the page %s/onboarding", at, res.Status, publicURL)
	}
}

const pushToken = "browser-of-ana"

// checkPublish follows step 7 of the guide as one person: a channel, a follower with a device, a publish by an access
// token, the feed and the push.
func (p *production) checkPublish() {
	p.t.Helper()
	v := p.visitor()
	v.signIn()
	var categories struct{ Data []struct{ ID string } }
	v.call(http.MethodGet, "/categories", nil, &categories)
	v.call(http.MethodPost, "/publishers", map[string]string{"slug": "acme", "name": "Acme"}, nil)
	var channel struct{ ID string }
	v.call(http.MethodPost, "/channels", map[string]string{"publisherSlug": "acme", "slug": "deploys",
		"name": "Deploys", "categoryId": categories.Data[0].ID}, &channel)
	v.call(http.MethodPost, "/subscribers/channels/"+channel.ID+"/subscribe", nil, nil)
	v.call(http.MethodPost, "/subscribers/devices", map[string]string{"installationId": "installation-1", "kind": "token",
		"address": pushToken, "platform": "web", "name": "Chrome"}, nil)
	var token struct{ Secret string }
	v.call(http.MethodPost, "/subscribers/access-tokens", map[string]string{"name": "guide"}, &token)
	client, err := sininho.New(sininho.WithBaseURL(publicURL), sininho.WithHTTPClient(v.Client),
		sininho.WithAccessToken(token.Secret))
	if err != nil {
		p.t.Fatalf("new client: %v", err)
	}
	published, err := client.Notifications.Publish(p.t.Context(), "acme/deploys",
		sininho.PublishInput{Title: "Versão 1.0", Body: "Está no ar."})
	if err != nil {
		p.t.Fatalf("publish: %v", err)
	}
	var feed struct{ Data []struct{ ID string } }
	v.call(http.MethodGet, "/subscribers/notifications", nil, &feed)
	if len(feed.Data) != 1 || feed.Data[0].ID != published.Notification.ID {
		p.t.Errorf("feed: got %v, want the notification %s", feed.Data, published.Notification.ID)
	}
	ctx, cancel := context.WithTimeout(p.t.Context(), time.Minute)
	defer cancel()
	for since := int64(0); ; {
		sent := p.push.WaitSent(ctx, since, pushToken)
		if len(sent) == 0 {
			p.t.Fatalf("push of the notification: got none within a minute")
		}
		since = sent[len(sent)-1].Seq
		if slices.ContainsFunc(sent, func(s fcm.Sent) bool { // the first one tells that the device rings
			return strings.Contains(string(s.Message), published.Notification.ID)
		}) {
			return
		}
	}
}
