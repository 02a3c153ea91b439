package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/sininho/sininho/pkg/sininho"
)

// maxSecret bounds the bytes read from stdin as a credential.
const maxSecret = 4096

func loginCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:  "login",
		Usage: "sign in by confirming a code in a browser",
		Description: "Saves the sign-in in $XDG_CONFIG_HOME/sininho/credentials.json: one for each server, and\n" +
			"others under the names given with --account. See 'sininho accounts'.\n\n" +
			example("sininho login --url https://sininho.example.com", "sininho login --account work",
				"sininho login --scopes read,publish", "sininho login --token-stdin < token"),
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "token-stdin", Usage: "read an access token, or an API key, from stdin instead"},
			tokenScopesFlag(),
		},
		Action: func(c *cli.Context) error { return login(s, c) },
	}
}

func login(s *session, c *cli.Context) error {
	if err := noArguments(c); err != nil {
		return err
	}
	if s.credentialsPath() == "" {
		return s.writeCredentials(nil)
	}
	if name := s.requestedAccount(); name != "" && !isAccountName(name) {
		return usageOf(c, "an account's name consists of letters and digits, with any of ._@- between them, not %q",
			name)
	}
	obtain := func(ctx context.Context) (string, error) { return s.signInByDevice(ctx, scopesGiven(c)) }
	if c.Bool("token-stdin") {
		if c.IsSet("scopes") {
			return usageOf(c, "--scopes is for a new token; that of --token-stdin has its own")
		}
		obtain = func(ctx context.Context) (string, error) {
			return s.readSecret(ctx, "an access token (sna_live_…) or an API key (snh_live_…)")
		}
	}
	secret, err := obtain(c.Context)
	if err != nil {
		return err
	}
	client, err := s.connectWith(secret)
	if err != nil {
		return err
	}
	caller, err := client.Auth.Get(c.Context)
	if err != nil {
		return signInFault(err)
	}
	saved := credential{
		Secret: secret, Account: accountOf(caller), SavedAt: time.Now().UTC().Truncate(time.Second),
		ExpiresAt: caller.ExpiresAt,
	}
	if err := s.remember(saved); err != nil {
		return err
	}
	s.talk("Signed in to %s as %s%s", serverName(s.origin()), accountOf(caller), untilText(caller.ExpiresAt))
	if name := s.requestedAccount(); name != "" {
		s.talk("This sign-in is the account %q, which is used from now on.", name)
	}
	if s.hasEnvironmentKey() {
		s.talk("SININHO_API_KEY or SININHO_API_KEY_FILE is set and takes precedence over this sign-in.")
	}
	if s.json {
		return quiet(s, s.writeJSON(caller))
	}
	return nil
}

// untilText returns the expiry of a sign-in, as the end of a sentence.
func untilText(expiresAt time.Time) string {
	if expiresAt.IsZero() {
		return ", without expiry"
	}
	return ", until " + moment(expiresAt)
}

// signInFault makes clear that the given secret is invalid, rather than one from the environment.
func signInFault(err error) error {
	if errors.Is(err, sininho.ErrUnauthorized) {
		return fmt.Errorf("%w: the server does not accept this token", errRefusedSecret)
	}
	return err
}

var errRefusedSecret = errors.New("not signed in")

func accountOf(caller *sininho.Caller) string {
	switch {
	case caller.Subscriber != nil:
		return cmp.Or(caller.Subscriber.Email, caller.Subscriber.Name)
	case caller.Publisher != nil:
		return "the publisher " + caller.Publisher.Slug
	}
	return string(caller.Kind)
}

// readSecret reads a secret, and nothing else, from stdin.
func (s *session) readSecret(ctx context.Context, wanted string) (string, error) {
	if isTerminal(s.in) {
		s.talk("Paste %s; end with Ctrl-D on a line of its own.", wanted)
	}
	text, err := readAll(ctx, s.in, maxSecret)
	if err != nil {
		return "", fmt.Errorf("reading stdin: %w", err)
	}
	secret := strings.TrimSpace(strings.TrimPrefix(string(text), byteOrderMark))
	if secret == "" || len(text) > maxSecret || strings.ContainsAny(secret, " \r\n\t") {
		return "", usagef("stdin must hold %s, and nothing else", wanted)
	}
	return secret, nil
}

// signInByDevice shows a code and waits until the person has confirmed it.
func (s *session) signInByDevice(ctx context.Context, scopes []sininho.Scope) (string, error) {
	client, err := s.connectWith("")
	if err != nil {
		return "", err
	}
	host, _ := os.Hostname()
	signIn, err := client.DeviceSignIn.Begin(ctx, "sininho @ "+cmp.Or(host, "?"), scopes...)
	if err != nil {
		return "", err
	}
	s.talk("To sign in, open\n\n    %s\n\nand type the code\n\n    %s\n", signIn.VerificationURL, signIn.UserCode)
	s.openBrowser(signIn.VerificationURL)
	s.talk("Waiting for at most %s; stop with Ctrl-C.", (time.Duration(signIn.ExpiresIn) * time.Second).String())
	token, err := client.DeviceSignIn.Wait(ctx, signIn)
	if err != nil {
		return "", err
	}
	return token.AccessToken.Secret, nil
}

// openBrowser opens a page if the user is at a screen. It ignores failures, because the address is shown anyway.
func (s *session) openBrowser(address string) {
	u, err := url.Parse(address)
	if err != nil || (u.Scheme != "https" && u.Scheme != "http") || !s.isInteractive() ||
		s.env("SSH_CONNECTION") != "" {
		return
	}
	program, args := "xdg-open", []string{u.String()}
	switch runtime.GOOS {
	case "darwin":
		program = "open"
	case "windows":
		program, args = "rundll32", []string{"url.dll,FileProtocolHandler", u.String()}
	default:
		if s.env("DISPLAY") == "" && s.env("WAYLAND_DISPLAY") == "" {
			return
		}
	}
	browser := exec.Command(program, args...)
	if browser.Start() == nil { // the browser outlives this program
		go func() { _ = browser.Wait() }()
	}
}

func logoutCommand(s *session) *cli.Command {
	return &cli.Command{
		Name:  "logout",
		Usage: "sign out of this server, or of an account",
		Description: "Deletes the saved sign-in and revokes its access token with those that it created; an API key\n" +
			"is not revoked.\n\n" +
			example("sininho logout"),
		Action: func(c *cli.Context) error { return logout(s, c) },
	}
}

func logout(s *session, c *cli.Context) error {
	if err := noArguments(c); err != nil {
		return err
	}
	saved, err := s.credentials()
	if err != nil {
		return err
	}
	if err := s.checkAccount(saved); err != nil {
		return err
	}
	name := s.accountName(saved)
	entry, known := saved.Servers[name]
	if !known {
		s.talk("There is no sign-in at %s.", name)
		return nil
	}
	client, err := s.connectWith(entry.Secret)
	if err != nil {
		return err
	}
	revokeErr := revoke(c.Context, client, entry.Secret)
	if err := s.forget(); err != nil {
		return err
	}
	if revokeErr != nil {
		s.talk("The saved sign-in is deleted, but its token could not be revoked; revoke it in your profile " +
			"in the web app.")
		return revokeErr
	}
	s.talk("Signed out of %s", name)
	return nil
}

// revoke revokes an access token, and succeeds if it is already invalid.
func revoke(ctx context.Context, client *sininho.Client, secret string) error {
	if strings.HasPrefix(secret, "snh_") {
		return nil
	}
	if err := client.Auth.SignOut(ctx); !errors.Is(err, sininho.ErrUnauthorized) {
		return err
	}
	return nil
}
