package session

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/sininho/sininho/server/internal/core"
)

// handleBytes is how long the random handles of accounts are. They tell an authenticator nothing about the person.
const handleBytes = 32

// CheckPasskeyHost fails when passkeys cannot be made for a host.
func CheckPasskeyHost(host string) error { return protocol.ValidateRPID(host) }

// newRelyingParty returns what challenges authenticators in the name of the installation, and verifies their answers.
// They verify the person each time, by a PIN or a biometric, and keep the key together with the account that it is for.
// Nothing is asked about the authenticator itself, and nothing is done with outputs of extensions.
func newRelyingParty(public *url.URL) (*webauthn.WebAuthn, error) {
	return webauthn.New(&webauthn.Config{
		RPID: public.Hostname(), RPDisplayName: "Sininho", RPOrigins: []string{public.Scheme + "://" + public.Host},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, RequireResidentKey: protocol.ResidentKeyRequired(),
			UserVerification: protocol.VerificationRequired,
		},
		ExtensionsUnsolicitedOutputPolicy: protocol.UnsolicitedOutputPolicyIgnore,
	})
}

// account is an account, as authenticators see it.
type account struct {
	handle      []byte
	name        string
	credentials []webauthn.Credential
}

// WebAuthnID implements webauthn.User.
func (a account) WebAuthnID() []byte { return a.handle }

// WebAuthnName implements webauthn.User.
func (a account) WebAuthnName() string { return a.name }

// WebAuthnDisplayName implements webauthn.User.
func (a account) WebAuthnDisplayName() string { return a.name }

// WebAuthnCredentials implements webauthn.User.
func (a account) WebAuthnCredentials() []webauthn.Credential { return a.credentials }

// BeginPasskey begins a sign-in with any passkey of the installation. It returns the options of the browser's request,
// in JSON, and the cookie by which only this browser can finish. It fails with CodeNotFound when the installation does
// not offer it.
func (m *Manager) BeginPasskey(r *http.Request, in core.SignInStart) (options []byte, cookie *http.Cookie, err error) {
	if m.party == nil {
		return nil, nil, core.ErrNotOffered()
	}
	assertion, begun, err := m.party.BeginDiscoverableLogin()
	if err != nil {
		return nil, nil, err
	}
	if options, err = json.Marshal(assertion.Response); err != nil {
		return nil, nil, err
	}
	saves, err := m.anonymous(r)
	return options, m.rememberCeremony(r, ceremony{For: signingIn, Challenge: begun.Challenge, Saves: saves,
		Until: m.Now().Add(core.PasskeyChallengeLife), Path: safePath(in.Redirect)}), err
}

// FinishPasskey signs in with the answer of an authenticator, in the browser that began. It returns the page to show,
// with cookies. It fails with CodeInvalid for a wrong answer, and with CodeNotFound when the browser waits for none.
func (m *Manager) FinishPasskey(
	r *http.Request, network string, credential []byte,
) (location string, cookies []*http.Cookie, err error) {
	if m.party == nil {
		return "", nil, core.ErrNotOffered()
	}
	answer, err := protocol.ParseCredentialRequestResponseBytes(credential)
	if err != nil {
		return "", nil, m.refused(r.Context(), err)
	}
	c, err := m.takeCeremony(r, signingIn, answer.Response.CollectedClientData.Challenge)
	if err != nil {
		return "", nil, err
	}
	verify := func(k core.Passkey) ([]byte, error) { return m.verify(r.Context(), c, k, answer) }
	location, cookies = m.welcome(r, network, c.pending(), func(now time.Time) (s core.Subscriber, _ error) {
		s, err = m.Store.SignInWithPasskey(r.Context(), answer.RawID, verify, now)
		return s, err
	})
	return location, cookies, err
}

// verify checks an answer against a passkey, and returns the credential to keep: with the counter that the next answer
// must exceed.
func (m *Manager) verify(
	ctx context.Context, c ceremony, k core.Passkey, answer *protocol.ParsedCredentialAssertionData,
) ([]byte, error) {
	var known webauthn.Credential
	if err := json.Unmarshal(k.Credential, &known); err != nil {
		return nil, err
	}
	find := func(_, handle []byte) (webauthn.User, error) {
		if !bytes.Equal(handle, k.UserHandle) {
			return nil, errOtherAccount
		}
		return account{handle: handle, credentials: []webauthn.Credential{known}}, nil
	}
	_, verified, err := m.party.ValidatePasskeyLogin(find, webauthn.SessionData{Challenge: c.Challenge,
		RelyingPartyID: m.party.Config.RPID, UserVerification: protocol.VerificationRequired}, answer)
	if err != nil {
		return nil, m.refused(ctx, err)
	}
	if verified.Authenticator.CloneWarning {
		m.Log.WarnContext(ctx, "passkey refused, because its counter went back", "passkey", k.ID,
			"subscriber", k.SubscriberID)
		return nil, core.ErrClonedPasskey()
	}
	return json.Marshal(verified)
}

var errOtherAccount = errors.New("the passkey belongs to another account than the answer says")

// refused logs why an answer proves nothing, and returns the error for the browser, which says less.
func (m *Manager) refused(ctx context.Context, err error) error {
	why := []any{slog.Any("error", err)}
	if detail, ok := errors.AsType[*protocol.Error](err); ok {
		why = append(why, slog.String("detail", detail.DevInfo))
	}
	m.Log.InfoContext(ctx, "passkey refused", why...)
	return core.ErrPasskeyRefused()
}

