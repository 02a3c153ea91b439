package httpapi

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/sininho/sininho/pkg/waitlistapi"
	"github.com/sininho/sininho/server/internal/core"
)

// inputs converts the bodies of all operations to the inputs of core, which have the rules. A body that violates its
// schema is validated here, so that schema and rule violations are reported together; core validates every other body.
var inputs = map[string]func(body []byte) core.Input{
	"publishNotification": input(fromAPINotificationInput),
	"correctNotification": input(fromAPINotificationPatch),
	"createChannel":       input(fromAPIChannelInput),
	"updateChannel":       input(fromAPIChannelPatch),
	"createPublisher":     input(fromAPIPublisherInput),
	"updatePublisher":     input(fromAPIPublisherPatch),
	"createCategory":      input(fromAPICategoryInput),
	"updateCategory":      input(fromAPICategoryPatch),
	"createApiKey":        input(fromAPIAPIKeyInput),
	"rotateApiKey":        input(fromAPIAPIKeyRotation),
	"createAccessToken":   input(fromAPIAccessTokenInput),
	"createWebhook":       input(fromAPIWebhookInput),
	"updateWebhook":       input(fromAPIWebhookPatch),
	"rotateWebhook":       input(fromAPIWebhookRotation),
	"previewWebhook":      input(fromAPIWebhookPreviewInput),
	"createEventEndpoint": input(fromAPIEventEndpointInput),
	"updateEventEndpoint": input(fromAPIEventEndpointPatch),
	"registerDevice":      input(fromAPIDeviceInput),
	"renameDevice":        input(fromAPIDevicePatch),
	"beginDeviceSignIn":   input(fromAPIDeviceSignInInput),
	"updateMe":            input(fromAPISubscriberPatch),
	"inviteFromWaitlist":  input(func(in waitlistapi.InvitationInput) waitlistInput { return fromAPIInvitationInput(in).Validate }),
	joinWaitlist: input(func(in waitlistapi.WaitlistEntryInput) waitlistInput {
		return fromAPIWaitlistEntryInput(in).Validate
	}),

	// The contract alone has the rules of these.
	"approveDeviceSignIn":    nil,
	"takeDeviceToken":        nil,
	"addMember":              nil,
	"updateMember":           nil,
	"saveOnboarding":         nil,
	"updateSubscription":     nil,
	"updateFeedNotification": nil,
	"recordFeedEvent":        nil,
	"readAll":                nil,
	// A webhook's payload is any JSON object; core has the rules, which depend on the webhook.
	receiveWebhook: nil,
}

// mustHaveInputs panics if an operation has a body for which inputs does not say what rules it has.
func mustHaveInputs(c *contract) {
	for _, o := range c.operations {
		if _, ok := inputs[o.id]; o.body != nil && !ok {
			panic("httpapi: inputs has no entry for " + o.id)
		}
	}
}

// input returns the conversion of a body from which the faulty members have been removed.
func input[T any, I core.Input](from func(T) I) func(body []byte) core.Input {
	return func(body []byte) core.Input {
		var in T
		_ = json.Unmarshal(body, &in)
		return from(in)
	}
}

// waitlistInput validates an input of the waiting list.
type waitlistInput func() error

// Validate implements core.Input.
func (v waitlistInput) Validate(*core.Rules, time.Time) []core.FieldError {
	if e, ok := errors.AsType[*core.Error](v()); ok {
		return e.Fields
	}
	return nil
}

// faultless returns the body without its faulty members. json.Unmarshal would stop at a member of the wrong type, and
// would match an unknown name to a field that differs only in case.
func (f *faults) faultless(body []byte) []byte {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(body, &members)
	for _, fault := range f.list {
		name, _ := strings.CutPrefix(fault.Pointer, "#/")
		delete(members, unescapePointer.Replace(name))
	}
	if f.misshapen() {
		delete(members, "template") // a refused body must not cost the compilation of a large template
	}
	out, err := json.Marshal(members)
	if err != nil {
		panic(err) // cannot fail: the members were parsed from JSON
	}
	return out
}

// misshapen reports whether the body has members that are unknown, repeated or too long.
func (f *faults) misshapen() bool {
	return slices.ContainsFunc(f.list, func(fault core.FieldError) bool {
		return slices.Contains([]string{"unknown_field", "duplicate", "too_long"}, fault.Code)
	})
}

var unescapePointer = strings.NewReplacer("~1", "/", "~0", "~")

// merge adds the rule violations of members that have no fault yet.
func (f *faults) merge(broken []core.FieldError) {
	known := f.list
	for _, fault := range broken {
		if !slices.ContainsFunc(known, func(k core.FieldError) bool { return k.Pointer == fault.Pointer || k.Pointer == "#" }) {
			f.add(fault.Pointer, fault.Code, fault.Detail)
		}
	}
}
