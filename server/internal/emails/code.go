package emails

import (
	"cmp"
	"context"

	"github.com/sininho/sininho/server/internal/core"
)

// code writes the code of a sign-in. In the link it is the fragment, which browsers send to no server.
func (s *Sender) code(ctx context.Context, e Email) (draft, error) {
	in, err := s.Facts.EmailSignIn(ctx, e.About, s.Now())
	if err != nil {
		return draft{}, err
	}
	locale, err := s.Facts.EmailSignInLocale(ctx, in)
	if err != nil {
		return draft{}, err
	}
	language := core.LanguageOf(cmp.Or(locale, string(e.Language)))
	code := s.Codes.Code(in.ID)
	shown := code[:4] + " " + code[4:]
	write := languages.In(language).signIn
	if in.SubscriberID != nil {
		write = languages.In(language).addAddress
	}
	d := write(shown)
	d.To, d.Language, d.Code, d.URL = in.Email, language, shown, core.EmailCodePage(s.PublicURL)+"#"+code
	return d, nil
}
