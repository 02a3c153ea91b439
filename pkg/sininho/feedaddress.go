package sininho

import (
	"context"
	"time"

	"github.com/sininho/sininho/pkg/api"
)

// FeedAddressService makes, renews and ends the secret address at which feed readers find all that the signed-in person
// follows (API: /subscribers/feed-address).
type FeedAddressService struct{ api *api.Client }

// FeedAddress is the secret address of a person's feed, without its secret.
type FeedAddress struct {
	// Hint is the last characters of the secret.
	Hint string `json:"hint"`
	// CreatedAt is when it was made, or renewed.
	CreatedAt time.Time `json:"createdAt"`
}

// FeedAddressSecret is a new address in each format. Store it: it is shown only once, and whoever knows it can read the
// person's feed.
type FeedAddressSecret struct {
	Hint      string    `json:"hint"`
	CreatedAt time.Time `json:"createdAt"`
	// Atom and JSON are URLs of the same feed, as Atom and as JSON Feed.
	Atom string `json:"atom"`
	JSON string `json:"json"`
}

// Get returns the address without its secret. It fails with [ErrNotFound] if the person has none.
func (s *FeedAddressService) Get(ctx context.Context) (*FeedAddress, error) {
	return decode[FeedAddress](s.api.GetFeedAddress(ctx))
}

// Renew makes an address. If the person has one, it is replaced, and leads nowhere from then on.
func (s *FeedAddressService) Renew(ctx context.Context) (*FeedAddressSecret, error) {
	return decode[FeedAddressSecret](s.api.RenewFeedAddress(ctx))
}

// Delete ends the address. It fails with [ErrNotFound] if the person has none.
func (s *FeedAddressService) Delete(ctx context.Context) error {
	return check(s.api.DeleteFeedAddress(ctx))
}
