package httpapi

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/handler"
)

// inputs converts the bodies of the operations of the main contract to inputs of core, which have the rules. A body
// that violates its schema is validated here, so that schema and rule violations are reported together; core validates
// every other body.
var inputs = map[string]func(body []byte) core.Input{
	"publishNotification":        handler.Input(fromAPINotificationInput),
	publishNotifications:         handler.Input(fromAPINotificationBatch),
	"correctNotification":        handler.Input(fromAPINotificationPatch),
	"createDraft":                handler.Input(fromAPIDraftInput),
	"updateDraft":                handler.Input(fromAPIDraftInput),
	"createTemplate":             handler.Input(fromAPITemplateInput),
	"updateTemplate":             handler.Input(fromAPITemplatePatch),
	"createChannel":              handler.Input(fromAPIChannelInput),
	"updateChannel":              handler.Input(fromAPIChannelPatch),
	"createPublisher":            handler.Input(fromAPIPublisherInput),
	"updatePublisher":            handler.Input(fromAPIPublisherPatch),
	"requestPublisher":           handler.Input(fromAPIPublisherRequestInput),
	"answerPublisherRequest":     handler.Input(fromAPIPublisherRequestPatch),
	"createCategory":             handler.Input(fromAPICategoryInput),
	"updateCategory":             handler.Input(fromAPICategoryPatch),
	"createChannelInvitation":    handler.Input(fromAPIChannelInvitationInput),
	"createMembershipInvitation": handler.Input(fromAPIMembershipInvitationInput),
	"createApiKey":               handler.Input(fromAPIAPIKeyInput),
	"rotateApiKey":               handler.Input(fromAPIAPIKeyRotation),
	"createAccessToken":          handler.Input(fromAPIAccessTokenInput),
	"createWebhook":              handler.Input(fromAPIWebhookInput),
	"updateWebhook":              handler.Input(fromAPIWebhookPatch),
	"rotateWebhook":              handler.Input(fromAPIWebhookRotation),
	"previewWebhook":             handler.Input(fromAPIWebhookPreviewInput),
	"createEventEndpoint":        handler.Input(fromAPIEventEndpointInput),
	"updateEventEndpoint":        handler.Input(fromAPIEventEndpointPatch),
	"registerDevice":             handler.Input(fromAPIDeviceInput),
	"renameDevice":               handler.Input(fromAPIDevicePatch),
	"beginDeviceSignIn":          handler.Input(fromAPIDeviceSignInInput),
	beginEmailSignIn:             handler.Input(fromAPIEmailSignInInput),
	"addIdentity":                handler.Input(fromAPIIdentityInput),
	beginPasskeySignUp:           handler.Input(fromAPIPasskeySignUpInput),
	"addPasskey":                 handler.Input(fromAPIPasskeyInput),
	"renamePasskey":              handler.Input(fromAPIPasskeyPatch),
	"updateMe":                   handler.Input(fromAPISubscriberPatch),
	"suspendChannel":             handler.Input(fromAPISuspensionInput),
	"suspendPublisher":           handler.Input(fromAPISuspensionInput),
	"setStorageQuota":            handler.Input(fromAPIStorageQuotaInput),
	"suspendSubscriber":          handler.Input(fromAPISuspensionInput),
	"withdrawByOperator":         handler.Input(fromAPISuspensionInput),
	"reportChannel":              handler.Input(fromAPIReportInput),
	"reportNotification":         handler.Input(fromAPIReportInput),

	// The contract has all rules of these.
	"confirmEventEndpoint":    nil,
	"approveDeviceSignIn":     nil,
	"finishEmailSignIn":       nil,
	"beginPasskeySignIn":      nil,
	"finishPasskeySignIn":     nil,
	"finishPasskeySignUp":     nil,
	"takeDeviceToken":         nil,
	takeDeviceSession:         nil,
	"addMember":               nil,
	"updateMember":            nil,
	"showChannelInvitation":   nil,
	"acceptChannelInvitation": nil,
	"saveOnboarding":          nil,
	"updateSubscription":      nil,
	"updateFeedNotification":  nil,
	"recordDisplayed":         nil,
	"recordFeedEvent":         nil,
	"readAll":                 nil,
	"closeReport":             nil,
	// A webhook's payload is any JSON object; core has the rules, which depend on the webhook.
	receiveWebhook: nil,
}

// mustHaveInputs panics if an operation with a body is missing from inputs.
func mustHaveInputs(c *contract, inputs map[string]func(body []byte) core.Input) {
	for _, o := range c.operations {
		if _, ok := inputs[o.id]; o.body != nil && !ok {
			panic("httpapi: inputs has no entry for " + o.id)
		}
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
	if f.malformed() {
		delete(members, "template") // a refused body must not cost the compilation of a large template
	}
	out, err := json.Marshal(members)
	if err != nil {
		panic(err) // cannot fail: the members were parsed from JSON
	}
	return out
}

// malformed reports whether the body has members that are unknown, repeated or too long.
func (f *faults) malformed() bool {
	return slices.ContainsFunc(f.list, func(fault core.FieldError) bool {
		return slices.Contains([]string{"unknown_field", "duplicate", "too_long"}, fault.Code)
	})
}

var unescapePointer = strings.NewReplacer("~1", "/", "~0", "~")

// merge adds the rule violations of members that have no fault yet, and are not part of one that has.
func (f *faults) merge(broken []core.FieldError) {
	known := f.list
	for _, fault := range broken {
		if !slices.ContainsFunc(known,
			func(k core.FieldError) bool { return strings.HasPrefix(fault.Pointer+"/", k.Pointer+"/") }) {
			f.add(fault.Pointer, fault.Code, fault.Detail)
		}
	}
}
