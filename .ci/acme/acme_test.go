package acme

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const patience = time.Minute

// TestCertificate serves by https with a certificate of Pebble's, which is kept over a restart.
func TestCertificate(t *testing.T) {
	t.Parallel()
	n := newNode(t)
	n.authority = startAuthority(t, n.httpAddr, n.addr, 0)
	process := n.start()
	n.within(patience, "the certificate", func() bool { return n.serial() != "" })
	for _, http2 := range []bool{false, true} {
		res, err := n.client(n.addr, http2).Get(n.url() + "/readyz")
		if err != nil {
			t.Fatalf("https, HTTP/2 %t: %v", http2, err)
		}
		_ = res.Body.Close()
		if res.StatusCode != http.StatusOK || (res.ProtoMajor == 2) != http2 ||
			res.Header.Get("Strict-Transport-Security") == "" {
			t.Errorf("https, HTTP/2 %t: got %s by %s with %v", http2, res.Status, res.Proto, res.Header)
		}
	}
	n.checkRedirect()
	n.checkStream()
	n.checkFiles()
	n.checkHealth()
	before, orders := n.serial(), n.authority.orders.Load()
	n.checkForeignNames()
	n.stop(process)
	process = n.start()
	n.within(patience, "the certificate after a restart", func() bool { return n.serial() != "" })
	if after := n.serial(); after != before || n.authority.orders.Load() != orders {
		t.Errorf("after a restart: got certificate %s and %d orders, want %s and %d", after, n.authority.orders.Load(),
			before, orders)
	}
	n.stop(process)
}

// checkRedirect asks by plain http, also with the name of another host and with a credential.
func (n *node) checkRedirect() {
	n.t.Helper()
	client := n.client(n.httpAddr, false)
	for _, asked := range []string{host, "evil.example.com"} {
		res, err := client.Get("http://" + asked + "/channels/a?b=c")
		if err != nil {
			n.t.Fatalf("plain http: %v", err)
		}
		_ = res.Body.Close()
		if want := n.url() + "/channels/a?b=c"; res.StatusCode != http.StatusMovedPermanently ||
			res.Header.Get("Location") != want {
			n.t.Errorf("plain http for %s: got %s to %q, want a redirect to %s", asked, res.Status,
				res.Header.Get("Location"), want)
		}
	}
	res, err := client.Post("http://"+host+"/api/v1/auth", "application/json", strings.NewReader("{}"))
	if err != nil {
		n.t.Fatalf("plain http: %v", err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusForbidden {
		n.t.Errorf("POST by plain http: got %s, want 403", res.Status)
	}
}

// checkStream receives by streams over TLS, by HTTP/1.1 and HTTP/2, what is posted to the demonstration.
func (n *node) checkStream() {
	n.t.Helper()
	for _, http2 := range []bool{false, true} {
		client := n.client(n.addr, http2)
		res, err := client.Get(n.url() + "/api/v1/channels/demo/demonstracao/notifications/stream")
		if err != nil || res.StatusCode != http.StatusOK {
			n.t.Fatalf("open a stream, HTTP/2 %t: got %v and %v", http2, res, err)
		}
		title := fmt.Sprintf("olá %t", http2)
		n.post(title)
		received := make(chan bool, 1)
		go func() {
			lines := bufio.NewScanner(res.Body)
			for lines.Scan() {
				if strings.Contains(lines.Text(), title) {
					received <- true
					return
				}
			}
			received <- false
		}()
		select {
		case ok := <-received:
			if !ok {
				n.t.Errorf("stream, HTTP/2 %t: ended before %q", http2, title)
			}
		case <-time.After(patience):
			n.t.Errorf("stream, HTTP/2 %t: got no %q", http2, title)
		}
		_ = res.Body.Close()
	}
}

// post posts to the demonstration's webhook, whose address the web app is given.
func (n *node) post(title string) {
	n.t.Helper()
	client := n.client(n.addr, true)
	res, err := client.Get(n.url() + "/config.js")
	if err != nil {
		n.t.Fatalf("settings of the web app: %v", err)
	}
	defer res.Body.Close()
	script, err := io.ReadAll(res.Body)
	if err != nil {
		n.t.Fatalf("settings of the web app: %v", err)
	}
	object, _ := strings.CutPrefix(strings.TrimSpace(string(script)), "globalThis.SININHO_ENV = Object.freeze(")
	var settings map[string]string
	if err := json.Unmarshal([]byte(strings.TrimSuffix(object, ");")), &settings); err != nil {
		n.t.Fatalf("settings of the web app: %v", err)
	}
	posted, err := client.Post(settings["DEMO_WEBHOOK_URL"], "application/json",
		strings.NewReader(fmt.Sprintf(`{"title":%q}`, title)))
	if err != nil {
		n.t.Fatalf("post: %v", err)
	}
	_ = posted.Body.Close()
	if posted.StatusCode != http.StatusAccepted {
		n.t.Fatalf("post: got %s, want 202", posted.Status)
	}
}

// checkFiles expects that nobody else may read the keys.
func (n *node) checkFiles() {
	n.t.Helper()
	dir := filepath.Join(n.dir, "data", "certificates")
	found := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			n.t.Errorf("%s: got mode %v, want none for others", path, info.Mode())
		}
		found++
		return err
	})
	if err != nil || found < 3 {
		n.t.Errorf("files of the certificate: got %d and %v, want the directory, an account's key and a certificate",
			found, err)
	}
}

