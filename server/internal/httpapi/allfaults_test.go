package httpapi

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/sininho/sininho/openapi"
	"github.com/sininho/sininho/server/internal/core"
)

// allFaults has, for every operation with a body, a body that violates its schema and, where the operation has rules,
// also a rule. rules is a body that violates two rules and no schema, for operations with rules for several fields.
var allFaults = map[string]struct {
	body  string
	want  []string // pointers and codes, sorted
	rules string
	broke []string
}{
	"publishNotification": {`{"title":" ","importance":"urgent"}`, []string{"#/importance enum", "#/title blank"},
		`{"title":" ","link":"ftp://example.com"}`, []string{"#/link link", "#/title blank"}},
	"publishNotifications": {`{"notifications":[{"title":" ","importance":"urgent"},1,{"title":"a","Body":1}]}`,
		[]string{"#/notifications/0/importance enum", "#/notifications/0/title blank", "#/notifications/1 type",
			"#/notifications/2/Body unknown_field"},
		`{"notifications":[{"title":"a","externalId":"e"},{"title":" ","externalId":"e"}]}`,
		[]string{"#/notifications/1/externalId duplicate", "#/notifications/1/title blank"}},
	"correctNotification": {`{"title":" ","importance":"urgent"}`, []string{"#/importance enum", "#/title blank"},
		`{"image":"http://example.com","expiresAt":"2020-01-01T00:00:00Z"}`,
		[]string{"#/expiresAt past", "#/image link"}},
	"createChannel": {`{"publisherSlug":"metro","slug":"a","name":" "}`,
		[]string{"#/categoryId required", "#/name blank"},
		`{"slug":"a","name":" ","icon":"http://example.com"}`, []string{"#/icon link", "#/name blank"}},
	"updateChannel": {`{"name":" ","visibility":"x"}`, []string{"#/name blank", "#/visibility enum"},
		`{"name":" ","description":"\u0000"}`, []string{"#/description text", "#/name blank"}},
	"createPublisher": {`{"slug":"A","name":" "}`, []string{"#/name blank", "#/slug pattern"},
		`{"slug":"a","name":" ","website":"http://example.com"}`, []string{"#/name blank", "#/website link"}},
	"updatePublisher": {`{"name":" ","colour":1}`, []string{"#/colour unknown_field", "#/name blank"},
		`{"website":"http://example.com","avatar":"http://example.com"}`, []string{"#/avatar link", "#/website link"}},
	"createCategory": {`{"slug":"A","name":" "}`, []string{"#/name blank", "#/slug pattern"},
		`{"slug":"-","name":" "}`, []string{"#/name blank", "#/slug pattern"}},
	"updateCategory": {`{"position":"x","name":" "}`, []string{"#/name blank", "#/position type"},
		`{"slug":"-","name":" "}`, []string{"#/name blank", "#/slug pattern"}},
	"createChannelInvitation": {`{"maxUses":0,"expiresAt":"2020-01-01T00:00:00Z"}`,
		[]string{"#/expiresAt past", "#/maxUses minimum"},
		`{"expiresAt":"2020-01-01T00:00:00Z"}`, []string{"#/expiresAt past"}},
	"showChannelInvitation":   {`{"secret":1,"x":1}`, []string{"#/secret type", "#/x unknown_field"}, "", nil},
	"acceptChannelInvitation": {`{"secret":1,"x":1}`, []string{"#/secret type", "#/x unknown_field"}, "", nil},
	"createMembershipInvitation": {`{"email":"x","role":"y"}`, []string{"#/email format", "#/role enum"},
		`{"email":"ana@exâmple.com","role":"owner"}`, []string{"#/email email"}},
	"addMember":        {`{"email":"x","role":"y"}`, []string{"#/email format", "#/role enum"}, "", nil},
	"suspendChannel":   {`{"reason":" ","x":1}`, []string{"#/reason blank", "#/x unknown_field"}, "", nil},
	"setStorageQuota":  {`{"quotaBytes":-1,"x":1}`, []string{"#/quotaBytes minimum", "#/x unknown_field"}, "", nil},
	"suspendPublisher": {`{"reason":" ","x":1}`, []string{"#/reason blank", "#/x unknown_field"}, "", nil},
	"suspendSubscriber": {`{"reason":" ","x":1}`,
		[]string{"#/reason blank", "#/x unknown_field"}, "", nil},
	"withdrawByOperator": {`{"reason":" ","x":1}`,
		[]string{"#/reason blank", "#/x unknown_field"}, "", nil},
	"reportChannel": {`{"category":"other","x":1}`, []string{"#/text blank", "#/x unknown_field"}, "", nil},
	"reportNotification": {`{"category":"other","x":1}`,
		[]string{"#/text blank", "#/x unknown_field"}, "", nil},
	"closeReport": {`{"status":"open","x":1}`, []string{"#/status enum", "#/x unknown_field"}, "", nil},
	"requestPublisher": {`{"slug":"A","name":" ","reason":1}`,
		[]string{"#/name blank", "#/reason type", "#/slug pattern"}, "", nil},
	"answerPublisherRequest": {`{"status":"pending","x":1}`, []string{"#/status enum", "#/x unknown_field"},
		`{"status":"approved","answer":"x"}`, []string{"#/answer unexpected"}},
	"updateMember": {`{"role":"y","x":1}`, []string{"#/role enum", "#/x unknown_field"}, "", nil},
	"createApiKey": {`{"name":" ","scopes":[]}`, []string{"#/name blank", "#/scopes too_few"},
		`{"name":" ","expiresAt":"2020-01-01T00:00:00Z"}`, []string{"#/expiresAt past", "#/name blank"}},
	"rotateApiKey": {`{"oldExpiresAt":1,"x":1}`, []string{"#/oldExpiresAt type", "#/x unknown_field"}, "", nil},
	"createEventEndpoint": {`{"url":"https://10.0.0.1","name":"n","events":["x"]}`,
		[]string{"#/events/0 enum", "#/url private"},
		`{"url":"https://10.0.0.1","name":" "}`, []string{"#/name blank", "#/url private"}},
	"updateEventEndpoint": {`{"url":"https://10.0.0.1","enabled":1}`, []string{"#/enabled type", "#/url private"},
		`{"url":"https://10.0.0.1","name":" "}`, []string{"#/name blank", "#/url private"}},
	"confirmEventEndpoint": {`{"challenge":"","x":1}`,
		[]string{"#/challenge too_short", "#/x unknown_field"}, "", nil},
	"createDraft": {`{"content":{"title":1,"link":"\u0000"}}`,
		[]string{"#/content/link text", "#/content/title type"}, "", nil},
	"updateDraft": {`{"content":{"importance":"x","scheduledAt":1}}`,
		[]string{"#/content/importance enum", "#/content/scheduledAt type"}, "", nil},
	"createTemplate": {`{"name":" ","content":{},"x":1}`, []string{"#/name blank", "#/x unknown_field"},
		`{"name":" ","content":{"importance":"x"}}`, []string{"#/content/importance enum", "#/name blank"}},
	"updateTemplate": {`{"name":" ","x":1}`, []string{"#/name blank", "#/x unknown_field"},
		`{"name":" ","content":{"importance":"x"}}`, []string{"#/content/importance enum", "#/name blank"}},
	"createWebhook": {`{"name":" ","sender":"x"}`, []string{"#/name blank", "#/sender enum"},
		`{"name":" ","signing":"none","secret":"12345678"}`, []string{"#/name blank", "#/secret exclusive"}},
	"updateWebhook": {`{"name":" ","sender":"x"}`, []string{"#/name blank", "#/sender enum"},
		`{"name":" ","template":{"title":"{{"}}`, []string{"#/name blank", "#/template/title template"}},
	"rotateWebhook": {`{"what":"address","secret":"12345678","x":1}`,
		[]string{"#/secret exclusive", "#/x unknown_field"}, "", nil},
	"previewWebhook": {`{"sender":"x","payload":{},"template":{"title":"{{"}}`,
		[]string{"#/sender enum", "#/template/title template"},
		`{"payload":{},"template":{"title":"{{","body":"{{"}}`,
		[]string{"#/template/body template", "#/template/title template"}},
	"registerDevice": {`{"installationId":"installation","kind":"x","address":"a","platform":"web","name":" "}`,
		[]string{"#/kind enum", "#/name blank"}, "", nil},
	"renameDevice":        {`{"name":" ","x":1}`, []string{"#/name blank", "#/x unknown_field"}, "", nil},
	"beginDeviceSignIn":   {`{"clientName":" ","x":1}`, []string{"#/clientName blank", "#/x unknown_field"}, "", nil},
	beginEmailSignIn:      {`{"email":"ana at home","x":1}`, []string{"#/email email", "#/x unknown_field"}, "", nil},
	"finishEmailSignIn":   {`{"code":1,"x":1}`, []string{"#/code type", "#/x unknown_field"}, "", nil},
	"beginPasskeySignIn":  {`{"redirect":1,"x":1}`, []string{"#/redirect type", "#/x unknown_field"}, "", nil},
	"finishPasskeySignIn": {`{"credential":1,"x":1}`, []string{"#/credential type", "#/x unknown_field"}, "", nil},
	beginPasskeySignUp:    {`{"name":" ","x":1}`, []string{"#/name blank", "#/x unknown_field"}, "", nil},
	"finishPasskeySignUp": {`{"credential":1,"x":1}`, []string{"#/credential type", "#/x unknown_field"}, "", nil},
	"addPasskey":          {`{"name":" ","credential":1}`, []string{"#/credential type", "#/name blank"}, "", nil},
	"renamePasskey":       {`{"name":" ","x":1}`, []string{"#/name blank", "#/x unknown_field"}, "", nil},
	"addIdentity": {`{"kind":"email","email":"ana at home","redirect":1}`,
		[]string{"#/email email", "#/redirect type"}, "", nil},
	"updateMe": {`{"timezone":"Lisboa","bellDefault":"x"}`, []string{"#/bellDefault enum", "#/timezone timezone"},
		`{"timezone":"Lisboa","quietHours":{"start":"22:00","end":"22:00"}}`,
		[]string{"#/quietHours/end empty", "#/timezone timezone"}},
	"createAccessToken": {`{"name":" ","x":1}`, []string{"#/name blank", "#/x unknown_field"},
		`{"name":" ","expiresAt":"2020-01-01T00:00:00Z"}`, []string{"#/expiresAt past", "#/name blank"}},
	"approveDeviceSignIn": {`{"approve":1}`, []string{"#/approve type", "#/userCode required"}, "", nil},
	"takeDeviceToken": {`{"deviceCode":"","x":1}`,
		[]string{"#/deviceCode too_short", "#/x unknown_field"}, "", nil},
	"takeDeviceSession": {`{"deviceCode":"","x":1}`,
		[]string{"#/deviceCode too_short", "#/x unknown_field"}, "", nil},
	"saveOnboarding": {`{"step":"x","categoryIds":[1]}`,
		[]string{"#/categoryIds/0 type", "#/step enum"}, "", nil},
	"updateSubscription": {`{"bell":"x","mutedUntil":1}`, []string{"#/bell enum", "#/mutedUntil type"}, "", nil},
	"updateFeedNotification": {`{"read":1,"archived":1,"snoozedUntil":1}`,
		[]string{"#/archived type", "#/read type", "#/snoozedUntil type"}, "", nil},
	"recordFeedEvent": {`{"type":"x","y":1}`, []string{"#/type enum", "#/y unknown_field"}, "", nil},
	"recordDisplayed": {`{"notificationIds":["x"],"y":1}`,
		[]string{"#/notificationIds/0 format", "#/y unknown_field"}, "", nil},
	"readAll": {`{"channelId":"x","y":1}`, []string{"#/channelId format", "#/y unknown_field"}, "", nil},
	"receiveWebhook": {`{"title":" ","data":1,"link":"x"}`,
		[]string{"#/title blank"}, "", nil}, // its sender cannot correct the others
	"joinWaitlist": {`{"email":"x","name":" "}`,
		[]string{"#/email pattern", "#/email too_short", "#/name blank"}, "", nil},
	"inviteFromWaitlist": {`{"next":0,"emails":[1]}`,
		[]string{"# too_many", "#/emails/0 type", "#/next minimum"}, "", nil},
}

