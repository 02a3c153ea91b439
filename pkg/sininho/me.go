package sininho

import (
	"context"
	"io"

	"github.com/oapi-codegen/nullable"

	"github.com/sininho/sininho/pkg/api"
)

// MeService reads, changes, exports and deletes the signed-in person's account
// (API: /subscribers/me). It needs their access token.
type MeService struct{ api, files *api.Client }

// Bell determines which notifications are pushed. The feed always has all of them.
type Bell string

// All notifications, only the important ones, these and once a day a digest of the others, or none.
const (
	BellAll       Bell = "all"
	BellImportant Bell = "important"
	BellDigest    Bell = "digest"
	BellNone      Bell = "none"
)

// QuietHours is the daily period in which nothing is pushed, as times of day such as 22:00 in the
// person's timezone. It spans midnight if Start is after End.
type QuietHours struct {
	Start string `json:"start"`
	End   string `json:"end"`
}

// Get returns the signed-in person.
func (s *MeService) Get(ctx context.Context) (*Subscriber, error) {
	return decodeVersion[Subscriber](s.api.GetMe(ctx))
}

// MeUpdate holds the fields to change; nil fields stay unchanged. In Go 1.26, new("text") makes a pointer to a text.
type MeUpdate struct {
	// Name has 1 to 200 characters.
	Name *string
	// Locale is a BCP 47 language tag, for example pt.
	Locale *string
	// Timezone is a name from the IANA time zone database, for example Europe/Lisbon.
	Timezone    *string
	BellDefault *Bell
	// QuietHours removes the quiet hours if it points to a zero value.
	QuietHours *QuietHours
	// DigestAt is a time of day such as 18:00, in the person's timezone.
	DigestAt *string
}

// Update changes the signed-in person's profile and returns its new state.
func (s *MeService) Update(ctx context.Context, in MeUpdate, opts ...ChangeOption) (*Subscriber, error) {
	var f faults
	f.texts(map[string]*string{"name": in.Name, "locale": in.Locale, "timezone": in.Timezone, "digestAt": in.DigestAt})
	if err := f.err(); err != nil {
		return nil, err
	}
	params := &api.UpdateMeParams{IfMatch: newChange(opts).version}
	return decodeVersion[Subscriber](s.api.UpdateMe(ctx, params, in.toAPI()))
}

func (in MeUpdate) toAPI() api.SubscriberPatch {
	out := api.SubscriberPatch{
		Name: in.Name, Locale: in.Locale, Timezone: in.Timezone, BellDefault: (*api.Bell)(in.BellDefault),
		DigestAt: in.DigestAt,
	}
	switch q := in.QuietHours; {
	case q == nil:
	case *q == QuietHours{}:
		out.QuietHours = nullable.NewNullNullable[api.QuietHoursOrNull]()
	default:
		out.QuietHours = nullable.NewNullableWithValue(api.QuietHoursOrNull{Start: q.Start, End: q.End})
	}
	return out
}

// Delete permanently deletes the signed-in person's account with all their data. If they are the
// only owner of a publisher with other members or channels, it fails with [ErrConflict] and the code
// [CodeLastOwner]: hand the publisher over or delete it first.
func (s *MeService) Delete(ctx context.Context) error { return check(s.api.DeleteMe(ctx)) }

// Export writes all data stored about the signed-in person to w, as JSON of any size. It makes a
// single attempt, without the timeout of [WithTimeout]; if it fails, w has received only a part.
func (s *MeService) Export(ctx context.Context, w io.Writer) error {
	resp, err := s.files.ExportMe(ctx)
	if err := check(resp, err); err != nil {
		return err
	}
	defer resp.Body.Close()
	if !hasJSON(resp) {
		return unexpectedType(resp, "JSON")
	}
	if _, err := io.Copy(w, resp.Body); err != nil {
		return callError(resp.Request, err)
	}
	return nil
}
