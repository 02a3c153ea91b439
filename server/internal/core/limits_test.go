package core_test

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

// TestDefaults are the numbers that the guides promise.
func TestDefaults(t *testing.T) {
	t.Parallel()
	check.Equal(t, "caps", core.DefaultCaps(), core.Caps{core.CapDevices: 100, core.CapUnconfirmed: 10,
		core.CapAccessTokens: 100, core.CapPublishers: 20, core.CapSubscriptions: 2000, core.CapChannels: 1000,
		core.CapAPIKeys: 100, core.CapEventEndpoints: 20, core.CapWebhooks: 50,
		core.CapDrafts: 50, core.CapTemplates: 100,
		core.CapInvitations: 100, core.CapRequests: 1000, core.CapSnoozed: 500})
	check.Equal(t, "lifetimes of tokens", core.DefaultTokenRules(), core.TokenRules{Days: 90, MaxDays: 366})
	check.Equal(t, "limits of codes", core.NewEmailCodeLimits(1000),
		core.EmailCodeLimits{Hourly: 5, Daily: 10, Network: 50, Budget: 1000})
	for budget, want := range map[core.EmailBudget]int{0: 20, 400: 20, 420: 21, 1000: 50} {
		check.Equal(t, fmt.Sprintf("emails for a network of a budget of %d", budget), budget.ForNetwork(), want)
	}
	for budget, want := range map[core.EmailBudget][3]int64{1000: {1000, 900, 800}, 7: {7, 7, 6}, 123: {123, 111, 99},
		1: {1, 1, 1}, 0: {}} {
		check.Equal(t, fmt.Sprintf("priorities of a budget of %d", budget), [3]int64{budget.Until(core.EmailToKnownBrowser),
			budget.Until(core.EmailCode), budget.Until(core.EmailOther)}, want)
	}
	waits := map[time.Duration]*core.Error{time.Hour: core.ErrEmailsUsedUp(), time.Second: core.ErrKeyInFlight(),
		6 * time.Second: core.ErrTooManyTests(), 90 * time.Minute: core.ErrTooManyEmailsForNetwork(90 * time.Minute)}
	for want, err := range waits {
		check.Equal(t, "wait after "+err.Error(), err.RetryAfter, want)
	}
	check.Equal(t, "wait without a database", core.Unavailable(nil).RetryAfter, time.Second)
	for text, want := range map[string]string{
		core.ErrTooManyEmailsForNetwork(90 * time.Minute).Detail.EN: "again in 2 hours",
		core.ErrTooManyCodes(90 * time.Second).Detail.EN:            "again in 2 minutes",
		core.ErrTooManyIdentities().Detail.EN:                       "at most 10 ways",
		core.ErrTooManyIdentities().Detail.PT:                       "no máximo 10 formas",
		core.Invalid().Detail.EN:                                    "has 0 faults",
		core.Invalid(core.FieldError{}).Detail.EN:                   "has 1 fault.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("text: got %q, want %q in it", text, want)
		}
	}
	cause := errors.New("cause")
	err := &core.Error{Code: core.CodeInvalid, Detail: core.Text{EN: "no"}, Err: cause,
		Fields: []core.FieldError{{Pointer: "#/a", Detail: core.Text{EN: "is bad"}}}}
	check.Equal(t, "error for the log", err.Error(), "invalid: no; #/a is bad: cause")
	check.Equal(t, "it is its cause too", errors.Is(err, cause), true)
	check.Equal(t, "reason", core.ErrInvitationRequired("#/email").Reason, "invitation_required")
}

