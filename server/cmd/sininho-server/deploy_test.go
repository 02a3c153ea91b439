package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sininho/sininho/server"
	"github.com/sininho/sininho/server/lab/pgtest"
)

const deployment = "../../../examples/deploy"

// TestDeploymentFiles runs the commands of the deployment files with the settings of the guide, until the server is
// ready. Only the path of the program is replaced.
func TestDeploymentFiles(t *testing.T) {
	t.Parallel()
	unit, image := readDeployment(t, "systemd/sininho.service"), readDeployment(t, "Dockerfile")
	pod, job := readDeployment(t, "kubernetes/server/deployment.yaml"), readDeployment(t, "kubernetes/migrate/job.yaml")
	entry := list(t, image, `(?m)^ENTRYPOINT (\[.*\])$`)
	migrate := slices.Concat(entry, names(t, job, `args: \[(.*)\]`))
	health := list(t, image, `(?m)^HEALTHCHECK .* CMD (\[.*\])$`)
	for name, commands := range map[string][]string{
		"systemd": {first(t, unit, `(?m)^ExecStartPre=(.*)$`), first(t, unit, `(?m)^ExecStart=(.*)$`)},
		"image": {"sininho-server config check",
			strings.Join(slices.Concat(entry, list(t, image, `(?m)^CMD (\[.*\])$`)), " ")},
		"kubernetes": {"sininho-server config check",
			strings.Join(slices.Concat(entry, names(t, pod, `args: \[(.*)\]`)), " ")},
	} {
		t.Run(name, func(t *testing.T) {
			p := &production{t: t, dir: t.TempDir(), addr: freeAddr(t)}
			script := slices.Concat(shellBlocks(t, guide, "## 5. Settings")[:1], []string{"set -a && . ./sininho.env",
				strings.Join(migrate, " ") + " >> sininho.env", ". ./sininho.env"}, commands)
			for i := range script {
				script[i] = regexp.MustCompile(`/usr/(local/)?bin/sininho-server`).ReplaceAllString(script[i], "sininho-server")
			}
			p.run(script, pgtest.EmptyURL(t))
			p.checkHealth(health)
		})
	}
}

// checkHealth runs the health check of the image, which is the same program.
func (p *production) checkHealth(command []string) {
	p.t.Helper()
	cmd := exec.CommandContext(p.t.Context(), filepath.Join(p.dir, "bin", filepath.Base(command[0])), command[1:]...)
	cmd.Env = []string{"LISTEN_ADDR=" + p.addr}
	if out, err := cmd.CombinedOutput(); err != nil || string(out) != "ready\n" {
		p.t.Errorf("%s: got %q and %v, want ready", strings.Join(command, " "), out, err)
	}
}

// TestDeploymentSettings checks that each setting in the deployment files exists.
func TestDeploymentSettings(t *testing.T) {
	t.Parallel()
	known := []string{"SININHO_HOST", "SININHO_SERVERS", "POSTGRES_USER", "POSTGRES_PASSWORD_FILE"} // of Caddy, PostgreSQL
	for _, field := range reflect.VisibleFields(reflect.TypeFor[server.Config]()) {
		name, _, _ := strings.Cut(field.Tag.Get("env"), ",")
		known = append(known, name, name+"_FILE")
	}
	for file, pattern := range map[string]string{
		"Dockerfile": `(?m)^ENV ([A-Z_]+)=`, "compose.yaml": `(?m)^ +([A-Z_]+): `,
		"kubernetes/server/deployment.yaml": `name: ([A-Z_]+),`, "kubernetes/migrate/job.yaml": `name: ([A-Z_]+),`,
	} {
		found := regexp.MustCompile(pattern).FindAllStringSubmatch(readDeployment(t, file), -1)
		if len(found) == 0 {
			t.Errorf("%s: got no setting", file)
		}
		for _, match := range found {
			if !slices.Contains(known, match[1]) {
				t.Errorf("%s: there is no setting %s", file, match[1])
			}
		}
	}
}

func readDeployment(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(deployment, name))
	if err != nil {
		t.Fatalf("read a deployment file: %v", err)
	}
	return string(text)
}

// first returns what the first group of a pattern matches.
func first(t *testing.T, text, pattern string) string {
	t.Helper()
	match := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if match == nil {
		t.Fatalf("%s matches nothing in:\n%s", pattern, text)
	}
	return match[1]
}

func list(t *testing.T, text, pattern string) (words []string) {
	t.Helper()
	if err := json.Unmarshal([]byte(first(t, text, pattern)), &words); err != nil {
		t.Fatalf("list of words: %v", err)
	}
	return words
}

func names(t *testing.T, text, pattern string) []string {
	t.Helper()
	return strings.Split(first(t, text, pattern), ", ")
}
