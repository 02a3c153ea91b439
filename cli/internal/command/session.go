package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"
	"sync"
	"syscall"

	"github.com/itchyny/gojq"
	"github.com/mattn/go-isatty"
	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

// session is the state shared by the commands of one run.
type session struct {
	in  io.Reader
	out *output
	err io.Writer
	env func(string) string
	url string
	// account is the text of --account.
	account string
	json    bool
	// query is the text of --jq, jq its compiled form; nil without one.
	query  string
	jq     *gojq.Code
	client *sininho.Client
	saved  *credentials
	// source is where the current credential comes from.
	source source
	// running is the command that runs, used to explain failures; nil before it starts.
	running *cli.Context
}

func newSession(in io.Reader, out, err io.Writer, env func(string) string) *session {
	return &session{in: in, out: &output{w: out}, err: err, env: env}
}

func (s *session) close() {
	if s.client != nil {
		s.client.CloseIdleConnections()
	}
}

// readAll reads r to its end, but at most limit+1 bytes. It stops when ctx ends, because a terminal may never end.
func readAll(ctx context.Context, r io.Reader, limit int64) ([]byte, error) {
	type outcome struct {
		text []byte
		err  error
	}
	done := make(chan outcome, 1)
	go func() {
		text, err := io.ReadAll(io.LimitReader(r, limit+1))
		done <- outcome{text, err}
	}()
	select {
	case o := <-done:
		return o.text, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

const defaultOrigin = "http://localhost:8080"

// origin returns the server's address: that of --url, SININHO_URL or the current account, in this
// order. The server of an account named by a flag takes precedence over SININHO_URL.
func (s *session) origin() string {
	addresses := []string{s.url}
	if s.account != "" {
		addresses = append(addresses, s.accountServer())
	}
	addresses = append(addresses, s.env("SININHO_URL"), s.accountServer())
	for _, address := range addresses {
		if address = strings.TrimSpace(address); address != "" {
			return address
		}
	}
	return defaultOrigin
}

// baseURL returns the origin with the path of the API.
func baseURL(origin string) (string, error) {
	u, err := url.Parse(origin)
	if err != nil || !isOrigin(u) {
		return "", &usageError{
			"the server's address must look like https://sininho.example.com; check --url or SININHO_URL", "sininho",
		}
	}
	u.Path = strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/api/v1") + "/api/v1"
	return u.String(), nil
}

// isOrigin reports whether an address has a host, and neither query, fragment nor user.
func isOrigin(u *url.URL) bool {
	isWeb := u.Scheme == "http" || u.Scheme == "https"
	return isWeb && u.Host != "" && u.RawQuery == "" && u.Fragment == "" && u.User == nil
}

// connect creates a client for operations that are open to anyone, with the credential if there is one.
func (s *session) connect(opts ...sininho.Option) (*sininho.Client, error) {
	secret, err := s.secret()
	if err != nil {
		return nil, err
	}
	return s.connectWith(secret, opts...)
}

// connectWith creates a client with a credential, or without one for "".
func (s *session) connectWith(secret string, opts ...sininho.Option) (*sininho.Client, error) {
	base, err := baseURL(s.origin())
	if err != nil {
		return nil, err
	}
	settings := []sininho.Option{sininho.WithBaseURL(base), sininho.WithWaitlistURL(s.env("SININHO_WAITLIST_URL")),
		sininho.WithMiddleware(named)}
	if secret != "" {
		settings = append(settings, sininho.WithAPIKey(secret))
	}
	client, err := sininho.New(append(settings, opts...)...)
	if err != nil {
		return nil, err
	}
	s.close()
	s.client = client
	return client, nil
}

var errNotSignedIn = errors.New("not signed in")

// signIn creates a client for operations that need the credential of a person or a publisher.
func (s *session) signIn(opts ...sininho.Option) (*sininho.Client, error) {
	return s.signInWith(s.secret, opts...)
}

// signInAsPerson creates a client for operations that only a person can call.
func (s *session) signInAsPerson(opts ...sininho.Option) (*sininho.Client, error) {
	return s.signInWith(s.personalSecret, opts...)
}

func (s *session) signInWith(find func() (string, error), opts ...sininho.Option) (*sininho.Client, error) {
	secret, err := find()
	if err != nil {
		return nil, err
	}
	if _, err := baseURL(s.origin()); err == nil && secret == "" {
		return nil, errNotSignedIn
	}
	return s.connectWith(secret, opts...)
}

// isInteractive reports whether the user can be prompted.
func (s *session) isInteractive() bool {
	return isTerminal(s.in) && isTerminal(s.err) && s.env("NO_COLOR") == ""
}

// talk writes a message for the user to stderr.
func (s *session) talk(format string, args ...any) {
	_, _ = io.WriteString(s.err, visible(fmt.Sprintf(format, args...))+"\n")
}

// bold makes a heading bold if stdout is a terminal that shows it.
func (s *session) bold(text string) string {
	if s.env("NO_COLOR") != "" || s.env("TERM") == "dumb" || !isTerminal(s.out.w) {
		return text
	}
	return "\x1b[1m" + text + "\x1b[0m"
}

func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && isatty.IsTerminal(file.Fd())
}

// output is stdout. It records when its reader has closed it.
type output struct {
	w    io.Writer
	mu   sync.Mutex
	gone bool
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.gone {
		return 0, syscall.EPIPE
	}
	n, err := o.w.Write(p)
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) {
		o.gone = true
	}
	return n, err
}

func (o *output) broken() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.gone
}
