package cli_test

import (
	"bufio"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/sininho/sininho/server/lab/servertest"
)

// people are the persons in the scripts, with their browsers.
type people struct {
	t      *testing.T
	server *servertest.Server
}

var userCode = regexp.MustCompile(`^\s+([B-Z]{4}-[B-Z]{4})$`)

// login EMAIL yes|no [FLAG]... runs 'sininho login' with the flags and lets the person confirm or refuse the code
// that it shows. The output on stderr is written to the file login.err.
func (p people) login(ts *testscript.TestScript, neg bool, args []string) {
	browser := p.server.SignIn(p.t, args[0])
	cmd := exec.Command(filepath.Join(programDir, "sininho"), append([]string{"login"}, args[2:]...)...)
	for _, name := range []string{"SININHO_URL", "SININHO_API_KEY", "XDG_CONFIG_HOME"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	stderr, err := cmd.StderrPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	var output strings.Builder
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		output.WriteString(lines.Text() + "\n")
		if code := userCode.FindStringSubmatch(lines.Text()); code != nil {
			in := map[string]any{"userCode": code[1], "approve": args[1] == "yes"}
			browser.Do(http.MethodPost, "/auth/device/approve", in, http.StatusNoContent, nil)
		}
	}
	if err := cmd.Wait(); (err != nil) != neg {
		ts.Fatalf("login: got %v, want an error: %t\n%s", err, neg, &output)
	}
	ts.Logf("%s", &output)
	ts.Check(os.WriteFile(ts.MkAbs("login.err"), []byte(output.String()), 0o600))
}

// token VARIABLE EMAIL creates an access token of a person and sets a variable to it.
func (p people) token(ts *testscript.TestScript, _ bool, args []string) {
	var created struct{ Secret string }
	in := map[string]string{"name": "sessão"}
	p.server.SignIn(p.t, args[1]).Do(http.MethodPost, "/subscribers/access-tokens", in, http.StatusCreated, &created)
	ts.Setenv(args[0], created.Secret)
}

// device VARIABLE EMAIL ADDRESS registers a person's browser for push and sets a variable to its id once it rings.
func (p people) device(ts *testscript.TestScript, _ bool, args []string) {
	ts.Setenv(args[0], p.server.SignIn(p.t, args[1]).RingingDevice(args[2]))
}

// email VARIABLE EMAIL WORDS waits for an email to an address whose subject contains the words,
// and sets a variable to the last part of its link.
func (p people) email(ts *testscript.TestScript, _ bool, args []string) {
	for after := int64(0); ; {
		email := p.server.Mail(p.t, args[1], after)
		if strings.Contains(email.Subject, args[2]) {
			link := email.Link()
			ts.Setenv(args[0], link[strings.LastIndexAny(link, "/=")+1:])
			return
		}
		after = email.Seq
	}
}

// confirm TOKEN opens the link that was emailed to a person who joined the waiting list.
func (p people) confirm(ts *testscript.TestScript, _ bool, args []string) {
	_, err := p.server.Client().Waitlist.Confirm(p.t.Context(), ts.Getenv(args[0]))
	ts.Check(err)
}

// post ADDRESS JSON posts a payload to a webhook.
func post(ts *testscript.TestScript, neg bool, args []string) {
	res, err := http.Post(args[0], "application/json", strings.NewReader(args[1]))
	ts.Check(err)
	ts.Check(res.Body.Close())
	if (res.StatusCode != http.StatusAccepted) != neg {
		ts.Fatalf("post to %s: got %s, want an error: %t", args[0], res.Status, neg)
	}
}
