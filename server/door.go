package server

import (
	"net"

	"github.com/sininho/sininho/server/internal/guard"
	"github.com/sininho/sininho/server/internal/metrics"
)

const (
	// reservedFiles is how many file descriptors are kept for all but clients: files, pushes, events, pictures and
	// emails. Where few are allowed it is a quarter of them.
	reservedFiles = 2048
	// connectionsRefused is their name in the metrics of refused requests.
	connectionsRefused = "connections"
)

// bounded returns a listener of clients that has at most as many connections open as the settings, and the files that
// the process may open, allow.
func (c Config) bounded(l net.Listener, m *metrics.HTTP) net.Listener {
	proxies, _ := c.proxies() // checked when the settings were read
	config := guard.DoorConfig{Total: c.connections(openFiles()), Trusted: proxies,
		Refused: func() { m.Limited(connectionsRefused) }}
	if c.Limits {
		config.PerNetwork = c.LimitNetworkConnections
	}
	d := guard.NewDoor(config)
	if s, ok := l.(*securedListener); ok {
		s.bound(d)
		return s
	}
	return d.Listen(l)
}

// connections returns how many connections of clients are open at most in a process that may open so many files.
func (c Config) connections(files int) int {
	database := int(c.DatabaseConns) * (1 + len(c.DatabaseReplicas))
	return max(1, files-min(files/4, reservedFiles)-database)
}
