package mail_test

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"math/big"
	"net"
	"net/textproto"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// scripted is a mail server that behaves as a real one does, refusals included.
type scripted struct {
	greeting   string   // default 220
	extensions []string // in the response to EHLO
	secret     []string // further ones after TLS
	tls        bool     // offers STARTTLS
	tlsFirst   bool
	// needs a name or an address literal (Postfix: reject_non_fqdn_helo_hostname)
	strictHello bool
	// takes the user "ana" with the password by these mechanisms; others that are offered fail
	accepts  []string
	password string
	login    bool // required before MAIL
	// respond returns the response to a command instead of the usual one, or "".
	respond func(command string) string
	// closes the connection instead of responding to a command with this beginning
	closes string

	t        *testing.T
	mu       sync.Mutex
	commands []string
	data     []string // the emails as they came, with dots stuffed
	conns    sync.WaitGroup
}

// start serves connections on a free port of loopback, and returns its address.
func (s *scripted) start(t *testing.T) (address string) {
	t.Helper()
	s.t = t
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // a test
	if err != nil {
		t.Fatalf("listen: %v", err)
	}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			s.conns.Go(func() { s.serve(conn) })
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		all.Wait()
		s.conns.Wait()
	})
	return l.Addr().String()
}

// seen returns the commands of all connections.
func (s *scripted) seen() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.commands)
}

func (s *scripted) emails() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.data)
}

// dialogue is one connection.
type dialogue struct {
	*scripted
	conn   net.Conn
	in     *bufio.Reader
	secure bool
	known  bool
}

func (s *scripted) serve(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
	d := &dialogue{scripted: s, conn: conn}
	if s.tlsFirst {
		d.encrypt()
	}
	d.in = bufio.NewReader(d.conn)
	greeting := s.greeting
	if greeting == "" {
		greeting = "220 mail.example.com ESMTP"
	}
	d.say(greeting)
	for {
		line, err := d.in.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.TrimRight(line, "\r\n")
		s.mu.Lock()
		s.commands = append(s.commands, line)
		s.mu.Unlock()
		if s.closes != "" && strings.HasPrefix(line, s.closes) {
			return
		}
		if !d.answer(line) {
			return
		}
	}
}

func (d *dialogue) encrypt() {
	d.conn = tls.Server(d.conn, selfSigned(d.t))
	d.in = bufio.NewReader(d.conn)
	d.secure = true
}

func (d *dialogue) say(line string) { _, _ = fmt.Fprintf(d.conn, "%s\r\n", line) }

// answer responds to a command, and reports whether the connection goes on.
func (d *dialogue) answer(line string) bool {
	if d.respond != nil {
		if response := d.respond(line); response != "" {
			d.say(response)
			return !strings.HasPrefix(response, "421")
		}
	}
	verb, rest, _ := strings.Cut(line, " ")
	switch strings.ToUpper(verb) {
	case "EHLO", "HELO":
		d.hello(verb, rest)
	case "STARTTLS":
		d.say("220 go ahead")
		d.encrypt()
	case "AUTH":
		d.auth(rest)
	case "MAIL":
		d.mail(rest)
	case "DATA":
		d.say("354 go ahead")
		d.take()
	case "QUIT":
		d.say("221 bye")
		return false
	default:
		d.say("250 ok")
	}
	return true
}

func (d *dialogue) hello(verb, name string) {
	if d.strictHello && !strings.Contains(name, ".") && !strings.HasPrefix(name, "[") {
		d.say("504 5.5.2 <" + name + ">: Helo command rejected: need fully-qualified hostname")
		return
	}
	lines := append([]string{"mail.example.com"}, d.extensions...)
	if d.tls && !d.secure {
		lines = append(lines, "STARTTLS")
	}
	if d.secure || !d.tls && !d.tlsFirst {
		lines = append(lines, d.secret...)
	}
	if verb == "HELO" {
		lines = lines[:1]
	}
	for i, line := range lines {
		separator := "-"
		if i == len(lines)-1 {
			separator = " "
		}
		d.say("250" + separator + line)
	}
}

func (d *dialogue) auth(rest string) {
	mechanism, initial, _ := strings.Cut(rest, " ")
	var user, password string
	switch mechanism {
	case "PLAIN":
		parts := strings.Split(d.decode(initial), "\x00")
		user, password = parts[1], parts[2]
	case "LOGIN":
		user = d.ask("VXNlcm5hbWU6")
		password = d.ask("UGFzc3dvcmQ6")
	default:
		d.say("535 5.7.8 Error: authentication failed: no mechanism available")
		return
	}
	if !slices.Contains(d.accepts, mechanism) || user != "ana" || password != d.password {
		d.say("535 5.7.8 Error: authentication failed")
		return
	}
	d.known = true
	d.say("235 2.7.0 welcome")
}

func (d *dialogue) ask(question string) string {
	d.say("334 " + question)
	line, _ := d.in.ReadString('\n')
	return d.decode(strings.TrimSpace(line))
}

func (d *dialogue) decode(s string) string {
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		d.t.Errorf("decode %q: %v", s, err)
	}
	return string(b)
}

func (d *dialogue) mail(rest string) {
	for _, word := range strings.Fields(rest)[1:] {
		name, _, _ := strings.Cut(word, "=")
		offered := func(e string) bool { return e == name || name == "BODY" && e == "8BITMIME" }
		if !slices.ContainsFunc(append(d.extensions, d.secret...), offered) {
			d.say("555 5.5.4 Unsupported option: " + word)
			return
		}
	}
	if d.login && !d.known {
		d.say("530 5.7.0 Authentication required")
		return
	}
	d.say("250 ok")
}

// take reads an email, and keeps its lines as they came.
func (d *dialogue) take() {
	var lines []string
	for {
		line, err := d.in.ReadString('\n')
		if err != nil {
			return
		}
		if line == ".\r\n" {
			break
		}
		if !strings.HasSuffix(line, "\r\n") || len(line) > 1000 {
			d.say("500 5.5.2 line of a forbidden form")
			return
		}
		lines = append(lines, line)
	}
	d.mu.Lock()
	d.data = append(d.data, strings.Join(lines, ""))
	d.mu.Unlock()
	if d.respond != nil {
		if response := d.respond("."); response != "" {
			d.say(response)
			return
		}
	}
	d.say("250 2.0.0 Ok: queued")
}

var selfSigned = func() func(*testing.T) *tls.Config {
	made := sync.OnceValues(func() (*tls.Config, error) {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			return nil, err
		}
		template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{"mail.example.com"},
			NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour)}
		der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
		return &tls.Config{MinVersion: tls.VersionTLS12,
			Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}, err
	})
	return func(t *testing.T) *tls.Config {
		c, err := made()
		if err != nil {
			t.Errorf("make a certificate: %v", err)
		}
		return c
	}
}()

// headersOf returns the headers of an email.
func headersOf(t *testing.T, email string) textproto.MIMEHeader {
	t.Helper()
	h, err := textproto.NewReader(bufio.NewReader(strings.NewReader(email))).ReadMIMEHeader()
	if err != nil {
		t.Fatalf("read the headers of an email: %v", err)
	}
	return h
}
