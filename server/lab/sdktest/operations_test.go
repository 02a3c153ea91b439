package sdktest_test

import (
	"context"
	"io"
	"iter"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers/legacy"

	"github.com/sininho/sininho/openapi"
	"github.com/sininho/sininho/pkg/sininho"
)

// ofOthers lists the operations that no client of package sininho calls, and who calls them.
var ofOthers = map[string]string{
	"signInWithGoogle":     "a browser's",
	"finishGoogleSignIn":   "a browser's",
	"signInWithProvider":   "a browser's",
	"finishProviderSignIn": "a browser's",
	"signInAnonymously":    "a browser's",
	"beginEmailSignIn":     "a browser's",
	"finishEmailSignIn":    "a browser's",
	"takeDeviceSession":    "a browser's",
	"beginPasskeySignIn":   "a browser's",
	"finishPasskeySignIn":  "a browser's",
	"beginPasskeySignUp":   "a browser's",
	"finishPasskeySignUp":  "a browser's",
	"listPasskeys":         "a browser's",
	"beginAddingPasskey":   "a browser's",
	"addPasskey":           "a browser's",
	"renamePasskey":        "a browser's",
	"removePasskey":        "a browser's",
	"addIdentity":          "a browser's",
	"removeIdentity":       "a browser's",
	"getDeviceSignIn":      "the web app's, where a person confirms with their session",
	"approveDeviceSignIn":  "the web app's, where a person confirms with their session",
	"addMember":            "that of older clients: it adds nobody",
	"receiveWebhook":       "the sender's, who has a secret and no credential: package webhook signs",
}

// testEveryOperationIsReached calls each method and checks that every operation of the contracts was requested.
func testEveryOperationIsReached(t *testing.T, f *fixture) {
	doc, err := openapi3.NewLoader().LoadFromData(openapi.Sininho)
	if err != nil {
		t.Fatalf("load the contract: %v", err)
	}
	waitlist, err := openapi3.NewLoader().LoadFromData(openapi.Waitlist)
	if err != nil {
		t.Fatalf("load the contract: %v", err)
	}
	for path, item := range waitlist.Paths.Map() {
		doc.Paths.Set(path, item)
	}
	doc.Servers = openapi3.Servers{{URL: "/api/v1"}}
	router, err := legacy.NewRouter(doc)
	if err != nil {
		t.Fatalf("route the contract: %v", err)
	}
	callEverything(t.Context(), f.owner)
	reached := map[string]bool{}
	for _, request := range f.recorded() {
		parts := strings.SplitN(request, " ", 3)
		route, _, err := router.FindRoute(httptest.NewRequest(parts[0], parts[1], nil))
		if err != nil {
			t.Errorf("%s %s is not an operation", parts[0], parts[1])
			continue
		}
		reached[route.Operation.OperationID] = true
	}
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			id := operation.OperationID
			if reached[id] == (ofOthers[id] != "") {
				t.Errorf("%s (%s %s): reached %v, of others %q", id, method, path, reached[id], ofOthers[id])
			}
		}
	}
}

