package emails

import (
	"context"

	"github.com/sininho/sininho/server/internal/core"
)

// toAsker writes the answer to a request for a publisher, to a person who has an address.
func (s *Sender) toAsker(ctx context.Context, e Email) (draft, error) {
	asked, err := s.Facts.PublisherRequest(ctx, e.About)
	if err != nil || asked.Status == core.PublisherPending || asked.Asker.Email == "" {
		return draft{}, err
	}
	person, err := s.Facts.Subscriber(ctx, asked.Asker.ID)
	if err != nil {
		return draft{}, err
	}
	language, approved := core.LanguageOf(person.Locale), asked.Status == core.PublisherApproved
	d := languages.In(language).publisherRequest(asked.Slug, approved, asked.Answer)
	d.To, d.Language, d.URL = asked.Asker.Email, language, s.PublicURL+"/studio"
	if approved {
		d.URL = s.PublicURL + "/new"
	}
	return d, nil
}
