package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

const checksumsName = "SHA256SUMS"

// writeChecksums lists all results in the format of sha256sum.
func (r *release) writeChecksums([]build) error {
	entries, err := os.ReadDir(r.dist)
	if err != nil {
		return err
	}
	var list bytes.Buffer
	for _, e := range entries {
		sum, err := checksum(filepath.Join(r.dist, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&list, "%s  %s\n", sum, e.Name())
	}
	say("%d files are in %s", len(entries)+1, r.dist)
	return os.WriteFile(filepath.Join(r.dist, checksumsName), list.Bytes(), 0o644)
}

func checksum(path string) (string, error) {
	in, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer in.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, in); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
