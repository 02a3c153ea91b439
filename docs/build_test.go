package docs_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// built holds the programs of all snippets: bin/sininho, bin/sininho-server, bin/snippets, bin/GUIDE-LINE and
// ts/GUIDE-LINE.js.
type built struct{ dir, root string }

func (b built) path(parts ...string) string {
	return filepath.Join(append([]string{b.dir}, parts...)...)
}

func (s *snippet) file() string { return fmt.Sprintf("%s-%d", s.guide, s.line) }

// build compiles the snippets, all those of a language at once.
func build(t *testing.T, snippets []*snippet) built {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatalf("absolute path: %v", err)
	}
	b := built{t.TempDir(), root}
	b.run(t, root, "go", "build", "-o", b.path("bin")+"/", "./cli/cmd/sininho", "./server/cmd/sininho-server")
	b.buildGo(t, snippets)
	b.buildTypeScript(t, snippets)
	b.wrapCurl(t)
	return b
}

func (b built) run(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("run %s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

func (b built) write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatalf("make the folder: %v", err)
	}
	if err := os.WriteFile(path, []byte(content), 0o700); err != nil {
		t.Fatalf("write the file: %v", err)
	}
}

// buildGo makes one program of all fragments, with a function and a file for each, and builds every whole program.
func (b built) buildGo(t *testing.T, snippets []*snippet) {
	t.Helper()
	var files, cases []string
	for _, s := range snippets {
		if s.language != "go" || s.notRun != "" {
			continue
		}
		file := b.path("go", s.file(), "main.go")
		if s.program() {
			b.write(t, file, s.text)
			b.run(t, b.root, "go", "build", "-o", b.path("bin", s.file()), file)
			continue
		}
		file = b.path("go", "snippets", s.file()+".go")
		b.write(t, file, fragment(s))
		files = append(files, file)
		cases = append(cases, fmt.Sprintf("%q: %s,", s.file(), function(s)))
	}
	main := b.path("go", "snippets", "main.go")
	b.write(t, main, fmt.Sprintf(dispatcher, strings.Join(cases, "\n\t")))
	b.run(t, b.root, "go", append([]string{"build", "-o", b.path("bin", "snippets"), main}, files...)...)
}

const dispatcher = `package main

import (
	"context"
	"log"
	"os"

	"github.com/sininho/sininho/pkg/sininho"
)

var snippets = map[string]func(ctx context.Context, client, owner *sininho.Client) error{
	%s
}

func main() {
	client, err := sininho.New(sininho.WithBaseURL(os.Getenv("SININHO_URL")), sininho.WithAPIKey(os.Getenv("SININHO_API_KEY")))
	if err != nil {
		log.Fatal(err)
	}
	owner, err := sininho.New(sininho.WithBaseURL(os.Getenv("SININHO_URL")), sininho.WithAccessToken(os.Getenv("SININHO_ACCESS_TOKEN")))
	if err != nil {
		log.Fatal(err)
	}
	if err := snippets[os.Args[1]](context.Background(), client, owner); err != nil {
		log.Fatal(err)
	}
}
`

// function returns the name of the function that runs a fragment.
func function(s *snippet) string {
	return "run_" + regexp.MustCompile(`\W`).ReplaceAllString(s.file(), "_")
}

// imports are the packages that fragments may use.
var imports = map[string]string{
	"errors": "errors", "fmt": "fmt", "log": "log", "os": "os", "strings": "strings", "time": "time",
	"sininho": "github.com/sininho/sininho/pkg/sininho", "webhook": "github.com/sininho/sininho/pkg/webhook",
}

func fragment(s *snippet) string {
	used := `"context"` + "\n"
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		if name == "sininho" || regexp.MustCompile(`\b`+name+`\.\w`).MatchString(s.text) {
			used += fmt.Sprintf("\t%q\n", imports[name])
		}
	}
	return fmt.Sprintf("package main\n\nimport (\n\t%s)\n\nfunc %s(ctx context.Context, client, owner "+
		"*sininho.Client) error {\n%s\nreturn nil\n}\n",
		used, function(s), s.text)
}

const preamble = `import { ApiError, createMainClient, createWaitlistClient, paginate, Sininho, streamChannel, unwrap } from '@sininho/sdk'
const baseUrl = ` + "`${process.env.SININHO_URL}/api/v1`" + `
const client = createMainClient({ baseUrl, apiKey: process.env.SININHO_API_KEY })
`

const ownerPreamble = `const owner = createMainClient({ baseUrl, apiKey: process.env.SININHO_ACCESS_TOKEN })
`

// buildTypeScript checks the types of all modules and compiles them to JavaScript.
func (b built) buildTypeScript(t *testing.T, snippets []*snippet) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(b.root, "sdk-ts", "dist", "index.js")); err != nil {
		t.Fatal("the TypeScript SDK is not built; run 'make build'")
	}
	if err := os.Symlink(filepath.Join(b.root, "node_modules"), b.path("node_modules")); err != nil {
		t.Fatalf("link node_modules: %v", err)
	}
	for _, s := range snippets {
		if s.language == "ts" && s.notRun == "" {
			module := s.text
			if !strings.HasPrefix(module, "import ") {
				module = preamble
				if !strings.Contains(s.text, "const owner ") {
					module += ownerPreamble
				}
				module += s.text
			}
			b.write(t, b.path("ts", s.file()+".ts"), module)
		}
	}
	b.write(t, b.path("package.json"), `{"type": "module"}`)
	config, err := json.Marshal(map[string]any{"include": []string{"ts"}, "compilerOptions": map[string]any{
		"target": "es2022", "module": "nodenext", "strict": true, "skipLibCheck": true,
		"types": []string{"node"}, "lib": []string{"es2023", "dom", "dom.iterable"}}})
	if err != nil {
		t.Fatalf("encode JSON: %v", err)
	}
	b.write(t, b.path("tsconfig.json"), string(config))
	b.run(t, b.dir, "node", filepath.Join(b.root, "node_modules/typescript/bin/tsc"), "-p", b.dir)
}

// wrapCurl replaces curl by a script that logs the status of each response, so that no failed call goes unnoticed.
func (b built) wrapCurl(t *testing.T) {
	t.Helper()
	for _, name := range []string{"bash", "curl", "jq", "openssl", "node"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Fatalf("find %s, which the guides use: %v", name, err)
		}
	}
	curl, err := exec.LookPath("curl")
	if err != nil {
		t.Fatalf("find curl: %v", err)
	}
	b.write(t, b.path("bin", "curl"), `#!/usr/bin/env bash
headers=$(mktemp)
trap 'rm -f "$headers"' EXIT
`+curl+` -D "$headers" "$@"
code=$?
sed -n 's/^HTTP[^ ]* \([0-9]*\).*/\1/p' "$headers" | tail -n 1 >>"$CURL_STATUSES"
exit $code
`)
}