// TestNames have a limit wherever one is given.
func TestNames(t *testing.T) {
	t.Parallel()
	for limit, of := range map[int][]func(name string) core.Input{100: {
		func(s string) core.Input { return core.AccessTokenInput{Name: s} },
		func(s string) core.Input { return core.APIKeyInput{Name: s} },
		func(s string) core.Input { return core.CategoryInput{Slug: "a", Name: s} },
		func(s string) core.Input { return core.CategoryPatch{Name: &s} },
		func(s string) core.Input { return core.DeviceRename{Name: s} },
		func(s string) core.Input { return core.DeviceInput{Name: s, Kind: core.KindFCM, Address: "a"} },
		func(s string) core.Input { return core.EventEndpointInput{URL: "https://example.com/", Name: s} },
		func(s string) core.Input { return core.EventEndpointPatch{Name: &s} },
		func(s string) core.Input { return core.WebhookInput{Name: s} },
		func(s string) core.Input { return core.WebhookPatch{Name: &s} },
	}, 200: {func(s string) core.Input { return core.SubscriberPatch{Name: &s} }}} {
		for _, in := range of {
			what := fmt.Sprintf("faults of %T", in(""))
			check.Equal(t, what+" with the longest name", codes(in(long(limit)).Validate(testRules, now)), "")
			check.Equal(t, what+" with a longer name", codes(in(long(limit+1)).Validate(testRules, now)), "too_long")
			check.Equal(t, what+" without a name", codes(in(" ").Validate(testRules, now)), "blank")
		}
	}
	check.Equal(t, "faults of a category", pointers(core.CategoryInput{Slug: "?"}.Validate(nil, now)),
		[]string{"#/name", "#/slug"})
}

func TestIdentityInput(t *testing.T) {
	t.Parallel()
	for in, want := range map[core.IdentityInput]string{
		{Kind: core.SignInGoogle}: "", {Kind: core.SignInEmail}: "required",
		{Kind: core.SignInEmail, Email: "a"}: "email", {Kind: core.SignInEmail, Email: "a@example.com"}: "",
		{Kind: core.SignInOIDC}: "required", {Kind: core.SignInOIDC, Provider: "p"}: "",
	} {
		check.Equal(t, fmt.Sprintf("faults of %+v", in), codes(in.Validate(nil, now)), want)
	}
	for email, want := range map[string]int{"!@example.com": 0, "~@example.com": 0, "é@example.com": 1,
		"\"a b\"@example.com": 1, "a@example.com ": 1} {
		check.Equal(t, fmt.Sprintf("faults of %q", email), len(core.CheckEmail("#/email", email)), want)
	}
}

// TestEmailCodes differ by sign-in and by key, and can be typed with spaces.
func TestEmailCodes(t *testing.T) {
	t.Parallel()
	one, other := made(core.NewEmailCodes([]byte("key"))), made(core.NewEmailCodes([]byte("other")))
	id := core.ID{1}
	code := one.Code(id)
	check.Equal(t, "code", code, "48277638")
	for name, c := range map[string]struct {
		code string
		want bool
	}{"as it is": {code, true}, "with signs": {" " + code[:4] + "-" + code[4:] + "\u00a0", true},
		"of another sign-in": {one.Code(core.ID{2}), false}, "of another key": {other.Code(id), false}, "none": {"", false}} {
		check.Equal(t, "code "+name, one.Is(id, c.code), c.want)
	}
	check.Equal(t, "page", core.EmailCodePage("https://a"), "https://a/login/code")
}

func TestHealth(t *testing.T) {
	t.Parallel()
	at := now.Add(7*time.Minute + 30*time.Second)
	for hours, want := range map[int]core.HealthPeriod{
		3: {From: now.Add(-3*time.Hour + 7*time.Minute), Until: at, Part: time.Minute},
		4: {From: now.Add(-4*time.Hour + 5*time.Minute), Until: at, Part: 5 * time.Minute}} {
		check.Equal(t, fmt.Sprintf("period of %d hours", hours), core.NewHealthPeriod(hours, at), want)
	}
	now := core.NodeCounts{Published: 9, Accepted: 8, Requests: 7, Errors: 6, Failed: core.Causes{"a": 3, "b": 1},
		Expired: core.Causes{"c": 2}, Retried: core.Causes{"d": 1}}
	before := core.NodeCounts{Published: 1, Accepted: 1, Requests: 1, Errors: 1, Failed: core.Causes{"a": 1, "b": 1}}
	check.Equal(t, "counts since", now.Since(before), core.NodeCounts{Published: 8, Accepted: 7, Requests: 6, Errors: 5,
		Failed: core.Causes{"a": 2}, Expired: core.Causes{"c": 2}, Retried: core.Causes{"d": 1}})
}

