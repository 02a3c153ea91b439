package main

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/server"
)

const healthTimeout = 5 * time.Second

// checkHealth asks the server at LISTEN_ADDR whether it is ready. A container without a shell has no curl for that.
func checkHealth(c *cli.Context) error {
	variables, err := environment(c)
	if err != nil {
		return err
	}
	settings, _ := server.ReadConfig(variables) // the address has a default; serve reports what is wrong
	address, err := readyURL(settings.ListenAddr)
	if err != nil {
		return err
	}
	client := http.Client{Timeout: healthTimeout}
	if settings.Secured() {
		address = strings.Replace(address, "http:", "https:", 1)
		if client.Transport, err = toThisMachine(settings.PublicURL); err != nil {
			return err
		}
	}
	req, err := http.NewRequestWithContext(c.Context, http.MethodGet, address, http.NoBody)
	if err != nil {
		return err
	}
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	reason, err := io.ReadAll(io.LimitReader(res.Body, 1<<10))
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s: %s", address, res.Status, bytes.TrimSpace(reason))
	}
	_, err = c.App.Writer.Write(reason)
	return err
}

// toThisMachine returns a transport to a server on this machine that has the certificate of PUBLIC_URL's host. Nothing
// secret is sent, so it need not be verified, and may be that of a private authority.
func toThisMachine(publicURL string) (*http.Transport, error) {
	u, err := url.Parse(publicURL)
	if err != nil {
		return nil, err
	}
	//nolint:gosec // see above
	return &http.Transport{TLSClientConfig: &tls.Config{ServerName: u.Hostname(), InsecureSkipVerify: true}}, nil
}

// readyURL returns the address of the readiness check of a server that listens on an address; one without a host, or on
// all interfaces, is reached by the loopback interface.
func readyURL(listen string) (string, error) {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return "", fmt.Errorf("LISTEN_ADDR: %w", err)
	}
	if ip := net.ParseIP(host); host == "" || ip.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port) + "/readyz", nil
}
