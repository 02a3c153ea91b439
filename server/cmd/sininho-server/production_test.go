package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/lab/pgtest"
	"github.com/sininho/sininho/server/lab/standin/fcm"
)

const guide = "../../../docs/production.md"

// TestProductionByTheGuide runs the commands of the production guide exactly as written, until the server is ready,
// then signs in through a proxy at PUBLIC_URL and publishes. Only the database and the file with Firebase's
// credentials are replaced, and the addresses of Google's services are those of stand-ins.
func TestProductionByTheGuide(t *testing.T) {
	t.Parallel()
	commands := append(shellBlocks(t, guide, "## 5. Settings"), shellBlocks(t, guide, "## 6. Serve")...)
	p := &production{t: t, dir: t.TempDir(), addr: freeAddr(t)}
	p.run(commands, pgtest.EmptyURL(t))
	p.checkSettings()
	p.checkDemoWebhook()
	p.checkPublish()
}

// shellBlocks returns the sh blocks of one section of a Markdown file.
func shellBlocks(t *testing.T, path, heading string) []string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("read a file: %v", err)
	}
	_, section, _ := strings.Cut(string(b), "\n"+heading+"\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var blocks []string
	for i, part := range strings.Split(section, "\n```") {
		if info, commands, _ := strings.Cut(part, "\n"); i%2 == 1 && strings.HasPrefix(info, "sh") {
			blocks = append(blocks, commands)
		}
	}
	if len(blocks) == 0 {
		t.Fatalf("%s has no sh block under %q", path, heading)
	}
	return blocks
}

// production is an installation that follows a guide.
type production struct {
	t         *testing.T
	dir, addr string
	push      *fcm.Server
}

// run runs the commands in one shell and waits until the server, which the last command starts, is ready.
func (p *production) run(commands []string, database string) {
	p.t.Helper()
	credentials := filepath.Join(p.dir, "firebase.json")
	standIns := p.standIns(credentials)
	command := fmt.Sprintf("#!/bin/sh\nSININHO_SERVER_MAIN=1 exec %q \"$@\"\n", os.Args[0])
	p.write(filepath.Join(p.dir, "bin", "sininho-server"), command, 0o700)
	script := strings.Join(commands, "\n")
	for from, to := range map[string]string{
		"postgres://sininho:password@localhost:5432/sininho": database,
		"/etc/sininho/firebase.json":                         credentials,
	} {
		if n := strings.Count(script, from); n != 1 {
			p.t.Fatalf("%s occurs %d times in the commands, want once:\n%s", from, n, script)
		}
		script = strings.ReplaceAll(script, from, to)
	}
	cmd := exec.Command("bash", "-c", "set -euo pipefail\n"+script)
	cmd.Dir = p.dir
	path := filepath.Join(p.dir, "bin") + ":" + os.Getenv("PATH")
	cmd.Env = append(standIns, "PATH="+path, "HOME="+p.dir, "LISTEN_ADDR="+p.addr)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p.start(cmd)
}

func (p *production) start(cmd *exec.Cmd) {
	p.t.Helper()
	out, err := os.Create(filepath.Join(p.dir, "output"))
	if err != nil {
		p.t.Fatalf("write a file: %v", err)
	}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		p.t.Fatalf("start the program: %v", err)
	}
	ended := make(chan struct{})
	go func() { defer close(ended); _ = cmd.Wait() }()
	p.t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
		<-ended
		_ = out.Close()
	})
	eventually.True(p.t, "the server to be ready", func() bool {
		select {
		case <-ended:
			p.t.Fatalf("the commands have ended:\n%s", p.output())
		default:
		}
		res, err := http.Get("http://" + p.addr + "/readyz") //nolint:noctx // a test
		if err != nil {
			return false
		}
		_ = res.Body.Close()
		return res.StatusCode == http.StatusOK
	})
	if !strings.Contains(p.output(), "The settings are complete.") {
		p.t.Errorf("config check has not printed that the settings are complete:\n%s", p.output())
	}
}

func (p *production) output() string {
	b, err := os.ReadFile(filepath.Join(p.dir, "output"))
	if err != nil {
		p.t.Errorf("read a file: %v", err)
	}
	return string(b)
}

func (p *production) write(path, content string, mode os.FileMode) {
	p.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		p.t.Fatalf("write a file: %v", err)
	}
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		p.t.Fatalf("write a file: %v", err)
	}
}

// settings returns the settings in /config.js, and the origins that pages may connect to.
func (p *production) settings() (settings map[string]string, policy string) {
	p.t.Helper()
	res, err := http.Get("http://" + p.addr + "/config.js") //nolint:noctx // a test
	if err != nil {
		p.t.Fatalf("request: %v", err)
	}
	defer res.Body.Close()
	script, err := io.ReadAll(res.Body)
	if err != nil {
		p.t.Fatalf("read the body: %v", err)
	}
	object, _ := strings.CutPrefix(strings.TrimSpace(string(script)), "globalThis.SININHO_ENV = Object.freeze(")
	if err := json.Unmarshal([]byte(strings.TrimSuffix(object, ");")), &settings); err != nil {
		p.t.Fatalf("config.js: %v:\n%s", err, script)
	}
	return settings, res.Header.Get("Content-Security-Policy")
}

func (p *production) checkSettings() {
	p.t.Helper()
	settings, policy := p.settings()
	const api = "https://sininho.example.com/api/v1"
	for _, name := range []string{"API_BASE_URL", "WAITLIST_API_BASE_URL"} {
		if settings[name] != api {
			p.t.Errorf("config.js: %s is %q, want %q", name, settings[name], api)
		}
	}
	if strings.Contains(policy, "localhost") {
		p.t.Errorf("the Content-Security-Policy names localhost: %s", policy)
	}
}

// checkDemoWebhook posts a payload that the demo webhook refuses as invalid. An unknown address would respond with 404.
func (p *production) checkDemoWebhook() {
	p.t.Helper()
	settings, _ := p.settings()
	path, ok := strings.CutPrefix(settings["DEMO_WEBHOOK_URL"], "https://sininho.example.com")
	if !ok {
		p.t.Fatalf("config.js: DEMO_WEBHOOK_URL is %q, want one at https://sininho.example.com",
			settings["DEMO_WEBHOOK_URL"])
	}
	res, err := http.Post("http://"+p.addr+path, "application/json", strings.NewReader("{}")) //nolint:noctx // a test
	if err != nil {
		p.t.Fatalf("request: %v", err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusUnprocessableEntity {
		p.t.Errorf("POST {} to %s: status %d, want 422", path, res.StatusCode)
	}
}
