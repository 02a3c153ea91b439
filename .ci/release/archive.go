package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// file is a file of an archive.
type file struct {
	name, path string // in the archive, and on this machine
	mode       fs.FileMode
}

// archiveName returns the name of an archive without the suffix, which is also that of the folder inside.
func (r *release) archiveName(b build) string {
	return fmt.Sprintf("%s_%s_%s_%s", b.program, r.number(), b.system, b.arch)
}

func (r *release) archiveAll(builds []build) error {
	for _, b := range builds {
		files, err := r.contents(b)
		if err != nil {
			return err
		}
		write, suffix := writeTar, ".tar.gz"
		if b.system == "windows" {
			write, suffix = writeZip, ".zip"
		}
		if err := r.archive(r.archiveName(b)+suffix, files, write); err != nil {
			return err
		}
	}
	return nil
}

// contents returns the files of an archive: the program, and what its users read and deploy it with.
func (r *release) contents(b build) ([]file, error) {
	files := []file{
		{filepath.Base(r.binary(b)), r.binary(b), 0o755},
		{"LICENSE", filepath.Join(r.root, "LICENSE"), 0o644},
		{"README.md", filepath.Join(r.root, "README.md"), 0o644},
		{"CHANGELOG.md", filepath.Join(r.root, "CHANGELOG.md"), 0o644},
		{"SECURITY.md", filepath.Join(r.root, "SECURITY.md"), 0o644},
		{noticesName, filepath.Join(r.dist, noticesName), 0o644},
	}
	if b.program == client {
		for _, shell := range shells {
			files = append(files, file{"completions/sininho." + shell, r.completion(shell), 0o644})
		}
		return files, nil
	}
	for _, folder := range []string{"docs", "examples/deploy", "examples/monitoring"} {
		more, err := r.tree(folder)
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
	if settings := filepath.Join(r.root, ".env.example"); exists(settings) {
		files = append(files, file{".env.example", settings, 0o644})
	}
	return files, nil
}

// tree returns the files of a folder that are in git, without Go code.
func (r *release) tree(folder string) (files []file, err error) {
	list, err := output(r.root, "git", "ls-files", "-s", "--", folder)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(list) {
		attributes, name, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if path.Ext(name) == ".go" {
			continue
		}
		mode := fs.FileMode(0o644)
		if strings.HasPrefix(attributes, "100755") {
			mode = 0o755
		}
		files = append(files, file{name, filepath.Join(r.root, name), mode})
	}
	return files, nil
}

func exists(path string) bool { _, err := os.Stat(path); return err == nil }

// archive writes files into an archive, below a folder that has its name.
func (r *release) archive(name string, files []file, write func(io.Writer, []file, time.Time) error) error {
	folder := strings.TrimSuffix(strings.TrimSuffix(name, ".zip"), ".tar.gz")
	for i := range files {
		files[i].name = folder + "/" + files[i].name
	}
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	out, err := os.Create(filepath.Join(r.dist, name))
	if err != nil {
		return err
	}
	return errors.Join(write(out, files, r.source.date), out.Close())
}

// writeTar writes a compressed archive without anything of this machine: owners, times, names.
func writeTar(out io.Writer, files []file, date time.Time) error {
	compressed, err := gzip.NewWriterLevel(out, gzip.BestCompression)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(compressed)
	for _, f := range files {
		info, err := os.Stat(f.path)
		if err != nil {
			return err
		}
		header := &tar.Header{Typeflag: tar.TypeReg, Name: f.name, Size: info.Size(), Mode: int64(f.mode), ModTime: date,
			Uname: "root", Gname: "root"}
		if err := archive.WriteHeader(header); err != nil {
			return err
		}
		if err := copyFile(archive, f.path); err != nil {
			return err
		}
	}
	return errors.Join(archive.Close(), compressed.Close())
}

func writeZip(out io.Writer, files []file, date time.Time) error {
	archive := zip.NewWriter(out)
	for _, f := range files {
		header := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: date}
		header.SetMode(f.mode)
		entry, err := archive.CreateHeader(header)
		if err != nil {
			return err
		}
		if err := copyFile(entry, f.path); err != nil {
			return err
		}
	}
	return archive.Close()
}

func copyFile(out io.Writer, path string) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	_, err = io.Copy(out, in)
	return err
}
