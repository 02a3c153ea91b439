package server

import (
	"testing"

	"github.com/sininho/sininho/server/lab/check"
)

// TestOwnDatabase expects that DATA_DIR takes the place of DATABASE_URL, and that nothing changes without it.
func TestOwnDatabase(t *testing.T) {
	const dir, url = "/var/lib/sininho", "postgres://localhost/sininho"
	for _, c := range []struct {
		settings map[string]string
		problem  string
		want     bool
	}{
		{map[string]string{}, "DATABASE_URL: is required", true},
		{map[string]string{}, "DEMO_WEBHOOK_URL: is required", true},
		{map[string]string{"DATA_DIR": dir}, "DATABASE_URL", false},
		{map[string]string{"DATA_DIR": dir, "DATABASE_URL": ""}, "DATABASE_URL", false},
		{map[string]string{"DATA_DIR": dir}, "DEMO_WEBHOOK_URL", false},
		{map[string]string{"DATA_DIR": dir, "DEMO_WEBHOOK_URL": "x"}, "DEMO_WEBHOOK_URL: must be", true},
		{map[string]string{"DATA_DIR": dir}, "GOOGLE_CLIENT_ID: is required", true},
		{map[string]string{"DATA_DIR": dir, "DATABASE_URL": url}, "DEMO_WEBHOOK_URL: is required", true},
		{map[string]string{"DATA_DIR": "data"}, "DATA_DIR: must be an absolute path", true},
		{map[string]string{"DATA_DIR": dir, "DATABASE_REPLICA_URLS": url}, "DATABASE_REPLICA_URLS: requires", true},
		{map[string]string{"DATA_DIR": dir, "DATABASE_DIRECT_URL": url}, "DATABASE_DIRECT_URL: requires", true},
		{map[string]string{"DATA_DIR": dir, "DATABASE_URL": url, "DATABASE_REPLICA_URLS": url}, "DATABASE_REPLICA", false},
	} {
		_, err := ReadConfig(c.settings)
		if got := hasProblem(err, c.problem); got != c.want {
			t.Errorf("problem %q of %v: got %t in %v, want %t", c.problem, c.settings, got, err, c.want)
		}
	}
	c, err := ReadDatabaseConfig(map[string]string{"DATA_DIR": dir})
	check.Equal(t, "error of the settings for a backup", err, nil)
	check.Equal(t, "directory of the own database", c.DatabaseDir(), dir+"/postgres")
	_, err = ReadWaitlistConfig(map[string]string{"DATA_DIR": dir})
	check.Equal(t, "the waiting list requires DATABASE_URL", hasProblem(err, "DATABASE_URL: is required"), true)
}
