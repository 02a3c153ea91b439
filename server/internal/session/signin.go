package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"github.com/sininho/sininho/server/internal/core"
)

// Begin returns the URL to redirect the browser to for signing in at a provider, and the cookie to set unless it is
// nil. It fails with CodeNotFound when the installation does not offer that.
func (m *Manager) Begin(
	r *http.Request, kind core.SignInKind, name string, in core.SignInStart,
) (location string, cookie *http.Cookie, err error) {
	at, err := m.find(kind, name)
	if err != nil {
		return "", nil, err
	}
	if !strings.EqualFold(r.Host, m.PublicURL.Host) {
		// the cookies must belong to the host that the provider redirects to
		return m.at(r.URL.RequestURI()), nil, nil
	}
	location, cookie = m.begin(r, at, core.Caller{}, in)
	return location, cookie, nil
}

// begin begins a sign-in. With a subscriber as the caller, it adds an identity to their account or, if they are
// anonymous, saves what they have in the account.
func (m *Manager) begin(
	r *http.Request, at provider, c core.Caller, in core.SignInStart,
) (location string, cookie *http.Cookie) {
	p := pending{
		State: randomText(secretBytes), Verifier: oauth2.GenerateVerifier(), Path: safePath(in.Redirect),
		Until: m.Now().Add(pendingFor), Invitation: safeInvitation(in.Invitation),
		Issuer: at.method().Issuer,
	}.by(c)
	var options []oauth2.AuthCodeOption
	switch {
	case in.LoginHint != "":
		options = append(options, oauth2.SetAuthURLParam("login_hint", in.LoginHint))
	case m.InvitedOnly || p.Adds != core.ID{}: // a person must be able to choose another account
		options = append(options, oauth2.SetAuthURLParam("prompt", "select_account"))
	}
	location, err := at.authURL(r.Context(), p, options...)
	if err != nil {
		m.Log.ErrorContext(r.Context(), "begin a sign-in", "issuer", p.Issuer, "error", err)
		return p.failure(failedUnavailable), nil
	}
	return location, m.remember(append(m.pendings(r), p))
}

// Finish completes what Begin started, for a browser on a network that comes back from the provider. It returns the
// session's cookie, or a page that shows why signing in failed. It fails with CodeNotFound when the installation does
// not offer this provider.
func (m *Manager) Finish(
	r *http.Request, network string, kind core.SignInKind, name string, back core.SignInCallback,
) (location string, cookies []*http.Cookie, err error) {
	from, err := m.find(kind, name)
	if err != nil {
		return "", nil, err
	}
	p, rest, ok := m.take(m.pendings(r), back.State)
	cookies = []*http.Cookie{m.remember(rest)}
	if !ok || p.Issuer != from.method().Issuer { // another provider's would get the code of this one
		return failure(failedState, "/", ""), cookies, nil
	}
	profile, err := m.profile(r.Context(), from, p, back)
	location, more := m.admit(r, network, p, profile, err)
	return location, append(cookies, more...), nil
}

// profile returns what the provider reports about the person who comes back.
func (m *Manager) profile(
	ctx context.Context, from provider, p pending, back core.SignInCallback,
) (core.Profile, error) {
	if back.Error != "" {
		return core.Profile{}, &refusedError{back.Error}
	}
	return from.profile(ctx, p, back)
}

// admit signs in the person whose profile this is, or adds the identity to the subscriber who asked for it. It returns
// the page to show, with cookies. err is why there is no profile.
func (m *Manager) admit(
	r *http.Request, network string, p pending, profile core.Profile, err error,
) (location string, cookies []*http.Cookie) {
	ctx := r.Context()
	if p.Adds != (core.ID{}) {
		if err == nil {
			err = m.add(r, p, profile)
		}
		if why := reason(err); why != "" {
			m.Log.Log(ctx, levelOf(why, err), "identity not added", "issuer", p.Issuer, "why", why, "error", err)
			return p.failure(why), nil
		}
		return p.Path, nil
	}
	return m.welcome(r, network, p, func(now time.Time) (core.Subscriber, error) {
		if err != nil {
			return core.Subscriber{}, err
		}
		profile.Locale = cmp.Or(profile.Locale, string(languageOf(r)))
		return m.Store.SignIn(ctx, profile, m.signUp(p, profile), now)
	})
}