// BeginPasskeySignUp begins to make an account with a first passkey. It returns what BeginPasskey does. It fails with
// CodeForbidden when only invited people may sign up and the person brings neither an invitation nor an operator link,
// and with CodeNotFound when that link is not valid.
func (m *Manager) BeginPasskeySignUp(
	r *http.Request, in core.PasskeySignUpInput,
) (options []byte, cookie *http.Cookie, err error) {
	if m.party == nil {
		return nil, nil, core.ErrNotOffered()
	}
	if faults := in.Validate(nil, m.Now()); len(faults) > 0 {
		return nil, nil, core.Invalid(faults...)
	}
	saves, err := m.anonymous(r)
	if err != nil {
		return nil, nil, err
	}
	c := ceremony{For: signingUp, Saves: saves, Path: safePath(in.Redirect), Name: in.Name, Handle: newHandle(),
		Invitation: safeInvitation(in.Invitation), OperatorLink: safeInvitation(in.OperatorLink)}
	switch {
	case in.OperatorLink != "":
		err = m.Store.CheckOperatorLink(r.Context(), core.HashSecret(c.OperatorLink), m.Now())
	case m.InvitedOnly && c.Invitation == "":
		err = core.ErrUninvited()
	}
	if err != nil {
		return nil, nil, err
	}
	return m.beginRegistration(r, c, account{handle: c.Handle, name: strings.TrimSpace(in.Name)})
}

// beginRegistration asks for a new passkey, of an authenticator that has none of the account.
func (m *Manager) beginRegistration(
	r *http.Request, c ceremony, a account,
) (options []byte, cookie *http.Cookie, err error) {
	creation, begun, err := m.party.BeginRegistration(a,
		webauthn.WithExclusions(webauthn.Credentials(a.credentials).CredentialDescriptors()))
	if err != nil {
		return nil, nil, err
	}
	if options, err = json.Marshal(creation.Response); err != nil {
		return nil, nil, err
	}
	c.Challenge, c.Until = begun.Challenge, m.Now().Add(core.PasskeyChallengeLife)
	return options, m.rememberCeremony(r, c), nil
}

// FinishPasskeySignUp makes the account, and signs in. It fails as FinishPasskey does.
func (m *Manager) FinishPasskeySignUp(
	r *http.Request, network string, credential []byte,
) (location string, cookies []*http.Cookie, err error) {
	c, key, err := m.register(r, signingUp, credential)
	if err != nil {
		return "", nil, err
	}
	key.Name = m.passkeyName(r)
	person := core.Subscriber{Name: c.Name, Locale: string(languageOf(r))}
	location, cookies = m.welcome(r, network, c.pending(), func(now time.Time) (s core.Subscriber, _ error) {
		key.UsedAt = &now
		s, err = m.Store.SignUpWithPasskey(r.Context(), person, key, m.signUpBy(c), now)
		return s, err
	})
	if core.IsCode(err, core.CodeForbidden) { // the page says why
		err = nil
	}
	return location, cookies, err
}

// signUpBy returns whether the person may sign up.
func (m *Manager) signUpBy(c ceremony) core.SignUp {
	up := core.SignUp{Open: !m.InvitedOnly}
	if c.Invitation != "" {
		up.InvitationHash = core.HashSecret(c.Invitation)
	}
	if c.OperatorLink != "" {
		up.OperatorLinkHash = core.HashSecret(c.OperatorLink)
	}
	return up
}

// register checks the answer of an authenticator that has made a passkey.
func (m *Manager) register(r *http.Request, why purpose, credential []byte) (ceremony, core.Passkey, error) {
	if m.party == nil {
		return ceremony{}, core.Passkey{}, core.ErrNotOffered()
	}
	answer, err := protocol.ParseCredentialCreationResponseBytes(credential)
	if err != nil {
		return ceremony{}, core.Passkey{}, m.refused(r.Context(), err)
	}
	c, err := m.takeCeremony(r, why, answer.Response.CollectedClientData.Challenge)
	if err != nil {
		return ceremony{}, core.Passkey{}, err
	}
	made, err := m.party.CreateCredential(account{handle: c.Handle}, webauthn.SessionData{Challenge: c.Challenge,
		RelyingPartyID: m.party.Config.RPID, UserID: c.Handle, UserVerification: protocol.VerificationRequired,
		CredParams: webauthn.CredentialParametersDefault()}, answer)
	if err != nil {
		return ceremony{}, core.Passkey{}, m.refused(r.Context(), err)
	}
	kept, err := json.Marshal(made)
	return c, core.Passkey{ID: core.NewID(), SubscriberID: c.Adds, CredentialID: made.ID, UserHandle: c.Handle,
		Credential: kept, CreatedAt: m.Now()}, err
}

func newHandle() []byte {
	handle := make([]byte, handleBytes)
	_, _ = rand.Read(handle) // never fails: crypto/rand crashes the program instead
	return handle
}

// passkeyName returns the name of a passkey that was given none: that of the browser and its system.
func (m *Manager) passkeyName(r *http.Request) string {
	by := describe(r.UserAgent(), "")
	switch {
	case by.Browser != "" && by.System != "":
		return by.Browser + " · " + by.System
	case by.Browser+by.System != "":
		return by.Browser + by.System
	default:
		return core.Text{EN: "Passkey", PT: "Chave de acesso"}.In(languageOf(r) != core.English)
	}
}