func (n *node) checkHealth() {
	n.t.Helper()
	cmd := exec.Command(program, "health", "--env-file", filepath.Join(n.dir, "sininho.env"))
	cmd.Env = append(os.Environ(), "LISTEN_ADDR="+n.addr)
	if out, err := cmd.CombinedOutput(); err != nil || string(out) != "ready\n" {
		n.t.Errorf("health: got %v and %s, want ready", err, out)
	}
}

// checkForeignNames connects with names that a stranger makes up, as one who wants the authority to refuse the server.
func (n *node) checkForeignNames() {
	n.t.Helper()
	orders := n.authority.orders.Load()
	for i := range 50 {
		for _, name := range []string{fmt.Sprintf("a%d.example.com", i), "www." + host, "a." + host, "localhost"} {
			if conn, err := n.tls(name); err == nil {
				_ = conn.Close()
				n.t.Errorf("https for %s: got a certificate, want none", name)
			}
		}
	}
	if got := n.authority.orders.Load(); got != orders {
		n.t.Errorf("orders after foreign names: got %d, want %d as before", got, orders)
	}
}

// TestHTTP01 has an authority that does not reach the port of https, and checks the host by plain http.
func TestHTTP01(t *testing.T) {
	t.Parallel()
	n := newNode(t)
	n.authority = startAuthority(t, n.httpAddr, freeAddr(t), 0)
	n.start()
	n.within(patience, "the certificate", func() bool { return n.serial() != "" })
}

// TestTLSALPN01 has an authority that does not reach the port of http, and checks the host by https.
func TestTLSALPN01(t *testing.T) {
	t.Parallel()
	n := newNode(t)
	n.authority = startAuthority(t, freeAddr(t), n.addr, 0)
	n.start()
	n.within(patience, "the certificate", func() bool { return n.serial() != "" })
}

// TestRenewal has certificates that are valid for seconds. The server gets others while it runs.
func TestRenewal(t *testing.T) {
	t.Parallel()
	n := newNode(t)
	n.authority = startAuthority(t, n.httpAddr, n.addr, 20)
	n.start()
	seen := map[string]bool{}
	n.within(2*patience, "two renewals", func() bool {
		if serial := n.serial(); serial != "" {
			seen[serial] = true
		}
		return len(seen) == 3
	})
}

// TestWithoutCertificate has an authority that reaches no port. The server says what to do, and strangers make it ask
// for no more.
func TestWithoutCertificate(t *testing.T) {
	t.Parallel()
	n := newNode(t)
	n.authority = startAuthority(t, freeAddr(t), freeAddr(t), 0)
	process := n.start()
	n.within(patience, "a line in the log", func() bool {
		return strings.Contains(n.log.String(), "there is no certificate yet: check that the host leads to this machine")
	})
	orders := n.authority.orders.Load()
	for range 20 {
		if conn, err := n.tls(host); err == nil {
			_ = conn.Close()
			t.Error("https without a certificate: got a connection, want none")
		}
	}
	if got := n.authority.orders.Load(); got != orders {
		t.Errorf("orders after 20 visitors: got %d, want %d as before", got, orders)
	}
	n.checkRedirect()
	n.stop(process)
}

// TestSilentClients connect and say nothing, or speak http to the port of https. The server ends both.
func TestSilentClients(t *testing.T) {
	t.Parallel()
	n := newNode(t)
	n.authority = startAuthority(t, n.httpAddr, n.addr, 0)
	n.start()
	n.within(patience, "the certificate", func() bool { return n.serial() != "" })
	for name, says := range map[string]string{"nothing": "", "half a hello": "\x16\x03\x01\x02\x00"} {
		conn, err := net.Dial("tcp", n.addr)
		if err != nil {
			t.Fatalf("connect: %v", err)
		}
		defer conn.Close()
		_, _ = io.WriteString(conn, says)
		_ = conn.SetReadDeadline(time.Now().Add(patience))
		if _, err := io.Copy(io.Discard, conn); err != nil {
			t.Errorf("client that says %s: got %v, want that the server ends the connection", name, err)
		}
	}
}
