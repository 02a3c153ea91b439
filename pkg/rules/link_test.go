package rules_test

import (
	"testing"

	"github.com/sininho/sininho/pkg/rules"
)

func TestMayOpen(t *testing.T) {
	const own = "https://sininho.example.com"
	for link, want := range map[string]bool{
		"https://example.com/login/device":                              true,
		"https://sininho.example.com.evil.example/api":                  true,
		"https://notsininho.example.com/login/device":                   true,
		"https://município.pt/obras":                                    true,
		"https://198.51.100.7/x":                                        true,
		own + "/feed":                                                   true,
		own + "/feed?notification=0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f": true,
		own + "/channels":                                               true,
		own + "/channels?category=transportes":                          true,
		own + "/channels/metro":                                         true,
		own + "/channels/metro/linha-azul":                              true,
		own + "/channels/metro/linha-azul#ontem":                        true,
		own + ":443/channels/metro/linhas":                              true,
		"HTTPS://Sininho.Example.COM/channels/metro/linhas":             true,
		own + "/channels/metro/../metro/linhas":                         true,
		own + "/login/device?code=BCDF-GHJK":                            false,
		own + "/login/device":                                           false,
		own + "/api/v1/auth/google":                                     false,
		own + "/settings":                                               false,
		own + "/docs":                                                   false,
		own + "/":                                                       false,
		own:                                                             false,
		own + "/feed/":                                                  false,
		own + "/feed.txt":                                               false,
		own + "/channels/metro/":                                        false,
		own + "/channels/Metro":                                         false,
		own + "/channels/metro/linhas/mais":                             false,
		own + "/channels/../login/device":                               false,
		own + "/channels/%2e%2e/login":                                  false,
		own + "/channels/..%2f..%2flogin/device":                        false,
		own + "//login/device":                                          false,
		own + "/%6cogin/device":                                         false,
		own + "/%66eed":                                                 false,
		own + "/LOGIN/device":                                           false,
		"HTTPS://SININHO.EXAMPLE.COM/login/device":                      false,
		"http://sininho.example.com/feed":                               false,
		"http://sininho.example.com/login/device":                       false,
		own + ":443/login/device":                                       false,
		own + ":0443/login/device":                                      false,
		own + ":/login/device":                                          false,
		own + ":8443/login/device":                                      false,
		own + ":8443/feed":                                              false,
		"https://sininho.example.com./login/device":                     false,
		"https://sininho.example.com.:443/login/device":                 false,
		"https://ana:x@sininho.example.com/login/device":                false,
		"https://example.com@sininho.example.com/feed":                  false,
		"https://ｓininho.example.com/login/device":                      false,
		"https://sininho。example．com/login/device":                      false,
		"https://sinin\u00adho.example.com/login/device":                false,
		"https://%EF%BD%93ininho.example.com/login/device":              false,
		"https://%73ininho.example.com/login/device":                    false,
		"//sininho.example.com/login/device":                            false,
		"/login/device":                                                 false,
		"login/device":                                                  false,
		`https:\\sininho.example.com\login\device`:                      false,
		`https://sininho.example.com\@example.com/`:                     false,
		"https:sininho.example.com/login/device":                        false,
		"https:///sininho.example.com/login/device":                     false,
		"https://sininho.example.com/\tlogin/device":                    false,
		"https://sininho.exa\nmple.com/login/device":                    false,
		"javascript:location='/login/device'":                           false,
		"https://3325256711/login/device":                               false,
		"https://0xc6336407/login/device":                               false,
		"https://0306.063.0144.07/login/device":                         false,
		"https://198.51.25607/login/device":                             false,
	} {
		if got := rules.MayOpen(link, own); got != want {
			t.Errorf("MayOpen(%q, %q) = %t, want %t", link, own, got, want)
		}
	}
}

func TestMayOpenOnOtherOrigins(t *testing.T) {
	for _, test := range []struct {
		link, origin string
		want         bool
	}{
		{"http://localhost:8080/channels/a/b", "http://localhost:8080", true},
		{"http://localhost:8080/login/device", "http://localhost:8080", false},
		{"http://LOCALHOST:8080/login/device", "http://localhost:8080", false},
		{"http://localhost.:8080/login/device", "http://localhost:8080", false},
		{"http://127.0.0.1:8080/login/device", "http://localhost:8080", false},
		{"http://127.0.0.1:8080/feed", "http://localhost:8080", false},
		{"http://[::1]:8080/login/device", "http://localhost:8080", false},
		{"http://[::ffff:127.0.0.1]:8080/login/device", "http://localhost:8080", false},
		{"http://0x7f.1:8080/login/device", "http://localhost:8080", false},
		{"http://localhost:3000/login/device", "http://localhost:8080", true},
		{"https://10.1.2.3:8443/feed", "https://10.1.2.3:8443", true},
		{"https://10.1.2.3:8443/settings", "https://10.1.2.3:8443", false},
		{"https://[::ffff:10.1.2.3]:8443/settings", "https://10.1.2.3:8443", false},
		{"https://167838211:8443/settings", "https://10.1.2.3:8443", false},
		{"https://xn--avisos-de-cmara-ekb.pt/settings", "https://avisos-de-câmara.pt", false},
		{"https://AVISOS-de-câmara.pt/settings", "https://avisos-de-câmara.pt", false},
		{"https://avisos-de-câmara.pt/feed", "https://avisos-de-câmara.pt", true},
	} {
		if got := rules.MayOpen(test.link, test.origin); got != test.want {
			t.Errorf("MayOpen(%q, %q) = %t, want %t", test.link, test.origin, got, test.want)
		}
	}
}

func TestPictures(t *testing.T) {
	const https, http, local = "https://example.com/a.png", "http://example.com/a.png", "http://localhost:8080/a.png"
	for _, c := range []struct {
		links   rules.Links
		allowed map[string]bool
	}{
		{rules.Links{}, map[string]bool{https: true, http: false, local: false}},
		{rules.Links{AllowLoopback: true}, map[string]bool{https: true, http: false, local: true}},
		{rules.Links{HTTPPictures: true}, map[string]bool{https: true, http: true, local: true,
			"ftp://example.com/": false, "javascript:alert(1)": false, "data:image/png;base64,AA": false,
			"/a.png": false, "http://": false,
			"http://ana:segredo@example.com/a.png": false, "http://example.com/a b.png": false}},
	} {
		for address, want := range c.allowed {
			var f rules.Faults
			f.Picture("#/image", address, c.links)
			if got := len(f) == 0; got != want {
				t.Errorf("picture at %s with %+v: got allowed %t, want %t", address, c.links, got, want)
			}
		}
		if c.links.Allow(http) {
			t.Errorf("link to %s with %+v: got allowed, want refused", http, c.links)
		}
	}
}
