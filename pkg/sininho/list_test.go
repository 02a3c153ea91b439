//go:build go1.26

package sininho_test

import (
	"encoding/json"
	"errors"
	"iter"
	"reflect"
	"strings"
	"testing"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/sininho/sininhotest"
)

func lastError[T any](seq iter.Seq2[T, error]) (last error) {
	for _, err := range seq {
		last = err
	}
	return last
}

func TestListStopsFetchingWithTheLoop(t *testing.T) {
	server := sininhotest.New(t)
	client := server.Client()
	for range 3 {
		if _, err := client.Notifications.Publish(t.Context(), channel, sininho.PublishInput{Title: "Um"}); err != nil {
			t.Fatalf("publish: %v", err)
		}
	}
	before := len(server.Requests())
	for _, err := range client.Notifications.List(t.Context(), channel, sininho.ListOptions{PageSize: 1}) {
		if err != nil {
			t.Errorf("list: %v", err)
		}
		break
	}
	equal(t, "requests of a loop that ends at its first item", len(server.Requests())-before, 1)
}

func TestParseAddress(t *testing.T) {
	long := strings.Repeat("a", 63)
	for _, good := range []string{"demo/novidades", "a/b", "a-1/2-b", long + "/" + long} {
		a, err := sininho.ParseAddress(good)
		if err != nil {
			t.Errorf("ParseAddress(%q): %v", good, err)
			continue
		}
		equal(t, "text of the address", a.String(), good)
	}
	for _, bad := range []string{
		"", "demo", "demo/", "/x", "a/b/c", "A/b", "a/-b", "a/b-", "a/b--c", "a/ção", "../x", "a b/c", long + "a/b",
	} {
		if _, err := sininho.ParseAddress(bad); !errors.Is(err, sininho.ErrInvalid) {
			t.Errorf("ParseAddress(%q): got the error %v, want %v", bad, err, sininho.ErrInvalid)
		}
	}
}

// The types of this package are decoded directly from responses, so they must have exactly the
// fields of the contract.
func TestTypesMatchTheContract(t *testing.T) {
	for _, pair := range [][2]any{
		{sininho.Notification{}, api.Notification{}}, {sininho.Channel{}, api.Channel{}},
		{sininho.ChannelRef{}, api.ChannelRef{}}, {sininho.PublisherRef{}, api.PublisherRef{}},
		{sininho.FollowerDay{}, api.FollowerDay{}},
		{sininho.Category{}, api.Category{}}, {sininho.CategoryRef{}, api.CategoryRef{}},
		{sininho.Caller{}, api.Auth{}}, {sininho.Subscriber{}, api.Subscriber{}},
		{sininho.SignInMethod{}, api.SignInMethod{}}, {sininho.PublishInput{}, api.NotificationInput{}},
		{sininho.Publisher{}, api.Publisher{}}, {sininho.Member{}, api.Member{}},
		{sininho.MembershipInvitation{}, api.MembershipInvitation{}}, {sininho.Inviter{}, api.Inviter{}},
		{sininho.ReceivedInvitation{}, api.ReceivedMembershipInvitation{}},
		{sininho.APIKey{}, api.APIKey{}}, {sininho.APIKeySecret{}, api.APIKeySecret{}},
		{sininho.Webhook{}, api.Webhook{}}, {sininho.WebhookSecret{}, api.WebhookSecret{}},
		{sininho.WebhookTemplate{}, api.WebhookTemplate{}}, {sininho.WebhookPreview{}, api.WebhookPreview{}},
		{sininho.RenderedNotification{}, api.RenderedNotification{}},
		{sininho.WebhookEvent{}, api.WebhookEvent{}}, {sininho.WebhookEventDetail{}, api.WebhookEventDetail{}},
		{sininho.Deliveries{}, api.Deliveries{}}, {sininho.ChannelDeliveries{}, api.ChannelDeliveries{}},
		{sininho.ChannelAudience{}, api.ChannelAudience{}},
		{sininho.DeliveryInterval{}, api.DeliveryInterval{}}, {sininho.DeliveryCounts{}, api.DeliveryCounts{}},
		{sininho.EventEndpoint{}, api.EventEndpoint{}}, {sininho.EventEndpointSecret{}, api.EventEndpointSecret{}},
		{sininho.EventDelivery{}, api.EventDelivery{}}, {sininho.EventDeliveryDetail{}, api.EventDeliveryDetail{}},
		{sininho.EventAttempt{}, api.EventAttempt{}},
		{sininho.EndpointEvent{}, api.Event{}}, {sininho.EndpointEventData{}, api.EventData{}},
		{sininho.AccessToken{}, api.AccessToken{}}, {sininho.AccessTokenSecret{}, api.AccessTokenSecret{}},
		{sininho.DeviceSignIn{}, api.DeviceSignIn{}}, {sininho.DeviceToken{}, api.DeviceToken{}},
		{sininho.QuietHours{}, api.QuietHours{}}, {sininho.Onboarding{}, api.Onboarding{}},
		{sininho.Subscription{}, api.Subscription{}},
		{sininho.Suspension{}, api.Suspension{}}, {sininho.Account{}, api.Account{}},
		{sininho.Report{}, api.Report{}}, {sininho.Reporter{}, api.Reporter{}},
		{sininho.AuditEntry{}, api.AuditEntry{}}, {sininho.AuditActor{}, api.AuditActor{}},
		{sininho.AuditObject{}, api.AuditObject{}},
		{sininho.Device{}, api.Device{}}, {sininho.DeviceTest{}, api.DeviceTest{}},
	} {
		got, want := members(pair[0]), members(pair[1])
		if _, ok := pair[0].(sininho.Notification); ok {
			delete(want, "adjusted") // only in the response to a text or form, and the SDK publishes JSON
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("members of %T: got %v, want those of the contract, %v", pair[0], got, want)
		}
	}
}

func members(value any) map[string]bool {
	names := map[string]bool{}
	for _, field := range reflect.VisibleFields(reflect.TypeOf(value)) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name != "-" && !field.Anonymous {
			names[name] = true
		}
	}
	return names
}

func TestNotificationInJSONLeavesOutWhatIsAbsent(t *testing.T) {
	text, err := json.Marshal(sininho.Notification{Title: "Um"})
	if err != nil {
		t.Fatalf("marshal: %v", err)
	}
	for _, member := range []string{"At", "link"} {
		if strings.Contains(string(text), member) {
			t.Errorf("JSON of a notification with only a title: got %s, want no %q", text, member)
		}
	}
}
