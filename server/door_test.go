package server

import (
	"fmt"
	"testing"

	"github.com/sininho/sininho/server/lab/check"
)

// TestFilesAreLeft expects clients to leave file descriptors to the database and to everything else.
func TestFilesAreLeft(t *testing.T) {
	t.Parallel()
	for files, want := range map[int]int{1024: 1024 - 256 - 32, 20_000: 20_000 - 2048 - 32, 8: 1} {
		check.Equal(t, fmt.Sprint("connections with ", files, " files"), Config{Database: Database{DatabaseConns: 32}}.connections(files), want)
	}
	replicated := Config{Database: Database{DatabaseConns: 32, DatabaseReplicas: []string{"a", "b"}}}
	check.Equal(t, "connections with replicas", replicated.connections(20_000), 20_000-2048-96)
	if openFiles() < 64 {
		t.Errorf("files that this process may open: got %d, want more", openFiles())
	}
}
