package deploy

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/linter"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
)

// TestDockerfile reads the Dockerfile as BuildKit does, with all rules of its linter.
func TestDockerfile(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(files, "Dockerfile"))
	if err != nil {
		t.Fatalf("read the Dockerfile: %v", err)
	}
	read, err := parser.Parse(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("parse the Dockerfile: %v", err)
	}
	rules := linter.New(&linter.Config{Warn: func(rule, _, _, message string, _ []parser.Range) {
		t.Errorf("Dockerfile: %s: %s", rule, message)
	}})
	stages, _, err := instructions.Parse(read.AST, rules)
	if err != nil {
		t.Fatalf("parse the Dockerfile: %v", err)
	}
	user := "root"
	for _, command := range stages[len(stages)-1].Commands {
		if c, ok := command.(*instructions.UserCommand); ok {
			user = c.User
		}
	}
	if user != "65532:65532" {
		t.Errorf("user of the image: got %s, want 65532:65532, a number because Kubernetes cannot look a name up", user)
	}
}

// TestCompose reads compose.yaml as Docker Compose does.
func TestCompose(t *testing.T) {
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(files)); err != nil {
		t.Fatalf("copy the files: %v", err)
	}
	if err := os.WriteFile(filepath.Join(folder, "sininho.env"), []byte("SECRET_KEY=secret\n"), 0o600); err != nil {
		t.Fatalf("write the settings: %v", err)
	}
	project, err := loader.LoadWithContext(context.Background(), types.ConfigDetails{
		WorkingDir:  folder,
		ConfigFiles: []types.ConfigFile{{Filename: filepath.Join(folder, "compose.yaml")}},
		Environment: types.Mapping{"SININHO_HOST": "sininho.example.com"},
	})
	if err != nil {
		t.Fatalf("load compose.yaml: %v", err)
	}
	for _, name := range []string{"server-1", "server-2", "postgres", "caddy"} {
		if _, err := project.GetService(name); err != nil {
			t.Errorf("service %s: %v", name, err)
		}
	}
	server := project.Services["server-2"]
	if server.Environment["SECRET_KEY"] == nil || server.Build.Dockerfile != "examples/deploy/Dockerfile" {
		t.Errorf("server-2: got environment %v and build %v, want the settings and its Dockerfile",
			server.Environment, server.Build)
	}
	if address := server.Environment["METRICS_ADDR"]; address == nil || *address != ":9464" || len(server.Ports) > 0 {
		t.Errorf("metrics of server-2: got ports %v, want METRICS_ADDR=:9464 and none that is published", server.Ports)
	}
}
