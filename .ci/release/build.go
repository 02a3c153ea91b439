package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// The programs.
const (
	client = "sininho"
	server = "sininho-server"
)

var mainPackages = map[string]string{client: "cli/cmd/sininho", server: "server/cmd/sininho-server"}

// build is one program for one platform.
type build struct{ program, system, arch string }

// allBuilds has the client for whoever uses it, and the server for where it is run.
var allBuilds = []build{
	{client, "darwin", "amd64"}, {client, "darwin", "arm64"}, {client, "linux", "amd64"}, {client, "linux", "arm64"},
	{client, "windows", "amd64"}, {client, "windows", "arm64"},
	{server, "darwin", "amd64"}, {server, "darwin", "arm64"}, {server, "linux", "amd64"}, {server, "linux", "arm64"},
}

func selectBuilds(only string) ([]build, error) {
	if only == "" {
		return allBuilds, nil
	}
	var selected []build
	for name := range strings.SplitSeq(only, ",") {
		i := slices.IndexFunc(allBuilds, func(b build) bool { return b.String() == name })
		if i < 0 {
			return nil, fmt.Errorf("-only: there is no build %q; one is %q", name, allBuilds[0])
		}
		selected = append(selected, allBuilds[i])
	}
	return selected, nil
}

func (b build) String() string { return b.program + "_" + b.system + "_" + b.arch }

// environment returns what the Go tool needs to know. The tags leave out what the Makefile leaves out.
func (b build) environment() []string {
	return []string{"CGO_ENABLED=0", "GOOS=" + b.system, "GOARCH=" + b.arch, "GOAMD64=v1", "GOARM64=v8.0",
		"GOFLAGS=-trimpath -tags=disable_grpc_modules", "GOWORK=off"}
}

// binary returns the path of the compiled program.
func (r *release) binary(b build) string {
	name := b.program
	if b.system == "windows" {
		name += ".exe"
	}
	return filepath.Join(r.work, b.String(), name)
}

func (r *release) compileAll(builds []build) error {
	for _, b := range builds {
		say("Building %s for %s/%s", b.program, b.system, b.arch)
		if err := r.compile(b); err != nil {
			return err
		}
	}
	return nil
}

// compile builds without the stamps of version control, which differ between a clone and an archive of the source.
func (r *release) compile(b build) error {
	const info = "github.com/sininho/sininho/internal/version."
	linker := fmt.Sprintf("-s -w -buildid= -X %srelease=%s -X %scommit=%s -X %sdate=%s",
		info, r.version, info, r.source.commit, info, r.source.date.Format(time.RFC3339))
	_, err := outputWith(b.environment(), r.root, "go", "build", "-buildvcs=false", "-ldflags", linker,
		"-o", r.binary(b), "./"+mainPackages[b.program])
	return err
}

// shells are those that the client has a completion script for.
var shells = []string{"bash", "fish", "zsh"}

func (r *release) completion(shell string) string {
	return filepath.Join(r.work, "completions", "sininho."+shell)
}

// writeCompletions has the client write its completion scripts.
func (r *release) writeCompletions([]build) error {
	if err := os.Mkdir(filepath.Join(r.work, "completions"), 0o755); err != nil {
		return err
	}
	for _, shell := range shells {
		script, err := output(r.root, "go", "run", "-trimpath", "./"+mainPackages[client], "completion", shell)
		if err != nil {
			return err
		}
		if err := os.WriteFile(r.completion(shell), []byte(script+"\n"), 0o644); err != nil {
			return err
		}
	}
	return nil
}