// TestEdges are the last values on either side of a limit.
func TestEdges(t *testing.T) {
	t.Parallel()
	for year, want := range map[int]core.Code{1969: core.CodeInvalid, 1970: "", 9999: "", 10_000: core.CodeInvalid} {
		c := core.Cursor{PublishedAt: time.Date(year, 6, 1, 0, 0, 0, 0, time.UTC), ID: core.ID{1}}
		_, err := core.ParseCursor(c.String())
		core.CheckCode(t, fmt.Sprintf("cursor of the year %d", year), err, want)
	}
	_, err := core.ParseSearch("aa bb cc dd ee ff gg hh")
	core.CheckCode(t, "eight words", err, "")
	_, err = core.ParseSearch("aa bb cc dd ee ff gg hh ii")
	core.CheckCode(t, "nine words", err, core.CodeInvalid)
	if !strings.Contains(err.Error(), "has 9 words; at most 8") {
		t.Errorf("error for nine words: got %v, want the numbers", err)
	}
	for word, want := range map[string]bool{"7": true, "77": false, "a": false, "７": true} {
		check.Equal(t, "IsWhole of "+word, core.IsWhole(word), want)
	}
	_, err = core.NewSealer([]byte("short"))
	check.Equal(t, "a short key is refused", err != nil, true)
	_, err = core.ParseTimeOfDay("24:00")
	check.Equal(t, "24:00 is refused", err != nil, true)
	push := core.PushRules{Kinds: []string{core.KindWebPush}}
	for n, want := range map[int]string{2048: "", 2049: "link"} {
		in := core.DeviceInput{Name: "n", Kind: core.KindWebPush, P256dh: p256dh, Auth: auth,
			Endpoint: "https://push.example/" + long(n-len("https://push.example/"))}
		check.Equal(t, fmt.Sprintf("faults of an endpoint of %d bytes", n),
			codes(in.Validate(production.WithPush(push), now)), want)
	}
	in := core.DeviceInput{Name: "n", Kind: core.KindFCM, Address: "a", Endpoint: "https://a.example", P256dh: "x"}
	check.Equal(t, "faults of a token with a subscription", pointers(in.Validate(testRules, now)),
		[]string{"#/endpoint", "#/keys"})
	for days, want := range map[int]string{30: "", 31: "maximum"} {
		in := core.ChannelInput{Slug: "a", Name: "a", KeepDays: &days}
		check.Equal(t, fmt.Sprintf("faults of keeping %d days", days), codes(in.Validate(testRules, now)), want)
	}
	for n, want := range map[int]string{23: "secret", 24: "", 64: "", 65: "secret"} {
		in := core.WebhookInput{Name: "n", Secret: "whsec_" + base64Of(n)}
		check.Equal(t, fmt.Sprintf("faults of a key of %d bytes", n), codes(in.Validate(testRules, now)), want)
	}
	for secret, want := range map[string]string{"!~": "", "a\x7f": "secret"} {
		in := core.WebhookInput{Name: "n", Secret: secret, Signing: core.SigningBearer}
		check.Equal(t, fmt.Sprintf("faults of the secret %q", secret), codes(in.Validate(testRules, now)), want)
	}
	around := fmt.Sprint(core.Around(netip.MustParsePrefix("192.0.2.1/32")), core.Around(netip.Prefix{}))
	check.Equal(t, "networks around", around,
		"[{192.0.2.1/32 1 1} {192.0.2.0/24 10 2} {192.0.0.0/16 100 5}] [{invalid Prefix 1 1}]")
	check.Equal(t, "a zone that is not known here", core.Timezone("Nowhere/Else").String(), "UTC")
	check.Equal(t, "a zone that is known", core.Timezone("Europe/Lisbon").String(), "Europe/Lisbon")
	check.Equal(t, "results that are final", []bool{core.Result{Outcome: core.Failed}.Final(), core.Result{}.Final()},
		[]bool{true, false})
	check.Equal(t, "a device without quiet hours is held", core.Target{}.HeldUntil(now), time.Time{})
	quiet := core.QuietHours{Start: 11 * 60, End: 13 * 60}
	check.Equal(t, "a device in its quiet hours is held", core.Target{Quiet: &quiet, Timezone: time.UTC}.HeldUntil(now),
		now.Add(time.Hour))
}

