package httpapi

import (
	"context"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// GetFeedAddress returns the secret address of the caller's feed, without its secret.
func (a *server) GetFeedAddress(
	ctx context.Context, _ gen.GetFeedAddressRequestObject,
) (gen.GetFeedAddressResponseObject, error) {
	address, err := a.FeedAddresses.Get(ctx, callOf(ctx).caller)
	if err != nil {
		return nil, err
	}
	return gen.GetFeedAddress200JSONResponse(toAPIFeedAddress(address)), nil
}

// RenewFeedAddress makes the secret address of the caller's feed, or replaces it.
func (a *server) RenewFeedAddress(
	ctx context.Context, _ gen.RenewFeedAddressRequestObject,
) (gen.RenewFeedAddressResponseObject, error) {
	address, secret, err := a.FeedAddresses.Renew(ctx, callOf(ctx).caller)
	if err != nil {
		return nil, err
	}
	url := core.FeedAddressURL(a.PublicURL.String(), secret)
	return gen.RenewFeedAddress200JSONResponse{Hint: address.Hint, CreatedAt: address.CreatedAt.UTC(),
		Atom: url + ".atom", JSON: url + ".json"}, nil
}

// DeleteFeedAddress ends the secret address of the caller's feed.
func (a *server) DeleteFeedAddress(
	ctx context.Context, _ gen.DeleteFeedAddressRequestObject,
) (gen.DeleteFeedAddressResponseObject, error) {
	if err := a.FeedAddresses.Delete(ctx, callOf(ctx).caller); err != nil {
		return nil, err
	}
	return gen.DeleteFeedAddress204Response{}, nil
}

func toAPIFeedAddress(a core.FeedAddress) api.FeedAddress {
	return api.FeedAddress{Hint: a.Hint, CreatedAt: a.CreatedAt.UTC()}
}
