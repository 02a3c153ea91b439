package server

import (
	"context"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/internal/push"
	"github.com/sininho/sininho/server/internal/push/fcm"
	"github.com/sininho/sininho/server/internal/push/webpush"
)

// chromePush is the origin of the endpoints that Chrome's push service gives, and chromiumPush that of the endpoints in
// Chromium that Google has not built.
const (
	chromePush   = "https://fcm.googleapis.com"
	chromiumPush = "https://jmt17.google.com"
)

// senders returns the ways out that are chosen.
func (s *Server) senders(ctx context.Context, sealer *core.Sealer) (push.Senders, error) {
	senders := push.Senders{}
	if s.config.pushesBy(core.KindFCM) {
		sender, err := s.config.fcm(ctx, s.picture())
		if err != nil {
			return nil, err
		}
		senders[core.KindFCM] = sender
	}
	if s.config.pushesBy(core.KindWebPush) {
		key, err := s.config.webPushKey(ctx, postgres.NewStore(s.background), sealer)
		if err != nil {
			return nil, err
		}
		s.webPush = webpush.New(webpush.Config{Key: key, Contact: s.config.contact(), App: s.config.PublicURL,
			Rules: s.config.pushRules(), Picture: s.picture(), Replace: s.config.chrome(), Timeout: sendTimeout})
		senders[core.KindWebPush] = s.webPush
	}
	return senders, nil
}

func (c Config) pushesBy(transport string) bool { return slices.Contains(c.Push, transport) }

func (c Config) fcm(ctx context.Context, picture httpapi.Pictures) (*fcm.Sender, error) {
	f := fcm.Config{ProjectID: c.FirebaseProjectID, Endpoint: c.FCMEndpoint, Timeout: sendTimeout, Picture: picture}
	if c.FirebaseCredentials != "" {
		f.Credentials = []byte(c.FirebaseCredentials)
	}
	s, err := fcm.New(ctx, f)
	if err != nil && c.FirebaseCredentials == "" {
		return nil, &ConfigError{[]string{"FIREBASE_CREDENTIALS: is required outside Google Cloud; " +
			"FIREBASE_CREDENTIALS_FILE may name its file: " + err.Error()}}
	}
	if err != nil {
		return nil, &ConfigError{[]string{"FIREBASE_CREDENTIALS: must be the key of a service account: " + err.Error()}}
	}
	return s, nil
}

// CheckPush reports what keeps a server from asking Firebase to push, without asking it.
func (c Config) CheckPush(ctx context.Context) error {
	if !c.pushesBy(core.KindFCM) {
		return nil
	}
	_, err := c.fcm(ctx, nil)
	return err
}

// webPushKey returns the key of the installation: the one that is stored. Without one, it stores that of the settings,
// or a new one.
func (c Config) webPushKey(ctx context.Context, store *postgres.Store, sealer *core.Sealer) (*webpush.Key, error) {
	made := webpush.NewKey()
	if c.WebPushPrivateKey != "" {
		var err error
		if made, err = webpush.ParseKey(c.WebPushPrivateKey); err != nil {
			return nil, &ConfigError{[]string{"WEB_PUSH_PRIVATE_KEY: " + err.Error()}}
		}
	}
	kept, err := store.WebPushKey(ctx,
		core.WebPushKey{Public: made.Public(), Sealed: sealer.Seal([]byte(made.Private()))}, Now())
	if err != nil || kept.Public == made.Public() {
		return made, err
	}
	if c.WebPushPrivateKey != "" {
		return nil, &ConfigError{[]string{"WEB_PUSH_PRIVATE_KEY: is not the key that browsers have subscribed with, " +
			"which is in the database; unset it, or delete the row of the table web_push_key, after which every " +
			"browser subscribes anew when it opens the web app"}}
	}
	private, err := sealer.Open(kept.Sealed)
	if err != nil {
		return nil, &ConfigError{[]string{"SECRET_KEY: does not decrypt the key for Web Push in the database; use " +
			"the SECRET_KEY that the installation began with"}}
	}
	return webpush.ParseKey(string(private))
}

// contact returns where push services reach the operator.
func (c Config) contact() string {
	for _, address := range []string{c.SecurityContact, c.SupportURL, c.PublicURL} {
		if strings.HasPrefix(address, "mailto:") || strings.HasPrefix(address, "https://") {
			return address
		}
	}
	return "mailto:operator@localhost"
}

// chrome returns the address that is used instead of Chrome's push service, if there is one.
func (c Config) chrome() map[string]*url.URL {
	other, err := url.Parse(c.WebPushChromeURL)
	if err != nil || c.WebPushChromeURL == chromePush {
		return nil
	}
	return map[string]*url.URL{chromePush: other, chromiumPush: other}
}

func (c Config) pushRules() core.PushRules {
	networks, _ := c.webPushNetworks() // checked when the settings were read
	return core.PushRules{Kinds: c.Push, Networks: networks, Own: c.PublicURL}
}

func (c Config) webPushNetworks() ([]netip.Prefix, error) { return networks(c.WebPushNetworks) }

// checkPush validates the settings of pushes.
func (c Config) checkPush(p *problems) {
	known := []string{core.KindFCM, core.KindWebPush}
	unknown := func(s string) bool { return !slices.Contains(known, s) }
	if len(c.Push) == 0 || slices.ContainsFunc(c.Push, unknown) {
		p.add("PUSH", "must be fcm, webpush, or both with a comma between")
	}
	if _, err := webpush.ParseKey(c.WebPushPrivateKey); c.WebPushPrivateKey != "" && err != nil {
		p.add("WEB_PUSH_PRIVATE_KEY", err.Error())
	}
	if _, err := c.webPushNetworks(); err != nil {
		p.add("WEB_PUSH_NETWORKS", err.Error())
	}
	if u, err := url.Parse(c.WebPushChromeURL); err != nil || u.Host == "" {
		p.add("WEB_PUSH_CHROME_URL", "must be an address such as "+chromePush)
	}
}

// networks parses addresses and networks.
func networks(texts []string) ([]netip.Prefix, error) {
	var out []netip.Prefix
	for _, s := range texts {
		s = strings.TrimSpace(s)
		if addr, err := netip.ParseAddr(s); err == nil {
			out = append(out, netip.PrefixFrom(addr, addr.BitLen()))
			continue
		}
		prefix, err := netip.ParsePrefix(s)
		if err != nil {
			return nil, fmt.Errorf("invalid address or network %q; one such as 10.0.0.0/8 is expected", s)
		}
		out = append(out, prefix)
	}
	return out, nil
}
