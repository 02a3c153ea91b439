package server

import (
	"testing"

	"github.com/sininho/sininho/server/lab/check"
)

func TestTLSSettings(t *testing.T) {
	const url, noName = "https://sininho.example.com", "PUBLIC_URL: must be an https address with the name"
	for _, c := range []struct {
		settings map[string]string
		problem  string // "": none
	}{
		{map[string]string{}, ""},
		{map[string]string{"TLS": "on"}, "TLS: must be off or auto"},
		{map[string]string{"TLS": "auto", "PUBLIC_URL": url, "DATA_DIR": "/x"}, ""},
		{map[string]string{"TLS": "auto", "PUBLIC_URL": url}, "DATA_DIR: is required with TLS=auto"},
		{map[string]string{"TLS": "auto", "PUBLIC_URL": "https://192.0.2.1", "DATA_DIR": "/x"}, noName},
		{map[string]string{"TLS": "auto", "PUBLIC_URL": "https://[::1]", "DATA_DIR": "/x"}, noName},
		{map[string]string{"TLS": "auto", "PUBLIC_URL": "http://localhost", "DATA_DIR": "/x"}, noName},
		{map[string]string{"HTTP_ADDR": "80"}, "HTTP_ADDR: must be an address"},
		{map[string]string{"ACME_DIRECTORY_URL": "http://ca.example.com"}, "ACME_DIRECTORY_URL: must be an https"},
		{map[string]string{"ACME_CA": "x"}, "ACME_CA: must be certificates in PEM"},
	} {
		_, err := ReadConfig(c.settings)
		got := hasProblem(err, "TLS") || hasProblem(err, "HTTP_ADDR") || hasProblem(err, "ACME_") ||
			hasProblem(err, "DATA_DIR") || hasProblem(err, noName)
		if got != (c.problem != "") || c.problem != "" && !hasProblem(err, c.problem) {
			t.Errorf("problems of %v: got %v, want %q", c.settings, err, c.problem)
		}
	}
	for tls, want := range map[string]string{"off": ":8080", "auto": ":443"} {
		c, _ := ReadConfig(map[string]string{"TLS": tls})
		check.Equal(t, "LISTEN_ADDR with TLS="+tls, c.ListenAddr, want)
		c, _ = ReadConfig(map[string]string{"TLS": tls, "LISTEN_ADDR": ":8443"})
		check.Equal(t, "LISTEN_ADDR=:8443 with TLS="+tls, c.ListenAddr, ":8443")
	}
}
