package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm"
)

// packageAll makes the Debian and RPM packages of the builds for Linux.
func (r *release) packageAll(builds []build) error {
	for _, b := range builds {
		if b.system != "linux" {
			continue
		}
		for _, format := range []string{"deb", "rpm"} {
			if err := r.pack(b, format); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *release) pack(b build, format string) error {
	info, err := r.describePackage(b, format)
	if err != nil {
		return err
	}
	packager, err := nfpm.Get(format)
	if err != nil {
		return err
	}
	out, err := os.Create(filepath.Join(r.dist, packager.ConventionalFileName(info)))
	if err != nil {
		return err
	}
	return errors.Join(packager.Package(info, out), out.Close())
}

// describePackage reads packages/PROGRAM.yaml, in which ${VERSION} and the like stand for what differs.
func (r *release) describePackage(b build, format string) (*nfpm.Info, error) {
	values := map[string]string{"VERSION": r.version, "ARCH": b.arch,
		"ROOT": r.root, "WORK": r.work, "DIST": r.dist, "BINARY": r.binary(b)}
	text, err := os.ReadFile(filepath.Join(r.root, ".ci/release/packages", b.program+".yaml"))
	if err != nil {
		return nil, err
	}
	text = []byte(os.Expand(string(text), func(name string) string { return values[name] }))
	config, err := nfpm.Parse(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	info, err := config.Get(format)
	if err != nil {
		return nil, err
	}
	info.MTime, info.RPM.BuildHost = r.source.date, "localhost"
	for _, c := range info.Contents { // otherwise each has the time of its file
		if c.FileInfo == nil {
			c.FileInfo = &files.ContentFileInfo{}
		}
		c.FileInfo.MTime = r.source.date
	}
	info = nfpm.WithDefaults(info)
	return info, nfpm.Validate(info)
}
