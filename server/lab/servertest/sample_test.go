package servertest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/uuid"
)

// sampler makes random values that the contract and the rules of the domain allow.
type sampler struct {
	f    *fixture
	dice *rand.Rand
}

// fixed are properties that stay as a row of the table has them, because other values are not allowed in its place.
var fixed = map[string][]string{
	"createWebhook":      {"signed", "signing", "secret", "sender"}, // they depend on each other, see dependent
	"registerDevice":     {"kind", "address", "endpoint", "keys"},   // likewise
	"addIdentity":        {"kind", "provider", "email"},             // likewise
	"beginPasskeySignUp": {"operatorLink"},                          // that of a link
	"rotateWebhook":      {"what", "secret"},
	// An answer is only for a refusal.
	"answerPublisherRequest": {"status", "answer"},
	"createDraft":            {"content"}, // its importance is checked by a rule alone
	"updateDraft":            {"content"}, "createTemplate": {"content", "plan"}, "updateTemplate": {"content"},
	"correctNotification":    {"scheduledAt"}, // only before it is published
	"inviteFromWaitlist":     {"next", "emails"},
	"previewWebhook":         {"payload", "sender"},
	"updateWebhook":          {"sender"},
	"updateEventEndpoint":    {"enabled"}, // only once it is confirmed
	"addMember":              {"role"},
	"updateFeedNotification": {"snoozedUntil"},                                  // it is changed alone
	"showChannelInvitation":  {"secret"}, "acceptChannelInvitation": {"secret"}, // that of an invitation
	"updateMember": {"role"}, // nobody becomes an owner without consenting
}

// dependent are the combinations of properties that depend on each other. Those that are nil are left out.
var dependent = map[string][]map[string]any{
	"createWebhook": {
		{}, {"signed": true}, {"signed": false}, {"signing": "standard"}, {"signing": "none"}, {"signing": "bearer"},
		{"signing": "github", "secret": "a-secret-of-theirs", "sender": "github"}, {"sender": "grafana"},
		{"signing": "stripe", "secret": "whsec_a-secret-of-theirs", "sender": "stripe"},
	},
	"registerDevice":         {{}, {"kind": "fcm"}, subscription},
	"answerPublisherRequest": {{"status": "approved"}, {"status": "refused"}, {"status": "refused", "answer": "Não."}},
	"createTemplate":         plans,
	"addIdentity": {{"kind": "google"}, {"kind": "oidc", "provider": "acme"},
		{"kind": "email", "email": "ana@example.com"}},
}

// plans are those of a template whose content is ready to be published.
var plans = []map[string]any{
	{},
	{"plan": map[string]any{"makes": "notification", "weekdays": []string{"friday", "monday"}, "time": "17:00",
		"timezone": "Europe/Lisbon"}},
	{"plan": map[string]any{"makes": "notification", "monthDays": []int{1, 31}, "time": "00:00", "timezone": "UTC",
		"endsAt": "2099-12-31T12:00:00Z"}},
}

// subscription has the properties of a device with a push subscription.
var subscription = map[string]any{"kind": "webpush", "address": nil, "endpoint": "https://push.example/1",
	"keys": map[string]any{
		"p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
		"auth":   "BTBZMqHH6r4Tts7J_aSIgg",
	}}

// body returns a body like the given one with random values, and with some of its optional properties, or with all.
func (s *sampler) body(id string, schema *openapi3.Schema, given any, all bool) any {
	encoded, err := json.Marshal(given)
	if err != nil {
		s.f.t.Fatalf("encode a body: %v", err)
	}
	var body map[string]any
	if err := json.Unmarshal(encoded, &body); err != nil {
		s.f.t.Fatalf("body of %s: %v: %s", id, err, encoded)
	}
	if all := dependent[id]; len(all) > 0 {
		maps.Copy(body, all[s.dice.IntN(len(all))])
		maps.DeleteFunc(body, func(_ string, v any) bool { return v == nil })
	}
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		_, has := body[name]
		if !slices.Contains(fixed[id], name) && (all || s.dice.IntN(2) == 0) {
			if value, ok := s.property(name, schema.Properties[name].Value, has); ok {
				body[name] = value
			}
		}
	}
	if _, has := body["text"]; body["category"] == "other" && !has {
		body["text"] = s.text(schema.Properties["text"].Value, 60) // the category says nothing
	}
	if body["browser"] == true {
		delete(body, "scopes") // a browser gets a session, which has none
	}
	return body
}

