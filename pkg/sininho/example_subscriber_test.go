//go:build go1.26

package sininho_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/sininho/sininho/pkg/sininho"
)

func ExampleDeviceSignInService_Wait() {
	client, stop := exampleReplies( // signing in needs no credential
		sininho.DeviceSignIn{DeviceCode: "code", UserCode: "WDJB-MJHT", ExpiresIn: 900, Interval: 1},
		sininho.DeviceToken{
			AccessToken: sininho.AccessTokenSecret{Secret: "sna_live_1"}, Subscriber: sininho.Subscriber{Name: "Ana"},
		},
	)
	defer stop()
	ctx := context.Background()

	signIn, err := client.DeviceSignIn.Begin(ctx, "painel da cozinha")
	if err != nil {
		fmt.Println(err)
		return
	}
	// Show signIn.VerificationURL and signIn.UserCode, then wait until the person has confirmed.
	token, err := client.DeviceSignIn.Wait(ctx, signIn)
	if err != nil {
		fmt.Println(err)
		return
	}

	person, err := sininho.New(sininho.WithAccessToken(token.AccessToken.Secret))
	fmt.Println(token.Subscriber.Name, person != nil, err)
	// Output: Ana true <nil>
}

func ExampleAccessTokensService_Create() {
	client, stop := exampleReplies(sininho.AccessTokenSecret{Name: "cópia de segurança", Secret: "sna_live_1"})
	defer stop()

	token, err := client.AccessTokens.Create(context.Background(), sininho.AccessTokenInput{Name: "cópia de segurança"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(token.Name, strings.HasPrefix(token.Secret, "sna_live_"))
	// Output: cópia de segurança true
}

func ExampleMeService_Update() {
	client, stop := exampleReplies(sininho.Subscriber{
		Timezone: "Atlantic/Azores", QuietHours: &sininho.QuietHours{Start: "22:00", End: "07:00"},
	})
	defer stop()

	me, err := client.Me.Update(context.Background(), sininho.MeUpdate{
		Timezone:   new("Atlantic/Azores"),
		QuietHours: &sininho.QuietHours{Start: "22:00", End: "07:00"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(me.Timezone, me.QuietHours.Start, me.QuietHours.End)
	// Output: Atlantic/Azores 22:00 07:00
}

func ExampleMeService_Export() {
	client, stop := exampleReplies(map[string]any{"subscriber": sininho.Subscriber{Email: "ana@example.com"}})
	defer stop()

	var export bytes.Buffer // usually a file
	err := client.Me.Export(context.Background(), &export)
	fmt.Println(strings.Contains(export.String(), "ana@example.com"), err)
	// Output: true <nil>
}

func ExampleOnboardingService_Save() {
	client, stop := exampleReplies(sininho.Onboarding{Step: sininho.StepDone, CompletedAt: time.Now()})
	defer stop()

	onboarding, err := client.Onboarding.Save(context.Background(), sininho.StepDone, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(onboarding.Step, onboarding.CompletedAt.IsZero())
	// Output: done false
}

func ExampleSubscriptionsService_Follow() {
	channel := sininho.ChannelRef{ID: exampleID, Name: "Novidades"}
	client, stop := exampleReplies(
		nil, // Follow looks the channel up
		sininho.Subscription{Channel: channel, Bell: sininho.BellAll},
		sininho.Subscription{Channel: channel, Bell: sininho.BellImportant, MutedUntil: time.Now()},
	)
	defer stop()
	ctx := context.Background()

	subscription, err := client.Subscriptions.Follow(ctx, "demo/novidades")
	if err != nil {
		fmt.Println(err)
		return
	}
	subscription, err = client.Subscriptions.Update(ctx, subscription.Channel.ID, sininho.SubscriptionUpdate{
		Bell: new(sininho.BellImportant), MutedUntil: new(time.Now().Add(2 * time.Hour)),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(subscription.Channel.Name, subscription.Bell, subscription.MutedUntil.IsZero())
	// Output: Novidades important false
}

func ExampleFeedService_List() {
	client, stop := exampleReplies(
		exampleList(
			sininho.Notification{ID: exampleID, Title: "Segunda"},
			sininho.Notification{ID: exampleID, Title: "Primeira"},
		),
		sininho.Notification{Title: "Segunda", ReadAt: time.Now()},
		sininho.Notification{Title: "Primeira", ReadAt: time.Now()},
	)
	defer stop()
	ctx := context.Background()

	for notification, err := range client.Feed.List(ctx, sininho.FeedListOptions{Unread: true}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		read, err := client.Feed.MarkRead(ctx, notification.ID)
		fmt.Println(read.Title, read.ReadAt.IsZero(), err)
	}
	// Output:
	// Segunda false <nil>
	// Primeira false <nil>
}

func ExampleFeedService_Stream() {
	client, stop := exampleReplies(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "id: 1\nevent: notification\ndata: {\"title\":\"Ao vivo\"}\n\n"+
			"event: read\ndata: {\"readAt\":\"2026-03-01T12:00:00Z\"}\n\n")
	}))
	defer stop()

	for event, err := range client.Feed.Stream(context.Background(), sininho.StreamOptions{}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		if event.Type == sininho.EventRead {
			fmt.Println("read", !event.ReadAt.IsZero())
			break
		}
		fmt.Println(event.Notification.Title)
	}
	// Output:
	// Ao vivo
	// read true
}

func ExampleDevicesService_Test() {
	client, stop := exampleReplies(
		exampleList(sininho.Device{ID: exampleID, Name: "Chrome no Linux"}),
		sininho.DeviceTest{Outcome: sininho.DeviceAccepted},
	)
	defer stop()
	ctx := context.Background()

	for device, err := range client.Devices.List(ctx) {
		if err != nil {
			fmt.Println(err)
			return
		}
		test, err := client.Devices.Test(ctx, device.ID)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(device.Name, test.Outcome)
	}
	// Output: Chrome no Linux accepted
}

func ExampleWaitlistService_InviteNext() {
	client, stop := exampleReplies( // an operator's client
		map[string]string{"status": "accepted"},
		sininho.WaitlistPlace{Status: sininho.WaitlistWaiting, Position: 1},
		exampleList(sininho.WaitlistEntry{Name: "Bruno", Status: sininho.WaitlistInvited}),
	)
	defer stop()
	ctx := context.Background()

	if err := client.Waitlist.Join(ctx, sininho.WaitlistInput{Email: "bruno@example.com", Name: "Bruno"}); err != nil {
		fmt.Println(err)
		return
	}
	// The token arrives by email; opening the link in it confirms the address.
	place, err := client.Waitlist.Confirm(ctx, "swt_1")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(place.Status, place.Position)

	invited, err := client.Waitlist.InviteNext(ctx, 50)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, entry := range invited {
		fmt.Println(entry.Name, entry.Status)
	}
	// Output:
	// waiting 1
	// Bruno invited
}
