//go:build linux || darwin

package embeddedpg

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Exists reports whether a directory has the data of a database.
func Exists(dir string) bool {
	made, err := version(filepath.Join(dir, "data"))
	return made != 0 || err != nil
}

// Use calls do with the URL of the directory's database: of the server that another process runs there, otherwise of
// one that it starts and stops again.
func Use(ctx context.Context, c Config, do func(ctx context.Context, databaseURL string) error) error {
	var url string
	var started *Server
	found, err := waitUntil(ctx, startWithin, func() (_ bool, err error) {
		started, err = Start(ctx, c)
		if errors.Is(err, errInUse) {
			url, err = runningURL(c.Dir) // "": it is just starting, or has just ended
			return url != "", err
		}
		return err == nil, err
	})
	switch {
	case err != nil:
		return err
	case !found:
		return fmt.Errorf("the PostgreSQL that another sininho-server%s runs in %s is not ready: wait until it is, or "+
			"stop that server", holder(c.Dir), c.Dir)
	case started == nil:
		return do(ctx, url)
	}
	serving, done := started.Context(ctx)
	defer done()
	return errors.Join(do(serving, started.URL()), started.Stop())
}

// runningURL returns the URL of the database that another process runs in a directory, or "" if it is not ready.
func runningURL(dir string) (string, error) {
	port := readPort(filepath.Join(dir, "data"))
	if port == 0 {
		return "", nil
	}
	password, err := os.ReadFile(filepath.Join(dir, "postgres.password"))
	if err != nil {
		return "", explainPermission(dir, err)
	}
	return address(strings.TrimSpace(string(password)), port, database), nil
}