// welcome signs a person in and begins their session, with what an anonymous subscriber has in this browser. It returns
// the page to show, with cookies.
func (m *Manager) welcome(
	r *http.Request, network string, p pending, signIn func(now time.Time) (core.Subscriber, error),
) (location string, cookies []*http.Cookie) {
	ctx, now := r.Context(), m.Now()
	var s core.Subscriber
	saves, err := m.saves(r, p)
	if err == nil {
		s, err = signIn(now)
	}
	why := reason(err)
	if err == nil && s.Suspension != nil {
		why, cookies = failedSuspended, append(cookies, m.rememberSuspension(*s.Suspension))
	}
	if why != "" {
		m.Log.Log(ctx, levelOf(why, err), "sign-in failed", "issuer", p.Issuer, "why", why, "error", err)
		return p.failure(why), cookies
	}
	isNew := !s.CreatedAt.Before(now.Truncate(time.Microsecond)) // as it is stored
	started, err := m.enter(r, network, s.ID, isNew, saves)
	if core.IsCode(err, core.CodeInvalid) { // more than an account may have
		return p.failure(failedFull), nil
	}
	if err != nil {
		m.Log.ErrorContext(ctx, "start a session", "error", err)
		return p.failure(failedUnavailable), nil
	}
	begun := s.OnboardedAt != nil || saves != core.ID{} // who has saved something follows it already
	return landing(p.Path, begun), append(cookies, started...)
}

// signUp returns whether the person may sign up if they are new.
func (m *Manager) signUp(p pending, profile core.Profile) core.SignUp {
	up := core.SignUp{Open: !m.InvitedOnly || m.Operators.HasAddress(profile.Email)}
	if p.Invitation != "" {
		up.InvitationHash = core.HashSecret(p.Invitation)
	}
	return up
}

// levelOf returns the level at which a failure is logged: a warning for what the operator may have to change.
func levelOf(why string, err error) slog.Level {
	if errors.Is(err, errForeign) || why == failedUnverified || why == failedNoEmail || why == failedUnavailable {
		return slog.LevelWarn
	}
	return slog.LevelInfo
}

// reason returns the reason shown in the browser for an error.
func reason(err error) string {
	response, ok := errors.AsType[*oauth2.RetrieveError](err)
	refused, isRefused := errors.AsType[*refusedError](err)
	conflict, isConflict := errors.AsType[*core.Error](err)
	switch {
	case err == nil:
		return ""
	case isRefused:
		return refused.reason()
	case errors.Is(err, errUnverified):
		return failedUnverified
	case errors.Is(err, errNoEmail):
		return failedNoEmail
	case errors.Is(err, errUnsaved):
		return failedUnsaved
	case core.IsCode(err, core.CodeForbidden):
		return failedUninvited
	case isConflict && conflict.Code == core.CodeConflict:
		return conflict.Reason
	case core.IsCode(err, core.CodeUnauthenticated), errors.Is(err, errForeign):
		return failedState
	case ok && response.ErrorCode == "invalid_grant": // the code was used before or belongs to another sign-in
		return failedState
	default:
		return failedUnavailable
	}
}

// refusedError is an error that a provider sends the browser back with.
type refusedError struct{ code string }

func (e *refusedError) Error() string { return fmt.Sprintf("error from the provider: %.100q", e.code) }

// reason distinguishes a refusal by the person or the provider from other failures.
func (e *refusedError) reason() string {
	switch e.code {
	case "access_denied", "account_selection_required", "consent_required", "interaction_required", "login_required":
		return failedDenied
	default:
		return failedUnavailable
	}
}
