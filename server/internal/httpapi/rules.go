package httpapi

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/pkg/waitlistapi"
	"github.com/sininho/sininho/server/internal/core"
)

// rulesOfBodies returns the rules for the bodies of operations. They are applied to a body that violates its schema, so
// that schema and rule violations are reported together. A body that matches its schema is validated where it is used.
func (a *server) rulesOfBodies() map[string]func(body []byte) error {
	return map[string]func([]byte) error{
		"publishNotification": rule(func(in api.NotificationInput) error {
			return fromAPINotificationInput(in).Validate(a.Notifications.Links, a.Now())
		}),
		"correctNotification": rule(func(in api.NotificationPatch) error {
			return fromAPINotificationPatch(in).Validate(a.Notifications.Links, a.Now())
		}),
		"createChannel":     rule(func(in api.ChannelInput) error { return fromAPIChannelInput(in).Validate(a.Channels.Links) }),
		"updateChannel":     rule(func(in api.ChannelPatch) error { return fromAPIChannelPatch(in).Validate(a.Channels.Links) }),
		"createPublisher":   rule(func(in api.PublisherInput) error { return fromAPIPublisherInput(in).Validate(a.Publishers.Links) }),
		"updatePublisher":   rule(func(in api.PublisherPatch) error { return fromAPIPublisherPatch(in).Validate(a.Publishers.Links) }),
		"createApiKey":      rule(func(in api.APIKeyInput) error { return fromAPIAPIKeyInput(in).Validate(a.Now()) }),
		"createAccessToken": rule(func(in api.AccessTokenInput) error { return fromAPIAccessTokenInput(in).Validate(a.Now()) }),
		"createWebhook":     rule(func(in api.WebhookInput) error { return fromAPIWebhookInput(in).Validate(a.Webhooks.Templates) }),
		"updateWebhook":     rule(func(in api.WebhookPatch) error { return fromAPIWebhookPatch(in).Validate(a.Webhooks.Templates) }),
		"createEventEndpoint": rule(func(in api.EventEndpointInput) error {
			return fromAPIEventEndpointInput(in).Validate(a.EventEndpoints.Rules)
		}),
		"updateEventEndpoint": rule(func(in api.EventEndpointPatch) error {
			return fromAPIEventEndpointPatch(in).Validate(a.EventEndpoints.Rules)
		}),
		joinWaitlist:         rule(func(in waitlistapi.WaitlistEntryInput) error { return fromAPIWaitlistEntryInput(in).Validate() }),
		"inviteFromWaitlist": rule(func(in waitlistapi.InvitationInput) error { return fromAPIInvitationInput(in).Validate() }),
		"registerDevice":     rule(func(in api.DeviceInput) error { return fromAPIDeviceInput(in).Validate() }),
		"updateMe":           rule(func(in api.SubscriberPatch) error { return fromAPISubscriberPatch(in).Validate() }),
	}
}

// rule returns a check of a body from which the faulty members have been removed.
func rule[T any](check func(T) error) func(body []byte) error {
	return func(body []byte) error {
		var in T
		_ = json.Unmarshal(body, &in)
		return check(in)
	}
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

// rule adds the rule violations of members that have no fault yet.
func (f *faults) rule(err error) {
	broken, ok := errors.AsType[*core.Error](err)
	if !ok {
		return
	}
	told := f.list
	for _, fault := range broken.Fields {
		if !slices.ContainsFunc(told, func(t core.FieldError) bool { return t.Pointer == fault.Pointer || t.Pointer == "#" }) {
			f.add(fault.Pointer, fault.Code, fault.Detail)
		}
	}
}
