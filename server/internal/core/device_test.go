package core_test

import (
	"fmt"
	"net/netip"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

const (
	p256dh = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
	auth   = "BTBZMqHH6r4Tts7J_aSIgg"
)

// pushing returns the rules of an installation that uses these kinds of devices.
func pushing(networks []netip.Prefix, kinds ...string) *core.Rules {
	return production.WithPush(core.PushRules{Kinds: kinds, Networks: networks, Own: "https://sininho.example"})
}

func TestDeviceInput(t *testing.T) {
	t.Parallel()
	both := pushing(nil, core.KindFCM, core.KindWebPush)
	subscription := core.DeviceInput{Name: "n", Kind: core.KindWebPush, Endpoint: "https://push.example/1",
		P256dh: p256dh, Auth: auth}
	with := func(change func(*core.DeviceInput)) core.DeviceInput {
		in := subscription
		change(&in)
		return in
	}
	for name, c := range map[string]struct {
		in    core.DeviceInput
		rules *core.Rules
		want  string
	}{
		"a token":           {core.DeviceInput{Name: "n", Kind: core.KindFCM, Address: "t"}, both, ""},
		"its earlier name":  {core.DeviceInput{Name: "n", Kind: core.KindToken, Address: "t"}, both, ""},
		"no token":          {core.DeviceInput{Name: "n", Kind: core.KindFCM}, both, "required"},
		"a subscription":    {subscription, both, ""},
		"with padding":      {with(func(in *core.DeviceInput) { in.P256dh, in.Auth = p256dh+"=", auth+"==" }), both, ""},
		"no keys":           {with(func(in *core.DeviceInput) { in.P256dh, in.Auth = "", "" }), both, "key key"},
		"a point elsewhere": {with(func(in *core.DeviceInput) { in.P256dh = "BA" + p256dh[2:] }), both, "key"},
		"a short secret":    {with(func(in *core.DeviceInput) { in.Auth = "AAAA" }), both, "key"},
		"no endpoint":       {with(func(in *core.DeviceInput) { in.Endpoint = "" }), both, "link"},
		"both addresses":    {with(func(in *core.DeviceInput) { in.Address = "t" }), both, "kind"},
		"FCM is off":        {core.DeviceInput{Name: "n", Kind: core.KindToken, Address: "t"}, pushing(nil, core.KindWebPush), "off"},
		"Web Push is off":   {subscription, pushing(nil, core.KindFCM), "off"},
	} {
		check.Equal(t, "faults of "+name, codes(c.in.Validate(c.rules, began)), c.want)
	}
}

func TestPushEndpoints(t *testing.T) {
	t.Parallel()
	near := []netip.Prefix{netip.MustParsePrefix("192.168.0.0/16"), netip.MustParsePrefix("127.0.0.0/8")}
	for _, c := range []struct{ url, code, near string }{
		{"https://updates.push.services.mozilla.com/wpush/v2/x", "", ""},
		{"https://ntfy.example:443/up", "", ""},
		{"https://ntfy.example:8443/up", "port", ""}, // its name may be of a machine that is near
		{"http://ntfy.example/up", "link", "link"},
		{"https://user:secret@ntfy.example/up", "link", "link"},
		{"https://ntfy.example/up#part", "link", "link"},
		{"ntfy.example/up", "link", "link"},
		{"https://10.0.0.1/up", "private", "private"},
		{"https://169.254.169.254/latest", "private", "private"},
		{"https://192.168.1.2/up", "private", ""},
		{"http://192.168.1.2:8080/up", "link", ""},
		{"http://localhost:8080/up", "link", ""},
		{"ftp://192.168.1.2/up", "link", "link"},
		{"https://SININHO.example/api/v1/webhooks/channels/x", "own", "own"},
	} {
		in := core.DeviceInput{Name: "n", Kind: core.KindWebPush, Endpoint: c.url, P256dh: p256dh, Auth: auth}
		check.Equal(t, "faults of "+c.url, codes(in.Validate(pushing(nil, core.KindWebPush), began)), c.code)
		check.Equal(t, "faults of "+c.url+" with networks", codes(in.Validate(pushing(near, core.KindWebPush), began)),
			c.near)
	}
	for address, want := range map[string]bool{
		"1.1.1.1:443": true, "1.1.1.1:80": false, "127.0.0.1:80": true, "[::ffff:192.168.0.1]:8080": true, "10.0.0.1:443": false,
	} {
		got := core.PushRules{Networks: near}.May(netip.MustParseAddrPort(address))
		check.Equal(t, fmt.Sprintf("%s may be dialled", address), got, want)
	}
}

func TestPushService(t *testing.T) {
	t.Parallel()
	for endpoint, want := range map[string]string{
		"https://Push.Example:443/a/b?c": "https://push.example", "https://push.example:8443/": "https://push.example:8443",
		"http://127.0.0.1:80/x": "http://127.0.0.1:80",
	} {
		check.Equal(t, "service of "+endpoint, core.PushAddress{Kind: core.KindWebPush, Address: endpoint}.Service(), want)
	}
	check.Equal(t, "service of a token", core.PushAddress{Kind: core.KindToken, Address: "t"}.Service(), core.ServiceFCM)
}
