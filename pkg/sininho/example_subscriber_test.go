package sininho_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/sininho/sininhotest"
)

func ExampleDeviceSignInService_Wait() {
	t := &exampleTB{}
	defer t.stop()
	server := sininhotest.New(t)
	ctx := context.Background()
	client := server.Client(sininho.WithAPIKey("")) // signing in needs no credential

	signIn, err := client.DeviceSignIn.Begin(ctx, "painel da cozinha")
	if err != nil {
		fmt.Println(err)
		return
	}
	// Show signIn.VerificationURL and signIn.UserCode. Here the test confirms it at once.
	server.AnswerDeviceSignIn(signIn.UserCode, true)
	token, err := client.DeviceSignIn.Wait(ctx, signIn)
	if err != nil {
		fmt.Println(err)
		return
	}

	me, err := server.Client(sininho.WithAccessToken(token.AccessToken.Secret)).Me.Get(ctx)
	fmt.Println(token.Subscriber.Name, me.Email, err)
	// Output: Ana ana@example.com <nil>
}

func ExampleAccessTokensService_Create() {
	client, stop := examplePerson()
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
	client, stop := examplePerson()
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
	client, stop := examplePerson()
	defer stop()

	var export bytes.Buffer // usually a file
	err := client.Me.Export(context.Background(), &export)
	fmt.Println(strings.Contains(export.String(), "ana@example.com"), err)
	// Output: true <nil>
}

func ExampleOnboardingService_Save() {
	client, stop := examplePerson()
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
	client, stop := examplePerson()
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
	client, stop := examplePerson()
	defer stop()
	ctx := context.Background()
	_, _ = client.Subscriptions.Follow(ctx, "demo/novidades")
	for _, title := range []string{"Primeira", "Segunda"} {
		_, _ = client.Notifications.Publish(ctx, "demo/novidades", sininho.PublishInput{Title: title})
	}

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
	client, stop := examplePerson()
	defer stop()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	_, _ = client.Subscriptions.Follow(ctx, "demo/novidades")

	events := client.Feed.Stream(ctx, sininho.StreamOptions{
		OnConnect: func() {
			published, _ := client.Notifications.Publish(ctx, "demo/novidades", sininho.PublishInput{Title: "Ao vivo"})
			_, _ = client.Feed.MarkRead(ctx, published.Notification.ID)
		},
	})
	for event, err := range events {
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
	client, stop := examplePerson()
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
	// Output: Chrome em Linux accepted
}

func ExampleWaitlistService_InviteNext() {
	t := &exampleTB{}
	defer t.stop()
	server := sininhotest.New(t)
	ctx := context.Background()
	client := server.Client(sininho.WithAccessToken(server.AccessToken)) // an operator's

	if err := client.Waitlist.Join(ctx, sininho.WaitlistInput{Email: "bruno@example.com", Name: "Bruno"}); err != nil {
		fmt.Println(err)
		return
	}
	// The token comes by e-mail; opening its link confirms the address.
	place, err := client.Waitlist.Confirm(ctx, server.WaitlistToken("bruno@example.com"))
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
