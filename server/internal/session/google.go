package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"github.com/sininho/sininho/pkg/rules"
	"github.com/sininho/sininho/server/internal/core"
)

// Google holds the OAuth client and the addresses of Google's sign-in.
type Google struct {
	ClientID, ClientSecret         string
	AuthURL, TokenURL, UserInfoURL string
}

const (
	callbackPath  = "/api/v1/auth/google/callback"
	googleTimeout = 10 * time.Second // for each of the two requests to Google
	maxUserInfo   = 64 << 10
)

func (m *Manager) oauth() *oauth2.Config {
	g := m.Google
	return &oauth2.Config{
		ClientID: g.ClientID, ClientSecret: g.ClientSecret, RedirectURL: m.at(callbackPath),
		Scopes: []string{"openid", "email", "profile"},
		// Set explicitly, because detecting the style may take a second try, which would fail as the code is used up.
		Endpoint: oauth2.Endpoint{AuthURL: g.AuthURL, TokenURL: g.TokenURL, AuthStyle: oauth2.AuthStyleInParams},
	}
}

// at returns the public URL of a path.
func (m *Manager) at(path string) string { return m.PublicURL.Scheme + "://" + m.PublicURL.Host + path }

// Begin returns the URL to redirect the browser to for signing in, and the cookie to set unless it is nil. The sign-in
// returns to redirect if that is a path of this server. An invitation allows a new person to sign up.
func (m *Manager) Begin(
	r *http.Request, redirect, loginHint, invitation string,
) (location string, cookie *http.Cookie) {
	if !strings.EqualFold(r.Host, m.PublicURL.Host) {
		return m.at(r.URL.RequestURI()), nil // the cookies must belong to the host that Google redirects to
	}
	p := pending{
		State: randomText(secretBytes), Verifier: oauth2.GenerateVerifier(), Path: safePath(redirect),
		Until: m.Now().Add(pendingFor), Invitation: safeInvitation(invitation),
	}
	options := []oauth2.AuthCodeOption{oauth2.S256ChallengeOption(p.Verifier)}
	switch {
	case loginHint != "":
		options = append(options, oauth2.SetAuthURLParam("login_hint", loginHint))
	case m.InvitedOnly: // a person who was refused must be able to choose another account
		options = append(options, oauth2.SetAuthURLParam("prompt", "select_account"))
	}
	return m.oauth().AuthCodeURL(p.State, options...), m.remember(append(m.pendings(r), p))
}

// Finish completes what Begin started, for a browser on a network. It returns the session's cookie, or a page that
// shows why signing in failed.
func (m *Manager) Finish(
	r *http.Request, network, state, code, refusal string,
) (location string, cookies []*http.Cookie) {
	p, rest, ok := m.take(m.pendings(r), state)
	cookies = []*http.Cookie{m.remember(rest)}
	if !ok {
		return failure(failedState, "/", ""), cookies
	}
	subscriber, why, err := m.admit(r.Context(), p, code, refusal)
	if why == failedSuspended {
		cookies = append(cookies, m.rememberSuspension(*subscriber.Suspension))
	}
	if why != "" {
		m.Log.InfoContext(r.Context(), "sign-in failed", "why", why, "error", err)
		return failure(why, p.Path, p.Invitation), cookies
	}
	session, err := m.start(r, network, subscriber.ID)
	if err != nil {
		m.Log.ErrorContext(r.Context(), "start a session", "error", err)
		return failure(failedUnavailable, p.Path, p.Invitation), cookies
	}
	return landing(p.Path, subscriber.OnboardedAt != nil), append(cookies, session)
}

// admit redeems the code with Google, and finds or creates the subscriber. why is empty on success.
func (m *Manager) admit(
	ctx context.Context, p pending, code, refusal string,
) (s core.Subscriber, why string, err error) {
	if refusal != "" {
		return s, refused(refusal), fmt.Errorf("error from Google: %.100q", refusal)
	}
	profile, err := m.profile(ctx, p, code)
	if err == nil {
		s, err = m.Store.SignIn(ctx, profile, m.signUp(p, profile), m.Now())
	}
	if err == nil && s.Suspension != nil {
		return s, failedSuspended, nil
	}
	return s, reason(err), err
}