// TestAllFaultsAtOnce posts a body with faults of both kinds to every operation with a body.
func TestAllFaultsAtOnce(t *testing.T) {
	w := newWorld(t)
	paths := strings.NewReplacer("{publisherSlug}", "metro", "{channelSlug}", "linhas")
	for _, document := range [][]byte{openapi.Sininho, openapi.Waitlist} {
		for key, op := range readContract(document).operations {
			if op.body == nil {
				continue
			}
			test, ok := allFaults[op.id]
			if !ok {
				t.Errorf("allFaults has no entry for %s", op.id)
				continue
			}
			method, path, _ := strings.Cut(key, " ")
			path = paths.Replace(path)
			if op.id == receiveWebhook {
				path = strings.Replace(path, "{id}", w.webhook("open", ""), 1)
			}
			for _, id := range []string{"{id}", "{deliveryID}"} {
				path = strings.Replace(path, id, anID, 1)
			}
			credential := signedIn
			if op.bearer {
				credential = w.bearer()
			}
			problem := w.send(method, prefix+path, test.body, credential).problem()
			var got []string
			for _, e := range problem.Errors {
				got = append(got, e.Pointer+" "+e.Code)
			}
			if slices.Sort(got); !slices.Equal(got, test.want) {
				t.Errorf("faults of %s for %s: got %q, want %q", op.id, test.body, got, test.want)
			}
		}
	}
}

