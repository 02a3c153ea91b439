//go:build linux || darwin

package embeddedpg

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// extract unpacks a package's native files into a new directory that everyone may read, and restores the symbolic
// links, which npm packages cannot contain.
func extract(tarball []byte, dir string) error {
	if err := os.Mkdir(dir, 0o755); err != nil { //nolint:gosec // the server's user must reach it
		return err
	}
	root, err := os.OpenRoot(dir) // prevents writes outside dir
	if err != nil {
		return err
	}
	defer root.Close() // its files are already closed
	if err := extractFiles(tarball, root); err != nil {
		return err
	}
	if err := link(root); err != nil {
		return err
	}
	return openDirectories(root)
}

func extractFiles(tarball []byte, root *os.Root) error {
	unzipped, err := gzip.NewReader(bytes.NewReader(tarball))
	if err != nil {
		return err
	}
	for archive := tar.NewReader(unzipped); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		name, native := strings.CutPrefix(header.Name, "package/native/")
		if !native || header.Typeflag != tar.TypeReg {
			continue
		}
		if err := write(root, name, header.FileInfo().Mode().Perm()&0o755|0o644, archive); err != nil {
			return err
		}
	}
}

func write(root *os.Root, name string, mode os.FileMode, from io.Reader) error {
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := root.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)                         // no limit needed: the checksum was verified
	return errors.Join(err, f.Chmod(mode), f.Close()) // independent of the umask
}

// link creates the symbolic links that the package lists. Their paths are relative to the package's root.
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
		return fmt.Errorf("pg-symlinks.json: %w", err)
	}
	for _, l := range links {
		source, ok1 := strings.CutPrefix(l.Source, "native/")
		target, ok2 := strings.CutPrefix(l.Target, "native/")
		if !ok1 || !ok2 || !filepath.IsLocal(source) || !filepath.IsLocal(target) {
			return fmt.Errorf("the link %s to %s leaves the package", l.Target, l.Source)
		}
		to, err := filepath.Rel(filepath.Dir(target), source)
		if err != nil {
			return err
		}
		if err := root.Symlink(to, target); err != nil && !errors.Is(err, os.ErrExist) {
			return err
		}
	}
	return nil
}

// openDirectories makes all directories passable for everyone, independent of the umask.
func openDirectories(root *os.Root) error {
	return fs.WalkDir(root.FS(), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		return root.Chmod(path, 0o755)
	})
}
