package command

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/openapi"
)

const (
	anAPIKey      = "snh_live_0000000000000000000000000000000000"
	anAccessToken = "sna_live_0000000000000000000000000000000000"
)

// witness is a server that knows only the contract, and records the API keys sent to operations
// that only people may call.
type witness struct {
	forPeople map[string][]*regexp.Regexp // paths by method

	mu      sync.Mutex
	misused []string
	people  int
}

func newWitness(t *testing.T) *witness {
	t.Helper()
	w := &witness{forPeople: map[string][]*regexp.Regexp{}}
	parameter := regexp.MustCompile(`\\\{\w+\\\}`)
	for _, source := range [][]byte{openapi.Sininho, openapi.Waitlist} {
		contract, err := openapi3.NewLoader().LoadFromData(source)
		if err != nil {
			t.Fatalf("load a contract: %v", err)
		}
		for path, item := range contract.Paths.Map() {
			for method, operation := range item.Operations() {
				security := contract.Security
				if operation.Security != nil {
					security = *operation.Security
				}
				if len(security) > 0 && !takesKeys(security) {
					pattern := "^/api/v1" + parameter.ReplaceAllString(regexp.QuoteMeta(path), "[^/]+") + "$"
					w.forPeople[method] = append(w.forPeople[method], regexp.MustCompile(pattern))
				}
			}
		}
	}
	return w
}

func takesKeys(security openapi3.SecurityRequirements) bool {
	for _, way := range security {
		if _, ok := way["bearer"]; ok || len(way) == 0 {
			return true
		}
	}
	return false
}

func (w *witness) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, path := range w.forPeople[r.Method] {
		if !path.MatchString(r.URL.Path) {
			continue
		}
		switch r.Header.Get("Authorization") {
		case "Bearer " + anAPIKey:
			w.misused = append(w.misused, r.Method+" "+r.URL.Path)
		case "Bearer " + anAccessToken:
			w.people++
		}
	}
	http.NotFound(rw, r)
}

// eachExample runs the example of every command.
func eachExample(t *testing.T, env func(string) string, check func(line string, code int, stderr string)) {
	t.Helper()
	app := newApp(newSession(nil, nil, nil, func(string) string { return "" }))
	eachCommand(app.Commands, func(c *cli.Command) {
		_, line, found := strings.Cut(c.Description, "Example: sininho ")
		isGroup := len(c.Subcommands) > 0 && c.Name != "profile"
		signsInOrOut := c.Name == "login" || c.Name == "logout"
		if isGroup || signsInOrOut || !found {
			return
		}
		line, _, _ = strings.Cut(line, "\n")
		line, _, _ = strings.Cut(line, " > ")
		code, _, stderr := run(t, env, "", quoted(line)...)
		check(line, code, stderr)
	})
}

// quoted splits a line as a shell does that knows only single quotes.
func quoted(line string) []string {
	var args []string
	for _, match := range regexp.MustCompile(`'([^']*)'|(\S+)`).FindAllStringSubmatch(line, -1) {
		args = append(args, match[1]+match[2])
	}
	return args
}

// An exported API key is never sent to an operation that only a person can call: without a sign-in
// the command explains what to do, and with one it uses the sign-in.
func TestNoCommandSendsAnAPIKeyForAPerson(t *testing.T) {
	watching := newWitness(t)
	server := httptest.NewServer(watching)
	defer server.Close()
	home := t.TempDir()
	env := func(name string) string {
		return map[string]string{"SININHO_URL": server.URL, "SININHO_API_KEY": anAPIKey, "HOME": home}[name]
	}
	explained := 0
	eachExample(t, env, func(line string, code int, stderr string) {
		isExplained := strings.Contains(stderr, "this is for people, and SININHO_API_KEY holds an API key")
		if isExplained {
			explained++
		}
		if isExplained != (code == exitNotSignedIn) {
			t.Errorf("%s: got exit code %d, with an explanation: %t\n%s", line, code, isExplained, stderr)
		}
	})
	if explained < 25 {
		t.Errorf("commands that explain that an API key cannot do them: got %d, want at least 25", explained)
	}
	if len(watching.misused) > 0 {
		t.Errorf("requests with an API key that only people can make:\n%s", strings.Join(watching.misused, "\n"))
	}

	s := newSession(nil, nil, nil, env)
	if err := s.remember(credential{Secret: anAccessToken, Account: "ana@example.com"}); err != nil {
		t.Fatalf("save a sign-in: %v", err)
	}
	announced := 0
	eachExample(t, env, func(line string, code int, stderr string) {
		if strings.Contains(stderr,
			"Acting as ana@example.com: an API key cannot do this, so SININHO_API_KEY is not used.") {
			announced++
		}
		if code == exitNotSignedIn {
			t.Errorf("exit code of %s with a sign-in: got %d, want another\n%s", line, code, stderr)
		}
	})
	if announced != explained {
		t.Errorf("commands that report that they use the sign-in: got %d, want %d", announced, explained)
	}
	if len(watching.misused) > 0 {
		t.Errorf("requests with an API key that only people can make:\n%s", strings.Join(watching.misused, "\n"))
	}
	if watching.people == 0 {
		t.Error("requests with the sign-in: got 0, want some")
	}
}
