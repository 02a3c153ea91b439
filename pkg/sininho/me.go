package sininho

import (
	"context"
	"fmt"
	"io"

	"github.com/oapi-codegen/nullable"

	"github.com/sininho/sininho/pkg/api"
)

// MeService is the signed-in person (API: /subscribers/me). It needs their access token.
type MeService struct{ api, files *api.Client }

// Bell says which notifications are pushed. The feed always has everything.
type Bell string

// All, only the important ones, or none.
const (
	BellAll       Bell = "all"
	BellImportant Bell = "important"
	BellNone      Bell = "none"
)

// QuietHours is from when until when nothing is pushed, in the person's timezone, each as
// 22:00; over midnight when Start is after End.
type QuietHours struct {
	Start string `json:"start"`
	End   string `json:"end"`
}

// Get shows the signed-in person.
func (s *MeService) Get(ctx context.Context) (*Subscriber, error) {
	return decodeVersion[Subscriber](s.api.GetMe(ctx))
}

// MeUpdate is what to change; what is nil stays. In Go 1.26 write new("text").
type MeUpdate struct {
	// Name has 1 to 200 characters.
	Name *string
	// Locale is a BCP 47 language tag, as pt.
	Locale *string
	// Timezone is a name of the IANA time zone database, as Europe/Lisbon.
	Timezone    *string
	BellDefault *Bell
	// QuietHours: a zero value ends them.
	QuietHours *QuietHours
}

// Update changes the signed-in person's profile and returns it as it is now.
func (s *MeService) Update(ctx context.Context, in MeUpdate, opts ...ChangeOption) (*Subscriber, error) {
	var f faults
	f.texts(map[string]*string{"name": in.Name, "locale": in.Locale, "timezone": in.Timezone})
	if err := f.err(); err != nil {
		return nil, err
	}
	return decodeVersion[Subscriber](s.api.UpdateMe(ctx, &api.UpdateMeParams{IfMatch: newChange(opts).version}, in.toAPI()))
}

func (in MeUpdate) toAPI() api.SubscriberPatch {
	out := api.SubscriberPatch{Name: in.Name, Locale: in.Locale, Timezone: in.Timezone, BellDefault: (*api.Bell)(in.BellDefault)}
	switch q := in.QuietHours; {
	case q == nil:
	case *q == QuietHours{}:
		out.QuietHours = nullable.NewNullNullable[api.QuietHoursOrNull]()
	default:
		out.QuietHours = nullable.NewNullableWithValue(api.QuietHoursOrNull{Start: q.Start, End: q.End})
	}
	return out
}

// Delete deletes the signed-in person with everything that is kept of them, for good. Who
// is the only owner of a publisher is an [ErrConflict] with the code [CodeLastOwner]: hand
// it over or delete it first.
func (s *MeService) Delete(ctx context.Context) error { return check(s.api.DeleteMe(ctx)) }

// Export writes everything that is kept of the signed-in person to w, as JSON of any size.
// It is one attempt, bounded by the context alone; when it fails, what was written is part
// of it.
func (s *MeService) Export(ctx context.Context, w io.Writer) error {
	resp, err := s.files.ExportMe(ctx)
	if err := check(resp, err); err != nil {
		return err
	}
	defer resp.Body.Close()
	if !hasJSON(resp) {
		return callError(resp.Request, fmt.Errorf("%w: %q instead of JSON; is the base URL right?", errAnswer, resp.Header.Get("Content-Type")))
	}
	if _, err := io.Copy(w, resp.Body); err != nil {
		return callError(resp.Request, err)
	}
	return nil
}