// callEverything calls each method that sends a request. Most of the resources that it requests do not exist.
func callEverything(ctx context.Context, c *sininho.Client) {
	const (
		nowhere = "demo/nada"
		id      = "0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f"
	)
	each(c.Notifications.List(ctx, nowhere, sininho.ListOptions{}))
	each(c.Notifications.Scheduled(ctx, nowhere))
	each(c.Notifications.Stream(ctx, nowhere, sininho.StreamOptions{}))
	_, _ = c.Notifications.Publish(ctx, nowhere, sininho.PublishInput{Title: "Um"})
	_, _ = c.Notifications.PublishBatch(ctx, nowhere, []sininho.PublishInput{{Title: "Um"}})
	_, _ = c.Notifications.Get(ctx, nowhere, id)
	_, _ = c.Notifications.Correct(ctx, nowhere, id, sininho.Correction{Title: new("Dois")})
	_ = c.Notifications.Withdraw(ctx, nowhere, id)
	_, _ = c.Notifications.Deliveries(ctx, nowhere, id)

	each(c.Channels.List(ctx, sininho.ChannelListOptions{}))
	_, _ = c.Channels.Create(ctx, nowhere, sininho.ChannelInput{Name: "Nada", CategoryID: id})
	_, _ = c.Channels.Get(ctx, nowhere)
	_, _ = c.Channels.Update(ctx, nowhere, sininho.ChannelUpdate{Name: new("Nada")})
	_ = c.Channels.Delete(ctx, nowhere)
	_, _ = c.Channels.Followers(ctx, nowhere, 0)
	_, _ = c.Channels.Deliveries(ctx, nowhere, sininho.DeliveriesOptions{})

	each(c.Categories.List(ctx))
	_, _ = c.Categories.Create(ctx, "nada", sininho.CategoryInput{Name: "Nada"})
	_, _ = c.Categories.Get(ctx, id)
	_, _ = c.Categories.Update(ctx, id, sininho.CategoryUpdate{Name: new("Nada")})
	_ = c.Categories.Delete(ctx, id)

	each(c.Publishers.List(ctx, sininho.PublisherListOptions{}))
	_, _ = c.Publishers.Create(ctx, "metro", sininho.PublisherInput{Name: "Metro"})
	_, _ = c.Publishers.Get(ctx, "nada")
	_, _ = c.Publishers.Storage(ctx, "nada")
	_, _ = c.Publishers.UploadPicture(ctx, "nada", strings.NewReader("GIF89a"))
	_, _ = c.Publishers.Update(ctx, "nada", sininho.PublisherUpdate{Name: new("Nada")})
	_ = c.Publishers.Delete(ctx, "nada")
	each(c.Members.List(ctx, "nada"))
	_, _ = c.Members.Update(ctx, "nada", id, sininho.Owner)
	_ = c.Members.Remove(ctx, "nada", id)
	_ = c.Members.Leave(ctx, "nada")

	each(c.ChannelInvitations.List(ctx, "nada/nada"))
	_, _ = c.ChannelInvitations.Create(ctx, "nada/nada", sininho.ChannelInvitationInput{})
	_ = c.ChannelInvitations.Revoke(ctx, "nada/nada", id)
	_, _ = c.ChannelInvitations.Show(ctx, "nada")
	_, _ = c.ChannelInvitations.Accept(ctx, "nada")
	each(c.ChannelMembers.List(ctx, "nada/nada", sininho.MemberJoined))
	_, _ = c.ChannelMembers.Approve(ctx, "nada/nada", id)
	_ = c.ChannelMembers.Remove(ctx, "nada/nada", id)
	each(c.MembershipInvitations.List(ctx, "nada"))
	_, _ = c.MembershipInvitations.Create(ctx, "nada", "bia@example.com", sininho.Editor)
	_ = c.MembershipInvitations.Withdraw(ctx, "nada", id)
	each(c.MembershipInvitations.Received(ctx))
	_, _ = c.MembershipInvitations.Accept(ctx, id)
	_ = c.MembershipInvitations.Decline(ctx, id)
	each(c.APIKeys.List(ctx, "nada"))
	_, _ = c.APIKeys.Create(ctx, "nada", sininho.APIKeyInput{Name: "CI", Scopes: []sininho.Scope{sininho.ScopeRead}})
	_, _ = c.APIKeys.Rotate(ctx, "nada", id, time.Time{})
	_ = c.APIKeys.Revoke(ctx, "nada", id)

	each(c.Drafts.List(ctx, nowhere))
	_, _ = c.Drafts.Create(ctx, nowhere, sininho.PublishInput{Title: "Um"})
	_, _ = c.Drafts.Get(ctx, nowhere, id)
	_, _ = c.Drafts.Update(ctx, nowhere, id, sininho.PublishInput{})
	_ = c.Drafts.Delete(ctx, nowhere, id)
	each(c.Templates.List(ctx, nowhere))
	_, _ = c.Templates.Create(ctx, nowhere, sininho.TemplateInput{})
	_, _ = c.Templates.Get(ctx, nowhere, id)
	_, _ = c.Templates.Update(ctx, nowhere, id, sininho.TemplateUpdate{Name: new("Dois")})
	_ = c.Templates.Delete(ctx, nowhere, id)

	each(c.Webhooks.List(ctx, nowhere))
	_, _ = c.Webhooks.Create(ctx, nowhere, sininho.WebhookInput{Name: "CI"})
	_, _ = c.Webhooks.Preview(ctx, nowhere, sininho.WebhookPreviewInput{Payload: []byte(`{"title":"Um"}`)})
	_, _ = c.Webhooks.Get(ctx, nowhere, id)
	_, _ = c.Webhooks.Update(ctx, nowhere, id, sininho.WebhookUpdate{Name: new("CD")})
	_ = c.Webhooks.Delete(ctx, nowhere, id)
	_, _ = c.Webhooks.RotateSecret(ctx, nowhere, id, "")
	each(c.Webhooks.Events(ctx, nowhere, id))
	_, _ = c.Webhooks.Event(ctx, nowhere, id, "evt_1")
	_, _ = c.Webhooks.Replay(ctx, nowhere, id, "evt_1")

	each(c.EventEndpoints.List(ctx, "nada"))
	_, _ = c.EventEndpoints.Create(ctx, "nada", sininho.EventEndpointInput{URL: "https://example.com", Name: "Painel"})
	_, _ = c.EventEndpoints.Get(ctx, "nada", id)
	_, _ = c.EventEndpoints.Update(ctx, "nada", id, sininho.EventEndpointUpdate{Enabled: new(true)})
	_ = c.EventEndpoints.Delete(ctx, "nada", id)
	_, _ = c.EventEndpoints.Rotate(ctx, "nada", id)
	_, _ = c.EventEndpoints.Challenge(ctx, "nada", id)
	_, _ = c.EventEndpoints.Confirm(ctx, "nada", id, "x")
	_, _ = c.EventEndpoints.Test(ctx, "nada", id)
	each(c.EventEndpoints.Deliveries(ctx, "nada", id, ""))
	_, _ = c.EventEndpoints.Delivery(ctx, "nada", id, id)
	_, _ = c.EventEndpoints.Resend(ctx, "nada", id, id)

	each(c.Subscriptions.List(ctx))
	_, _ = c.Subscriptions.Follow(ctx, id)
	_, _ = c.Subscriptions.Update(ctx, id, sininho.SubscriptionUpdate{Bell: new(sininho.BellNone)})
	_ = c.Subscriptions.Unfollow(ctx, id)
	each(c.Feed.List(ctx, sininho.FeedListOptions{}))
	_, _ = c.Feed.Get(ctx, id)
	_, _ = c.Feed.MarkRead(ctx, id)
	_ = c.Feed.RecordDisplayed(ctx, id)
	_ = c.Feed.RecordOpened(ctx, id)
	_ = c.Feed.ReadAll(ctx, "")
	connected, leave := context.WithCancel(ctx)
	defer leave()
	each(c.Feed.Stream(connected, sininho.StreamOptions{OnConnect: leave}))
	each(c.Devices.List(ctx))
	_, _ = c.Devices.Register(ctx,
		sininho.DeviceInput{InstallationID: "quiosque-1", Address: "token", Platform: "android", Name: "Quiosque"})
	_, _ = c.Devices.Rename(ctx, id, "Nada")
	_, _ = c.Devices.Test(ctx, id)
	_ = c.Devices.Remove(ctx, id)

	_ = c.Waitlist.Join(ctx, sininho.WaitlistInput{Email: "ana@example.com"})
	each(c.Waitlist.List(ctx, sininho.WaitlistListOptions{}))
	_ = c.Waitlist.Export(ctx, io.Discard, sininho.WaitlistListOptions{})
	_, _ = c.Waitlist.Confirm(ctx, "swt_nada")
	_, _ = c.Waitlist.Place(ctx, "swt_nada")
	_ = c.Waitlist.Leave(ctx, "swt_nada")
	_, _ = c.Waitlist.InviteNext(ctx, 1)
	_, _ = c.Waitlist.Invite(ctx, []string{"ana@example.com"})

	_ = c.Reports.Channel(ctx, nowhere, sininho.ReportInput{Category: sininho.ReportSpam})
	_ = c.Reports.Notification(ctx, nowhere, id, sininho.ReportInput{Category: sininho.ReportOther, Text: "x"})
	each(c.Reports.List(ctx, sininho.ReportOpen))
	_, _ = c.Reports.Resolve(ctx, id)
	_, _ = c.Reports.Dismiss(ctx, id)
	_, _ = c.PublisherRequests.Ask(ctx, "nada", sininho.PublisherRequestInput{Name: "Nada", Reason: "x"})
	_, _ = c.PublisherRequests.Mine(ctx)
	_ = c.PublisherRequests.Withdraw(ctx)
	each(c.PublisherRequests.List(ctx))
	_, _ = c.FeedAddress.Renew(ctx)
	_, _ = c.FeedAddress.Get(ctx)
	_ = c.FeedAddress.Delete(ctx)
	_, _ = c.PublisherRequests.Approve(ctx, id)
	_, _ = c.PublisherRequests.Refuse(ctx, id, "x")
	each(c.AuditLog.List(ctx, "nada"))
	each(c.AuditLog.All(ctx, "nada"))
	_, _ = c.Moderation.SuspendChannel(ctx, nowhere, "x")
	_ = c.Moderation.UnsuspendChannel(ctx, nowhere)
	_, _ = c.Moderation.SuspendPublisher(ctx, "nada", "x")
	_, _ = c.Moderation.SetQuota(ctx, "nada", 1)
	_ = c.Moderation.ResetQuota(ctx, "nada")
	_, _ = c.Moderation.Storage(ctx)
	_ = c.Moderation.UnsuspendPublisher(ctx, "nada")
	_, _ = c.Moderation.SuspendAccount(ctx, id, "x")
	_ = c.Moderation.UnsuspendAccount(ctx, id)
	each(c.Moderation.Accounts(ctx, "ana@example.com"))
	_ = c.Moderation.Withdraw(ctx, id, "x")
	each(c.Moderation.Channels(ctx, "metro"))
	each(c.Moderation.Publishers(ctx, "metro"))

	_, _ = c.Installation.Health(ctx, sininho.HealthOptions{})
	each(c.Installation.FailingEventEndpoints(ctx))
	each(c.Installation.Settings(ctx))

	_, _ = c.Onboarding.Get(ctx)
	_, _ = c.Onboarding.Save(ctx, sininho.StepInterests, nil)
	each(c.AccessTokens.List(ctx))
	_, _ = c.AccessTokens.Create(ctx, sininho.AccessTokenInput{Name: "x"})
	_ = c.AccessTokens.Revoke(ctx, id)
	_, _ = c.Identities.List(ctx)
	each(c.Sessions.List(ctx))
	_ = c.Sessions.End(ctx, id)
	_ = c.Sessions.EndAll(ctx)
	_, _ = c.DeviceSignIn.Begin(ctx, "teste")
	_, _ = c.DeviceSignIn.Wait(ctx, &sininho.DeviceSignIn{DeviceCode: "nada", ExpiresIn: 900, Interval: 1})
	_, _ = c.Auth.Get(ctx)
	_, _ = c.Me.Get(ctx)
	_, _ = c.Me.Update(ctx, sininho.MeUpdate{Name: new("Ana Maria")})
	_ = c.Me.Export(ctx, io.Discard)
	_ = c.Auth.SignOut(ctx)
	_ = c.Me.Delete(ctx)
}

// each reads a list to its end, for the requests that this makes.
func each[T any](list iter.Seq2[T, error]) {
	list(func(T, error) bool { return true })
}
