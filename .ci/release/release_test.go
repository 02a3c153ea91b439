package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

const version = "v0.99.0"

// TestRelease builds from two clones in different folders: the command line for each system, and the server for this
// one. Both must give the same bytes. It looks into the results.
func TestRelease(t *testing.T) {
	host := client + "_" + runtime.GOOS + "_" + runtime.GOARCH
	linux, windows := client+"_linux_"+runtime.GOARCH, client+"_windows_amd64"
	ours := server + "_" + runtime.GOOS + "_" + runtime.GOARCH
	only := strings.Join(slices.Compact([]string{host, linux, windows, ours}), ",")
	first, second := clone(t, "here"), clone(t, "in/another/folder")
	for _, folder := range []string{first, second} {
		r := release{root: folder, dist: filepath.Join(folder, "dist"), version: version}
		if err := r.run(only); err != nil {
			t.Fatalf("release in %s: %v", folder, err)
		}
	}
	if a, b := checksums(t, first), checksums(t, second); a != b {
		t.Errorf("checksums of two builds of one commit:\n%s\nwant the same, got\n%s", a, b)
	}
	dist := filepath.Join(first, "dist")
	t.Run("archive", func(t *testing.T) { checkArchive(t, dist, host) })
	t.Run("SDK", func(t *testing.T) { checkSDK(t, dist) })
	t.Run("Python SDK", func(t *testing.T) { checkPython(t, dist) })
	t.Run("publishing the SDK", func(t *testing.T) { checkPublishing(t, first) })
	t.Run("bill of materials", func(t *testing.T) { checkBOM(t, dist, linux) })
	t.Run("names", func(t *testing.T) {
		for _, pattern := range []string{"sininho_0.99.0_windows_amd64.zip", "sininho_0.99.0_*.deb", "sininho-0.99.0-1.*.rpm",
			"sininho.rb", "THIRD_PARTY_LICENSES.md"} {
			if found, _ := filepath.Glob(filepath.Join(dist, pattern)); len(found) != 1 {
				t.Errorf("files %s: got %q, want one", pattern, found)
			}
		}
	})
}

// clone clones the repository as it is committed, and gives the clone what make has built and installed here.
func clone(t *testing.T, name string) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), name)
	if _, err := output(root, "git", "clone", "--quiet", root, folder); err != nil {
		t.Fatalf("clone: %v", err)
	}
	for _, built := range []string{"node_modules", "sdk-ts/node_modules", "webapp/dist"} {
		err := os.Symlink(filepath.Join(root, built), filepath.Join(folder, built))
		if err != nil && !errors.Is(err, os.ErrExist) {
			t.Fatalf("link %s: %v", built, err)
		}
	}
	return folder
}

func checksums(t *testing.T, folder string) string {
	t.Helper()
	sums, err := os.ReadFile(filepath.Join(folder, "dist", checksumsName))
	if err != nil {
		t.Fatalf("read the checksums: %v", err)
	}
	return string(sums)
}

// unpack returns the files of an archive by their names.
func unpack(t *testing.T, path string) map[string][]byte {
	t.Helper()
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	plain, err := gzip.NewReader(in)
	if err != nil {
		t.Fatalf("read %s: %v", path, err)
	}
	files := map[string][]byte{}
	for archive := tar.NewReader(plain); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatalf("read %s: %v", path, err)
		}
		if files[header.Name], err = io.ReadAll(archive); err != nil {
			t.Fatalf("read %s: %v", header.Name, err)
		}
	}
}