// base64Of returns n bytes in base64.
func base64Of(n int) string {
	return strings.Repeat("AAAA", n/3) + []string{"", "AA==", "AAA="}[n%3]
}

// TestFaultsOfStores are passed on by every operation that only asks the store.
func TestFaultsOfStores(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	missing := core.NewID()
	for what, err := range map[string]error{
		"webhook": second(w.webhooks.Get(t.Context(), w.owner, "metro", "avisos", missing)),
		"webhook to update": second(w.webhooks.Update(t.Context(), w.owner, "metro", "avisos", missing,
			core.WebhookPatch{}, nil)),
		"webhook to delete":   w.webhooks.Delete(t.Context(), w.owner, "metro", "avisos", missing, nil),
		"endpoint to delete":  w.endpoints.Delete(t.Context(), w.owner, "metro", missing, nil),
		"endpoint to test":    second(w.endpoints.Test(t.Context(), w.owner, "metro", missing)),
		"endpoint to resend":  second(w.endpoints.Resend(t.Context(), w.owner, "metro", missing, missing)),
		"channel to suspend":  w.moderation.UnsuspendChannel(t.Context(), w.operator, "metro", "none"),
		"person to unsuspend": w.moderation.UnsuspendSubscriber(t.Context(), w.operator, missing),
		"channel to change": second(w.channels.Update(t.Context(), w.owner, "metro", "none", core.ChannelPatch{},
			nil)),
		"device to test": second(w.devices.Test(t.Context(), w.owner, missing)),
		"member":         second(w.members.Update(t.Context(), w.owner, "metro", missing, core.RoleEditor)),
		"category":       w.categories.Delete(t.Context(), w.operator, missing, nil),
	} {
		core.CheckCode(t, what+" that is not there", err, core.CodeNotFound)
	}
	_, err := w.categories.Update(t.Context(), w.operator, missing, core.CategoryPatch{}, nil)
	core.CheckCode(t, "category to update that is not there", err, core.CodeNotFound)
	_, _, err = w.categories.Create(t.Context(), w.operator, core.CategoryInput{Slug: "?"}, noKey)
	core.CheckCode(t, "a category with faults", err, core.CodeInvalid)
	e := w.endpoint(true)
	_, _, err = w.endpoints.Delivery(t.Context(), w.owner, "metro", e.ID, missing)
	core.CheckCode(t, "delivery that is not there", err, core.CodeNotFound)
	w.Caps[core.CapEventEndpoints] = 1
	in := core.EventEndpointInput{URL: "https://example.com/", Name: "n"}
	_, secret, _, err := w.endpoints.Create(t.Context(), w.owner, "metro", in, noKey)
	check.Equal(t, "one endpoint too many", []any{secret, reasonOf(err)}, []any{"", "too_many"})
	_, _, _, err = w.endpoints.Rotate(t.Context(), w.owner, "metro", missing, noKey)
	core.CheckCode(t, "rotate an endpoint that is not there", err, core.CodeNotFound)
	w.now = now.Add(time.Hour)
	n := w.publish(core.PublishInput{Body: "old"})
	got := made(w.notifications.Correct(t.Context(), w.owner, "metro", "avisos", n.ID,
		core.CorrectInput{Body: new("new")}, nil))
	check.Equal(t, "corrected body", got.Body, "new")
	from, until := now.AddDate(0, 0, -9), now.AddDate(0, 0, -3)
	sum, err := w.notifications.ChannelDeliverySummary(t.Context(), w.owner, "metro", "avisos", &from, &until, core.Hourly)
	check.Equal(t, "chosen period", []any{sum.SummaryPeriod, err},
		[]any{core.SummaryPeriod{From: from, Until: until, Interval: core.Hourly}, nil})
}

func second[T any](_ T, err error) error { return err }
