package server

import (
	"path/filepath"
	"slices"
	"strings"
)

// OwnDatabase reports whether the server keeps a PostgreSQL of its own.
func (c Config) OwnDatabase() bool { return c.DataDir != "" && c.DatabaseURL == "" }

// DatabaseDir returns the directory of the server's own PostgreSQL.
func (c Config) DatabaseDir() string { return filepath.Join(c.DataDir, "postgres") }

// WithDatabase returns the settings with the address of the server's own database.
func (c Config) WithDatabase(url string) Config {
	c.DatabaseURL, c.DatabaseDirectURL = url, url
	return c
}

// checkDataDir refuses settings that the server's own database cannot have.
func (c Config) checkDataDir(p *problems) {
	if c.DataDir != "" && !filepath.IsAbs(c.DataDir) {
		p.add("DATA_DIR", "must be an absolute path such as /var/lib/sininho")
	}
	if !c.OwnDatabase() {
		return
	}
	for name, set := range map[string]bool{
		"DATABASE_DIRECT_URL": c.DatabaseDirectURL != "", "DATABASE_REPLICA_URLS": len(c.DatabaseReplicas) > 0,
	} {
		if set {
			p.add(name, "requires DATABASE_URL: the server's own database in DATA_DIR has no pooler and no replicas")
		}
	}
}

// withoutOwn returns the problems without those of missing settings that a server with its own database knows itself.
func (p problems) withoutOwn(c Config) problems {
	if !c.OwnDatabase() {
		return p
	}
	missing := []string{"DATABASE_URL: is required", "DATABASE_URL: is empty"}
	if c.DemoWebhookURL == "" {
		missing = append(missing, "DEMO_WEBHOOK_URL: is required", "DEMO_WEBHOOK_URL: is empty")
	}
	return slices.DeleteFunc(p, func(problem string) bool {
		return slices.ContainsFunc(missing, func(m string) bool { return strings.HasPrefix(problem, m) })
	})
}
