// Package natstest runs NATS servers in the process of a test. It is for tests only.
package natstest

import (
	"net/url"
	"strconv"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Server is a NATS server that can be stopped and started again at its address.
type Server struct {
	URL string

	t       testing.TB
	options server.Options
	running *server.Server
}

// Start runs a server until the test ends.
func Start(t testing.TB, options ...func(*server.Options)) *Server {
	t.Helper()
	s := &Server{t: t, options: server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true}}
	for _, o := range options {
		o(&s.options)
	}
	s.Start()
	s.URL = s.running.ClientURL()
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatalf("address of the NATS server: %v", err)
	}
	if s.options.Port, err = strconv.Atoi(u.Port()); err != nil {
		t.Fatalf("port of the NATS server: %v", err)
	}
	t.Cleanup(s.Stop)
	return s
}

// Start starts the server again after Stop.
func (s *Server) Start() {
	s.t.Helper()
	running, err := server.NewServer(&s.options)
	if err != nil {
		s.t.Fatalf("make a NATS server: %v", err)
	}
	running.Start()
	if !running.ReadyForConnections(time.Minute) {
		s.t.Fatal("the NATS server does not accept connections")
	}
	s.running = running
}

// Stop closes all connections and stops the server.
func (s *Server) Stop() {
	s.running.Shutdown()
	s.running.WaitForShutdown()
}
