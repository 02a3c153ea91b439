package postgres_test

import (
	"context"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

func scriptPasskeys(ctx context.Context, s *script) {
	key := func(subscriberID core.ID, credential string) core.Passkey {
		s.now = s.now.Add(time.Second)
		return core.Passkey{ID: core.NewID(), SubscriberID: subscriberID, Name: credential,
			CredentialID: []byte(credential), UserHandle: []byte("handle"), Credential: []byte(`{"n": 1}`), CreatedAt: s.now}
	}
	list := func(what string, id core.ID) {
		keys, err := s.Passkeys(ctx, id)
		s.note(what, keys, err)
	}
	one, two := key(s.rui, "one"), key(s.rui, "two")
	s.note("add", s.AddPasskey(ctx, one), s.AddPasskey(ctx, two))
	s.note("add one that is registered", s.AddPasskey(ctx, key(s.ana, "one")))
	renamed, err := s.RenamePasskey(ctx, s.rui, two.ID, "blue")
	s.note("rename", renamed, err)
	_, err = s.RenamePasskey(ctx, s.ana, two.ID, "red")
	s.note("rename somebody else's", err)
	list("passkeys", s.rui)

	signIn := func(what, credential string, kept []byte, fault error) {
		sub, err := s.SignInWithPasskey(ctx, []byte(credential), func(k core.Passkey) ([]byte, error) {
			s.note("verify", k)
			return kept, fault
		}, s.now)
		s.note(what, sub, err)
	}
	signIn("sign in", "one", []byte(`{"n": 2}`), nil)
	signIn("sign in with a wrong answer", "one", nil, core.ErrPasskeyRefused())
	signIn("sign in with an unknown passkey", "three", nil, nil)
	list("passkeys after the sign-ins", s.rui)
	s.note("use a challenge", s.UseChallenge(ctx, []byte("hash"), s.now.Add(time.Minute)))
	s.note("use it again", s.UseChallenge(ctx, []byte("hash"), s.now.Add(time.Minute)))

	google, all := []string{core.IssuerGoogle}, []string{core.IssuerGoogle, core.IssuerPasskey}
	identities, _ := s.Identities(ctx, s.rui)
	s.note("remove the only identity that is offered", s.RemoveIdentity(ctx, s.rui, identities[0].ID, google, s.now))
	s.note("remove it beside passkeys", s.RemoveIdentity(ctx, s.rui, identities[0].ID, all, s.now))
	sub, err := s.Subscriber(ctx, s.rui)
	s.note("a person without an address", sub.Email == "", err)
	s.note("remove somebody else's", s.RemovePasskey(ctx, s.ana, one.ID, all))
	s.note("remove one of two", s.RemovePasskey(ctx, s.rui, one.ID, all))
	s.note("remove the last", s.RemovePasskey(ctx, s.rui, two.ID, all))
	mail := core.Profile{Issuer: core.IssuerEmail, Subject: "rui@example.org", Email: "rui@example.org"}
	s.note("add an address", s.AddIdentity(ctx, s.rui, mail, s.now))
	sub, err = s.Subscriber(ctx, s.rui)
	s.note("the address", sub.Email, err)
	s.note("remove the last passkey beside it", s.RemovePasskey(ctx, s.rui, two.ID, []string{core.IssuerEmail}))

	for range core.MaxPasskeys {
		s.succeed("add many", s.AddPasskey(ctx, key(s.ana, s.now.String())))
	}
	s.note("add one too many", s.AddPasskey(ctx, key(s.ana, "many")))
	scriptPasskeySignUps(ctx, s, key)
}

func scriptPasskeySignUps(ctx context.Context, s *script, key func(core.ID, string) core.Passkey) {
	eva := core.Subscriber{Name: "Eva", Locale: "en"}
	signUp := func(what, credential string, up core.SignUp) {
		sub, err := s.SignUpWithPasskey(ctx, eva, key(core.ID{}, credential), up, s.now)
		s.note(what, sub, err)
	}
	signUp("sign up", "a", core.SignUp{Open: true})
	signUp("sign up with a registered passkey", "a", core.SignUp{Open: true})
	signUp("sign up uninvited", "b", core.SignUp{})
	has, err := s.HasOperator(ctx)
	s.note("nobody is an operator", has, err)
	link := func(secret string, only bool) core.SignUp {
		hash := core.HashSecret(secret)
		s.succeed("create a link", s.CreateOperatorLink(ctx, hash, core.OperatorLink{ExpiresAt: s.now.Add(time.Hour),
			Only: only}))
		return core.SignUp{OperatorLinkHash: hash}
	}
	first, second := link("first", false), link("second", false)
	s.note("check a link", s.CheckOperatorLink(ctx, first.OperatorLinkHash, s.now))
	s.note("check it later", s.CheckOperatorLink(ctx, first.OperatorLinkHash, s.now.Add(2*time.Hour)))
	signUp("sign up by a link with a registered passkey", "a", first)
	signUp("sign up by a link", "c", first)
	s.note("check what was valid beside it", s.CheckOperatorLink(ctx, second.OperatorLinkHash, s.now))
	signUp("sign up by the same link", "d", first)
	has, err = s.HasOperator(ctx)
	s.note("somebody is an operator", has, err)
	signUp("sign up by one that replaces operators", "e", link("third", true))
	operators := 0
	for _, c := range []string{"c", "e"} {
		sub, err := s.SignInWithPasskey(ctx, []byte(c), func(k core.Passkey) ([]byte, error) {
			return k.Credential, nil
		}, s.now)
		s.succeed("sign in", err)
		if sub.Operator {
			operators++
		}
	}
	s.note("operators", operators)
}
