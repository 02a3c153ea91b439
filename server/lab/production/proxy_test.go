package production

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
)

// startCaddy runs the guide's command for Caddy, with the Caddyfile of the release. Only the host, the servers, the
// ports and the certificate, which nobody else trusts, are of the test.
func (i *installation) startCaddy() *http.Client {
	i.t.Helper()
	data, config := i.t.TempDir(), filepath.Join(i.t.TempDir(), "Caddyfile")
	public := strings.TrimPrefix(i.url, "https://localhost:")
	i.write(config, "{\n\tadmin off\n\tskip_install_trust\n\thttp_port "+port(i.t, freeAddr(i.t))+"\n\thttps_port "+public+"\n}\n"+
		i.deployment("caddy/Caddyfile"))
	var servers []string
	for _, n := range i.nodes {
		servers = append(servers, n.addr)
	}
	command := replaced(i.t, regexp.MustCompile(`(?m)^.* caddy run .*$`).FindString(i.guide()), map[string]string{
		"=sininho.example.com": "=localhost", "=localhost:8080": "='" + strings.Join(servers, " ") + "'",
		"examples/deploy/caddy/Caddyfile": config,
	})
	caddy := start(i.t, []string{"XDG_DATA_HOME=" + data, "XDG_CONFIG_HOME=" + data}, data, "bash", "-c", command)
	root := filepath.Join(data, "caddy/pki/authorities/local/root.crt")
	eventually.True(i.t, "Caddy's certificate", func() bool { _, err := os.Stat(root); return err == nil })
	client := browser(i.t, root, "127.0.0.1:"+public)
	caddy.waitFor(client, i.url+"/readyz")
	return client
}

// startNginx starts nginx with the configuration of the release; names, certificate, ports and servers are replaced.
func (i *installation) startNginx() *http.Client {
	i.t.Helper()
	dir, addr := i.publicDir(), freeAddr(i.t)
	certificate, key := filepath.Join(dir, "sininho.pem"), filepath.Join(dir, "sininho.key")
	openssl := exec.Command("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
		"-days", "1", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate)
	if out, err := openssl.CombinedOutput(); err != nil {
		i.t.Fatalf("make a certificate: %v\n%s", err, out)
	}
	text := replaced(i.t, i.deployment("nginx/sininho.conf"), map[string]string{
		"127.0.0.1:8080": i.nodes[0].addr, "127.0.0.1:8081": i.nodes[1].addr, "listen 80;": "listen " + freeAddr(i.t) + ";",
		"listen 443 ssl": "listen " + addr + " ssl", "listen [::]:80;": "", "listen [::]:443 ssl http2;": "",
		"/etc/ssl/certs/sininho.pem": certificate, "/etc/ssl/private/sininho.key": key,
		"sininho.example.com": "localhost",
	})
	config := filepath.Join(dir, "nginx.conf")
	i.write(config, "daemon off;\npid "+dir+"/nginx.pid;\nerror_log stderr;\nevents { worker_connections 1024; }\nhttp {\naccess_log off;\n"+
		"client_body_temp_path "+dir+"/body;\nproxy_temp_path "+dir+"/proxy;\nfastcgi_temp_path "+dir+"/fastcgi;\n"+
		"uwsgi_temp_path "+dir+"/uwsgi;\nscgi_temp_path "+dir+"/scgi;\n"+text+"}\n")
	nginx := start(i.t, nil, dir, "nginx", "-c", config, "-e", "stderr")
	client := browser(i.t, certificate, addr)
	nginx.waitFor(client, i.url+"/readyz")
	return client
}

// replaced returns a text with each of some parts, all of which it must have, replaced.
func replaced(t *testing.T, text string, parts map[string]string) string {
	t.Helper()
	var pairs []string
	for from, to := range parts {
		if !strings.Contains(text, from) {
			t.Fatalf("there is no %q in:\n%s", from, text)
		}
		pairs = append(pairs, from, to)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// deployment returns a deployment file of the release.
func (i *installation) deployment(name string) string {
	i.t.Helper()
	text, err := os.ReadFile(filepath.Join(i.folder, "examples", "deploy", name))
	if err != nil {
		i.t.Fatalf("read a deployment file: %v", err)
	}
	return string(text)
}

// browser returns a client that trusts a certificate and connects to one address, whatever it asks for.
func browser(t *testing.T, certificate, addr string) *http.Client {
	t.Helper()
	text, err := os.ReadFile(certificate)
	if err != nil {
		t.Fatalf("read the certificate: %v", err)
	}
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(text)
	transport := &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS12}, ForceAttemptHTTP2: true,
		DialContext: func(ctx context.Context, network, asked string) (net.Conn, error) {
			if strings.HasPrefix(asked, "localhost:") {
				asked = addr
			}
			return (&net.Dialer{}).DialContext(ctx, network, asked)
		},
	}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: time.Minute}
}