// checkArchive runs the program of an archive.
func checkArchive(t *testing.T, dist, host string) {
	name := strings.Replace(host, client+"_", client+"_0.99.0_", 1)
	files := unpack(t, filepath.Join(dist, name+".tar.gz"))
	for _, want := range []string{"LICENSE", "README.md", "SECURITY.md", noticesName, "completions/sininho.bash"} {
		if len(files[name+"/"+want]) == 0 {
			t.Errorf("%s in the archive: got nothing, want a file", want)
		}
	}
	program := filepath.Join(t.TempDir(), client)
	if err := os.WriteFile(program, files[name+"/"+client], 0o700); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(program, "version").Output()
	commit, _ := output("../..", "git", "rev-parse", "HEAD")
	if want := "sininho " + version + " (commit " + commit + ", "; err != nil || !strings.HasPrefix(string(out), want) {
		t.Errorf("version of the program in the archive: got %q and %v, want %q first", out, err, want)
	}
	if bytes.Contains(files[name+"/"+client], []byte(filepath.Dir(dist))) {
		t.Error("the program names the folder that it was built in")
	}
}

// checkSDK checks that the npm package has code, which only its build makes.
func checkSDK(t *testing.T, dist string) {
	found, _ := filepath.Glob(filepath.Join(dist, "sininho-sdk-*.tgz"))
	if len(found) != 1 {
		t.Fatalf("npm packages: got %q, want one", found)
	}
	files := unpack(t, found[0])
	for _, want := range []string{"dist/index.js", "dist/index.d.ts", "dist/cjs/index.js", "LICENSE", "README.md"} {
		if len(files["package/"+want]) == 0 {
			t.Errorf("%s in the npm package: got nothing, want a file", want)
		}
	}
}

// checkPython checks that the Python packages have code and its types. Their metadata is tested by .ci/test-py.
func checkPython(t *testing.T, dist string) {
	names := []string{"sininho/__init__.py", "sininho/_core/api.py", "sininho/py.typed"}
	sources, _ := filepath.Glob(filepath.Join(dist, "sininho-[0-9]*.tar.gz"))
	wheels, _ := filepath.Glob(filepath.Join(dist, "sininho-*-py3-none-any.whl"))
	if len(sources) != 1 || len(wheels) != 1 {
		t.Fatalf("Python packages: got %q and %q, want one each", sources, wheels)
	}
	source := unpack(t, sources[0])
	folder := strings.TrimSuffix(filepath.Base(sources[0]), ".tar.gz")
	wheel, err := zip.OpenReader(wheels[0])
	if err != nil {
		t.Fatalf("read %s: %v", wheels[0], err)
	}
	defer wheel.Close()
	for _, name := range names {
		if _, ok := source[folder+"/src/"+name]; !ok {
			t.Errorf("%s in the source distribution: got nothing, want a file", name)
		}
		if _, err := wheel.Open(name); err != nil {
			t.Errorf("%s in the wheel: %v", name, err)
		}
	}
}

// checkPublishing runs the workflow's command that publishes the npm package, which publishes nothing here.
func checkPublishing(t *testing.T, folder string) {
	workflow, err := os.ReadFile("../../.github/workflows/release.yml")
	if err != nil {
		t.Fatal(err)
	}
	command := regexp.MustCompile(`npm publish .*`).FindString(string(workflow))
	publish := exec.Command("bash", "-c", strings.Replace(command, "--provenance", "--dry-run --offline", 1))
	publish.Dir = folder
	if out, err := publish.CombinedOutput(); err != nil || !strings.Contains(string(out), "+ @sininho/sdk@") {
		t.Errorf("%s: got %v and\n%s\nwant the package published", publish, err, out)
	}
}

// checkBOM checks that everything in the program is named with a licence.
func checkBOM(t *testing.T, dist, b string) {
	var bom struct {
		Components []struct {
			Name     string
			Licenses []any
		}
	}
	list, err := os.ReadFile(filepath.Join(dist, strings.Replace(b, client+"_", client+"_0.99.0_", 1)+".cdx.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(list, &bom); err != nil {
		t.Fatalf("bill of materials: %v", err)
	}
	var names []string
	for _, c := range bom.Components {
		names = append(names, c.Name)
		if len(c.Licenses) == 0 {
			t.Errorf("licence of %s: got none", c.Name)
		}
	}
	if !slices.Contains(names, "github.com/urfave/cli/v2") {
		t.Errorf("components: got %q, want github.com/urfave/cli/v2 among them", names)
	}
}