// TestAllRulesAtOnce validates bodies that break two rules.
func TestAllRulesAtOnce(t *testing.T) {
	w := newWorld(t)
	for id, test := range allFaults {
		if test.rules == "" {
			continue
		}
		var got []string
		for _, f := range inputsOf(w)[id]([]byte(test.rules)).Validate(w.config.Rules, w.now) {
			got = append(got, fmt.Sprint(f.Pointer, " ", f.Code))
		}
		if slices.Sort(got); !slices.Equal(got, test.broke) {
			t.Errorf("faults of %s for %s: got %q, want %q", test.rules, id, got, test.broke)
		}
	}
}

// inputsOf returns the inputs of both contracts.
func inputsOf(w *world) map[string]func(body []byte) core.Input {
	all := maps.Clone(inputs)
	maps.Copy(all, w.config.Waitlist.Inputs())
	return all
}

// TestInputsMustHaveAllOperations expects a panic when an operation with a body is missing from inputs.
func TestInputsMustHaveAllOperations(t *testing.T) {
	c := readContract(openapi.Sininho)
	c.operations["POST /new"] = &operation{id: "new", body: c.operations["POST /channels"].body}
	defer func() {
		if recover() == nil {
			t.Error("mustHaveInputs with an unknown operation: got no panic, want one")
		}
	}()
	mustHaveInputs(c, inputs)
}