// signUp returns whether the person may sign up if they are new.
func (m *Manager) signUp(p pending, profile core.Profile) core.SignUp {
	up := core.SignUp{Open: !m.InvitedOnly || m.Operators.Has(profile.Email)}
	if p.Invitation != "" {
		up.InvitationHash = core.HashSecret(p.Invitation)
	}
	return up
}

// reason returns the reason shown in the browser for an error.
func reason(err error) string {
	response, ok := errors.AsType[*oauth2.RetrieveError](err)
	switch {
	case err == nil:
		return ""
	case errors.Is(err, errDenied):
		return failedDenied
	case core.IsCode(err, core.CodeForbidden):
		return failedUninvited
	case ok && response.ErrorCode == "invalid_grant": // the code was used before or belongs to another sign-in
		return failedState
	default:
		return failedUnavailable
	}
}

// refused distinguishes a refusal by the person or Google from other failures.
func refused(code string) string {
	switch code {
	case "access_denied", "account_selection_required", "consent_required", "interaction_required", "login_required":
		return failedDenied
	default:
		return failedUnavailable
	}
}

// errDenied means that the person may not sign in, and that trying again does not help.
var errDenied = errors.New("denied")

// userInfo is the response of Google's user info endpoint.
type userInfo struct {
	Subject       string `json:"sub"`
	Email         string `json:"email"`
	EmailVerified any    `json:"email_verified"` // true, or "true"
	Name          string `json:"name"`
	Picture       string `json:"picture"`
	Locale        string `json:"locale"`
}

// profile redeems the code and requests the person's profile.
func (m *Manager) profile(ctx context.Context, p pending, code string) (core.Profile, error) {
	token, err := m.redeem(ctx, p, code)
	if err != nil {
		return core.Profile{}, fmt.Errorf("redeem the code: %w", err)
	}
	info, err := m.userInfo(ctx, token)
	if err != nil {
		return core.Profile{}, fmt.Errorf("request the profile: %w", err)
	}
	return info.profile()
}

func (m *Manager) redeem(ctx context.Context, p pending, code string) (*oauth2.Token, error) {
	ctx, cancel := context.WithTimeout(ctx, googleTimeout)
	defer cancel()
	ctx = context.WithValue(ctx, oauth2.HTTPClient, m.HTTPClient)
	return m.oauth().Exchange(ctx, code, oauth2.VerifierOption(p.Verifier))
}

func (m *Manager) userInfo(ctx context.Context, token *oauth2.Token) (info userInfo, err error) {
	ctx, cancel := context.WithTimeout(ctx, googleTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, m.Google.UserInfoURL, nil)
	if err != nil {
		return info, err
	}
	token.SetAuthHeader(req)
	res, err := m.HTTPClient.Do(req)
	if err != nil {
		return info, err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return info, errors.New("unexpected status " + res.Status)
	}
	return info, json.NewDecoder(io.LimitReader(res.Body, maxUserInfo)).Decode(&info)
}

// profile validates Google's response and shortens it to what the database accepts.
func (u userInfo) profile() (core.Profile, error) {
	if u.EmailVerified != true && u.EmailVerified != "true" {
		return core.Profile{}, fmt.Errorf("%w: the email address is not verified", errDenied)
	}
	email := visible(u.Email, 320)
	name, _, isEmail := strings.Cut(email, "@")
	if u.Subject == "" || u.Subject != visible(u.Subject, 255) || !isEmail || email != u.Email {
		return core.Profile{}, errors.New("response without a subject or a valid email address")
	}
	if given := visible(u.Name, 200); !rules.IsBlank(given) {
		name = given
	}
	locale := visible(u.Locale, 35)
	if locale == "" {
		locale = "pt"
	}
	return core.Profile{Subject: u.Subject, Email: email, Name: name, Avatar: httpsOnly(u.Picture), Locale: locale}, nil
}

// visible removes control characters and truncates s to limit characters.
func visible(s string, limit int) string {
	runes := []rune(strings.Map(func(r rune) rune {
		if rules.IsControl(r) {
			return -1
		}
		return r
	}, s))
	return strings.TrimSpace(string(runes[:min(len(runes), limit)]))
}

func httpsOnly(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || u.Host == "" || len(address) > 2048 {
		return ""
	}
	return address
}