// property returns a value of a property, or false if it must stay as it is.
func (s *sampler) property(name string, schema *openapi3.Schema, has bool) (value any, ok bool) {
	in := func(d time.Duration) string {
		return time.Now().Add(d + time.Duration(s.dice.IntN(3600))*time.Second).UTC().Format(time.RFC3339Nano)
	}
	switch name {
	case "slug":
		return s.f.slug(), true
	case "categoryId":
		return s.f.category, true
	case "categoryIds":
		return []any{s.f.category}, true
	case "channelId":
		return s.f.channel, true
	case "notificationIds":
		return []any{s.f.notification}, true
	case "scheduledAt", "oldExpiresAt", "mutedUntil":
		return in(time.Hour), true
	case "expiresAt":
		return in(30 * 24 * time.Hour), true
	case "template":
		body := strings.NewReplacer("{", "", "}", "", "%", "").Replace(s.text(schema, 40)) // no tags
		return map[string]any{"title": "{{ payload.title }}", "body": body}, true
	case "quietHours":
		return map[string]any{"start": "22:00", "end": "07:00"}, true
	case "digestAt":
		return fmt.Sprintf("%02d:%02d", s.dice.IntN(24), s.dice.IntN(60)), true
	case "locale":
		return []any{"pt", "en"}[s.dice.IntN(2)], true
	case "timezone":
		return []any{"Europe/Lisbon", "America/Sao_Paulo", "UTC"}[s.dice.IntN(3)], true
	case "website", "avatar", "icon", "image", "link":
		return fmt.Sprintf("https://example.com/%d?a=%%C3%%A3&b=1#c", s.dice.IntN(1000)), true
	case "externalId":
		return s.f.slug() + s.text(&openapi3.Schema{}, 20), true
	case "notifications":
		return s.notifications(schema.Items.Value), true
	case "headers":
		return map[string]any{"x-event": "e"}, true
	case "email", "publisherSlug", "userCode", "deviceCode", "challenge", "installationId", "address", "referralCode",
		"url":
		return nil, false
	}
	return s.value(schema), has || len(schema.Properties) == 0
}

func (s *sampler) notifications(schema *openapi3.Schema) (list []any) {
	for range 1 + s.dice.IntN(5) {
		list = append(list, s.body("publishNotification", schema, object{"title": "T"}, false))
	}
	return list
}

// value returns a random value of a schema.
func (s *sampler) value(schema *openapi3.Schema) any {
	switch {
	case len(schema.Enum) > 0:
		return schema.Enum[s.dice.IntN(len(schema.Enum))]
	case schema.Type.Is(openapi3.TypeString):
		return s.text(schema, 60)
	case schema.Type.Is(openapi3.TypeBoolean):
		return s.dice.IntN(2) == 0
	case schema.Type.Is(openapi3.TypeInteger):
		return s.integer(schema)
	case schema.Type.Is(openapi3.TypeArray):
		return s.list(schema)
	default:
		object := map[string]any{}
		for i := range s.dice.IntN(5) {
			object[fmt.Sprint("k", i)] = s.text(&openapi3.Schema{}, 20)
		}
		return object
	}
}

func (s *sampler) integer(schema *openapi3.Schema) int {
	low, high := 0, 1000
	if schema.Min != nil {
		low = int(*schema.Min)
	}
	if schema.Max != nil {
		high = int(*schema.Max)
	}
	return low + s.dice.IntN(high-low+1)
}

// list returns some of the values of an enumeration, each once.
func (s *sampler) list(schema *openapi3.Schema) (list []any) {
	enum := slices.Clone(schema.Items.Value.Enum)
	s.dice.Shuffle(len(enum), func(i, j int) { enum[i], enum[j] = enum[j], enum[i] })
	return enum[:1+s.dice.IntN(len(enum))]
}

// letters are what people and programs write, and what has meaning in other languages.
var letters = []rune(`abcXYZ019 çãé€ß日本🔔👩‍🚀'"\/<>&;%_$#{}()[]*=+-.,:!?|~` + "`^@")

// text returns a text of the lengths that a schema allows, most often a short one, which begins and ends visibly.
func (s *sampler) text(schema *openapi3.Schema, usual int) string {
	most := usual
	if schema.MaxLength != nil {
		if most = min(usual, int(*schema.MaxLength)); s.dice.IntN(10) == 0 {
			most = int(*schema.MaxLength)
			return "x" + strings.Repeat("é", max(0, most-1))
		}
	}
	length := max(1, int(schema.MinLength)) + s.dice.IntN(max(1, most-int(schema.MinLength)))
	text := []rune{'x'}
	for len(text) < min(length, most) {
		text = append(text, letters[s.dice.IntN(len(letters))])
	}
	return string(text)
}

// parameter returns a random text of a parameter, or false if only certain values are right.
func (s *sampler) parameter(p *openapi3.Parameter) (string, bool) {
	schema := p.Schema.Value
	switch {
	case p.Name == "cursor" || p.Name == "If-Match" || p.Name == "publisher" || p.Name == "category" ||
		p.Name == "from" || p.Name == "until" || p.Name == "interval" || strings.HasPrefix(p.Name, "webhook-"):
		return "", false
	case p.Name == "Idempotency-Key":
		return "key-" + s.f.slug(), true
	case p.Name == "Last-Event-ID":
		return fmt.Sprint(s.dice.IntN(1000)), true
	case p.Name == "q":
		return "a " + s.text(&openapi3.Schema{}, 10), true
	case p.Name == "redirect":
		return "/feed", true
	case p.Schema.Value.Format == "uuid":
		return uuid.NewString(), true
	case p.Schema.Value.Format == "email":
		return s.f.slug() + "@example.com", true
	default:
		return fmt.Sprint(s.value(schema)), true
	}
}
