//go:build go1.26

package sininho_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/sininho/sininhotest"
)

func ExamplePublishersService_Create() {
	client, stop := exampleReplies(sininho.Publisher{Slug: "metro", Name: "Metro de Lisboa", Role: sininho.Owner})
	defer stop()

	publisher, err := client.Publishers.Create(context.Background(), "metro", sininho.PublisherInput{
		Name: "Metro de Lisboa", Website: "https://www.metrolisboa.pt",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(publisher.Slug, publisher.Role)
	// Output: metro owner
}

func ExampleIfVersion() {
	channel := sininho.Channel{Slug: "novidades"}
	client, stop := exampleReplies(channel, channel, sininhotest.Refuse(412, "precondition_failed", 0))
	defer stop()
	ctx := context.Background()

	seen, err := client.Channels.Get(ctx, "demo/novidades")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, name := range []string{"Novas", "Outras"} { // the second update is based on the state before the first
		update := sininho.ChannelUpdate{Name: &name}
		_, err := client.Channels.Update(ctx, "demo/novidades", update, sininho.IfVersion(seen.Version))
		fmt.Println(name, "changed meanwhile:", errors.Is(err, sininho.ErrChanged))
	}
	// Output:
	// Novas changed meanwhile: false
	// Outras changed meanwhile: true
}

func ExampleMembershipInvitationsService_Create() {
	client, stop := exampleReplies(sininho.MembershipInvitation{
		Email: "bia@example.com", Role: sininho.Editor, State: sininho.InvitationPending,
		URL: "https://sininho.example.com/invitations",
	})
	defer stop()
	ctx := context.Background()

	invitation, err := client.MembershipInvitations.Create(ctx, "demo", "bia@example.com", sininho.Editor)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(invitation.Email, invitation.State, invitation.URL)
	// Output: bia@example.com pending https://sininho.example.com/invitations
}

func ExampleMembershipInvitationsService_Accept() {
	client, stop := exampleReplies(
		exampleList(sininho.ReceivedInvitation{
			ID: exampleID, Publisher: sininho.Publisher{Slug: "demo"}, Role: sininho.Editor,
			InvitedBy: &sininho.Inviter{Name: "Ana", Email: "ana@example.com"},
		}),
		sininho.Publisher{Slug: "demo", Role: sininho.Editor},
	)
	defer stop()
	ctx := context.Background()

	for invitation, err := range client.MembershipInvitations.Received(ctx) {
		if err != nil {
			fmt.Println(err)
			return
		}
		if invitation.InvitedBy == nil || invitation.InvitedBy.Email != "ana@example.com" {
			continue
		}
		publisher, err := client.MembershipInvitations.Accept(ctx, invitation.ID)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(publisher.Slug, publisher.Role)
	}
	// Output: demo editor
}

func ExampleAPIKeysService_Rotate() {
	client, stop := exampleReplies(
		sininho.APIKeySecret{
			ID: exampleID, Name: "CI", Scopes: []sininho.Scope{sininho.ScopePublish}, Secret: "snh_live_1",
		},
		sininho.APIKeySecret{Name: "CI", Scopes: []sininho.Scope{sininho.ScopePublish}, Secret: "snh_live_2"},
	)
	defer stop()
	ctx := context.Background()

	old, err := client.APIKeys.Create(ctx, "demo",
		sininho.APIKeyInput{Name: "CI", Scopes: []sininho.Scope{sininho.ScopePublish}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fresh, err := client.APIKeys.Rotate(ctx, "demo", old.ID, time.Time{}) // the old key stays valid for 24 hours
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(fresh.Name, fresh.Scopes, strings.HasPrefix(fresh.Secret, "snh_live_"), fresh.Secret != old.Secret)
	// Output: CI [publish] true true
}

func ExampleWebhooksService_Create() {
	client, stop := exampleServer()
	defer stop()

	hook, err := client.Webhooks.Create(context.Background(), "demo/novidades", sininho.WebhookInput{Name: "CI"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(hook.Name, hook.Signed, strings.HasPrefix(hook.Secret, "whsec_"))
	// Output: CI true true
}

func ExampleChannelsService_Update() {
	client, stop := exampleReplies(sininho.Channel{Name: "Novidades da casa", Visibility: sininho.Unlisted})
	defer stop()

	channel, err := client.Channels.Update(context.Background(), "demo/novidades", sininho.ChannelUpdate{
		Name: new("Novidades da casa"), Visibility: new(sininho.Unlisted),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(channel.Name, channel.Visibility)
	// Output: Novidades da casa unlisted
}

func ExampleNotificationsService_Deliveries() {
	client, stop := exampleReplies(nil, sininho.Deliveries{Targeted: 3, Accepted: 3, Finished: true})
	defer stop()
	ctx := context.Background()
	result, err := client.Notifications.Publish(ctx, "demo/novidades", sininho.PublishInput{Title: "Um"})
	if err != nil {
		fmt.Println(err)
		return
	}

	deliveries, err := client.Notifications.Deliveries(ctx, "demo/novidades", result.Notification.ID)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(deliveries.Targeted, deliveries.Accepted, deliveries.Finished)
	// Output: 3 3 true
}

func ExampleCategoriesService_Create() {
	client, stop := exampleReplies(
		sininho.Category{ID: exampleID, Name: "Música"}, sininho.Category{ID: exampleID, Name: "Música", Position: 3},
	)
	defer stop()
	ctx := context.Background()

	category, err := client.Categories.Create(ctx, "musica", sininho.CategoryInput{Name: "Música"})
	if err != nil {
		fmt.Println(err)
		return
	}
	category, err = client.Categories.Update(ctx, category.ID, sininho.CategoryUpdate{Position: new(3)},
		sininho.IfVersion(category.Version))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(category.Name, category.Position)
	// Output: Música 3
}
