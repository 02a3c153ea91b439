package cluster

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/sininho/sininho/server/internal/postgres"
)

// BuildNewer builds the server of a next version into a directory: this one with the migrations in testdata/next of
// package postgres. They add the table published_times, with a row for each notification from then on, and to
// notifications a column with an index. It returns the path of the binary.
func BuildNewer(dir string) (string, error) {
	root, err := moduleRoot()
	if err != nil {
		return "", err
	}
	known, err := postgres.KnownSchemaVersion()
	if err != nil {
		return "", err
	}
	place := filepath.Join(root, "server/internal/postgres")
	added, err := filepath.Glob(filepath.Join(place, "testdata/next/*.sql")) // sorted
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	for i, file := range added {
		name := fmt.Sprintf("migrations/%05d_%s", known+int64(i)+1, filepath.Base(file))
		replace[filepath.Join(place, name)] = file
	}
	replaced, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlay, replaced, 0o600); err != nil {
		return "", err
	}
	return build(root, filepath.Join(dir, "sininho-server"), "-overlay="+overlay)
}
