package sininho

import (
	"context"
	"time"

	"github.com/sininho/sininho/pkg/api"
)

// IdentitiesService lists what a person signs in with (API: /subscribers/identities). It needs their access token. Only
// the web app adds and removes identities.
type IdentitiesService struct{ api *api.Client }

// Identity is what a person signs in with.
type Identity struct {
	ID string `json:"id"`
	// Kind is that of the [SignInMethod]; empty if the installation does not offer it anymore.
	Kind string `json:"kind,omitzero"`
	// Provider is the name of its OpenID provider in addresses.
	Provider string `json:"provider,omitzero"`
	// Name is that of its issuer, for people: for example Google.
	Name string `json:"name"`
	// Email is the address that the issuer has verified.
	Email     string    `json:"email"`
	CreatedAt time.Time `json:"createdAt"`
	// UsedAt is the last sign-in with it; zero if there was none.
	UsedAt time.Time `json:"usedAt,omitzero"`
}

// List returns the identities, oldest first. There are 10 at most, and the address of the account is that of the first.
func (s *IdentitiesService) List(ctx context.Context) ([]Identity, error) {
	list, err := decode[struct{ Data []Identity }](s.api.ListIdentities(ctx))
	if err != nil {
		return nil, err
	}
	return list.Data, nil
}
