package acme

import (
	"crypto/x509"
	"encoding/pem"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/letsencrypt/challtestsrv"
	"github.com/letsencrypt/pebble/v2/ca"
	"github.com/letsencrypt/pebble/v2/db"
	"github.com/letsencrypt/pebble/v2/va"
	"github.com/letsencrypt/pebble/v2/wfe"
)

// authority is a Pebble that looks up every name in a DNS server of its own, which says that it is this machine.
type authority struct {
	directory string // its address
	caFile    string // what its address is signed with
	roots     *x509.CertPool
	orders    atomic.Int64
}

// startAuthority starts a Pebble that connects to ports of this machine to check a host. Its certificates are valid for
// some seconds; 0: as Pebble likes.
func startAuthority(t *testing.T, httpAddr, tlsAddr string, seconds uint64) *authority {
	t.Helper()
	discard := log.New(io.Discard, "", 0)
	dnsAddr := freeAddr(t)
	names, err := challtestsrv.New(challtestsrv.Config{Log: discard, DNSAddrs: []string{dnsAddr}})
	if err != nil {
		t.Fatalf("start a DNS server: %v", err)
	}
	names.SetDefaultDNSIPv6("")
	go names.Run()
	t.Cleanup(names.Shutdown)
	store := db.NewMemoryStore()
	issuer := ca.New(discard, store, "", "ecdsa", 0, 1, map[string]ca.Profile{"default": {ValidityPeriod: seconds}})
	checker := va.New(discard, port(t, httpAddr), port(t, tlsAddr), false, dnsAddr, store)
	front := wfe.New(discard, store, checker, issuer, []string{"pebble.example.com"}, false, false, 1, 1)
	a := &authority{roots: x509.NewCertPool(), caFile: filepath.Join(t.TempDir(), "ca.pem")}
	handler := front.Handler()
	served := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && r.URL.Path == "/order-plz" {
			a.orders.Add(1)
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(served.Close)
	a.directory = served.URL + wfe.DirectoryPath
	a.roots.AppendCertsFromPEM(issuer.GetRootCert(0).PEM())
	signed := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: served.Certificate().Raw})
	if err := os.WriteFile(a.caFile, signed, 0o600); err != nil {
		t.Fatalf("write a file: %v", err)
	}
	return a
}

func port(t *testing.T, addr string) int {
	t.Helper()
	_, number, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatalf("split an address: %v", err)
	}
	n, err := strconv.Atoi(number)
	if err != nil {
		t.Fatalf("port: %v", err)
	}
	return n
}

func freeAddr(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("listen: %v", err)
	}
	defer l.Close() // only needed to find a free port
	return l.Addr().String()
}
