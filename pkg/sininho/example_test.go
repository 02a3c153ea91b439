//go:build go1.26

package sininho_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/sininho/sininhotest"
)

// exampleServer starts a server in memory, as a test does with sininhotest.
func exampleServer() (client *sininho.Client, stop func()) {
	t := &exampleTB{}
	server := sininhotest.New(t)
	return server.Client(), t.stop
}

// exampleReplies is exampleServer with scripted responses for requests that sininhotest does not cover: a value
// is the response to one request, a handler responds itself, and nil lets the server carry the request out.
func exampleReplies(script ...any) (client *sininho.Client, stop func()) {
	t := &exampleTB{}
	server := sininhotest.New(t)
	for _, reply := range script {
		switch reply := reply.(type) {
		case nil:
			server.Respond(nil)
		case http.HandlerFunc:
			server.Respond(reply)
		default:
			server.Reply(http.StatusOK, reply)
		}
	}
	return server.Client(), t.stop
}

// exampleID has the form of an id of the API.
const exampleID = "0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f"

// exampleList returns a list as the API writes it.
func exampleList[T any](items ...T) map[string]any {
	return map[string]any{"data": items, "meta": map[string]int{"total": len(items)}}
}

// exampleTB lets an Example use packages made for tests.
type exampleTB struct {
	testing.TB
	cleanups []func()
}

func (t *exampleTB) Helper()                   {}
func (t *exampleTB) Cleanup(f func())          { t.cleanups = append(t.cleanups, f) }
func (t *exampleTB) Errorf(f string, a ...any) { panic(fmt.Sprintf(f, a...)) }
func (t *exampleTB) Fatal(a ...any)            { panic(fmt.Sprint(a...)) }
func (t *exampleTB) Fatalf(f string, a ...any) { panic(fmt.Sprintf(f, a...)) }

func (t *exampleTB) stop() {
	for i := len(t.cleanups) - 1; i >= 0; i-- {
		t.cleanups[i]()
	}
}

func ExampleNew() {
	client, err := sininho.New(
		sininho.WithBaseURL("https://sininho.example.com"),
		sininho.WithAPIKey("snh_live_example"), // usually from the environment
	)
	fmt.Println(client != nil, err)
	// Output: true <nil>
}

func ExampleNotificationsService_Publish() {
	client, stop := exampleServer()
	defer stop()

	for range 2 { // a program that runs twice publishes once
		result, err := client.Notifications.Publish(context.Background(), "demo/novidades", sininho.PublishInput{
			Title:      "Linha azul reaberta",
			Body:       "A circulação foi retomada em toda a linha.",
			Importance: sininho.Important,
			ExternalID: "incidente-1842",
		})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(result.Notification.Title, "created:", result.Created, "existing:", result.Existing)
	}
	// Output:
	// Linha azul reaberta created: true existing: false
	// Linha azul reaberta created: false existing: true
}

func ExampleError() {
	client, stop := exampleServer()
	defer stop()

	_, err := client.Notifications.Publish(context.Background(), "demo/novidades",
		sininho.PublishInput{Importance: "urgente"})
	var refused *sininho.Error
	if errors.As(err, &refused) {
		fmt.Println(refused.Status, refused.Code)
		for _, fault := range refused.Fields {
			fmt.Println(fault.Name())
		}
	}
	// Output:
	// 422 invalid
	// importance
	// title
}

func ExampleNotificationsService_List() {
	client, stop := exampleServer()
	defer stop()
	ctx := context.Background()
	for _, title := range []string{"Primeira", "Segunda", "Terceira"} {
		_, _ = client.Notifications.Publish(ctx, "demo/novidades", sininho.PublishInput{Title: title})
	}

	for notification, err := range client.Notifications.List(ctx, "demo/novidades", sininho.ListOptions{PageSize: 2}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(notification.Title)
	}
	// Output:
	// Terceira
	// Segunda
	// Primeira
}

func ExampleNotificationsService_Stream() {
	client, stop := exampleServer()
	defer stop()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()

	events := client.Notifications.Stream(ctx, "demo/novidades", sininho.StreamOptions{
		OnConnect: func() { // from here on, nothing is missed
			_, _ = client.Notifications.Publish(ctx, "demo/novidades", sininho.PublishInput{Title: "Ao vivo"})
		},
	})
	for event, err := range events {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(event.ID, event.Type, event.Notification.Title)
		break
	}
	// Output: 1 notification Ao vivo
}

func ExampleNotificationsService_Correct() {
	client, stop := exampleServer()
	defer stop()
	ctx := context.Background()
	result, err := client.Notifications.Publish(ctx, "demo/novidades",
		sininho.PublishInput{Title: "Linha azul reberta"})
	if err != nil {
		fmt.Println(err)
		return
	}

	corrected, err := client.Notifications.Correct(ctx, "demo/novidades", result.Notification.ID,
		sininho.Correction{Title: new("Linha azul reaberta")})
	fmt.Println(corrected.Title, err)
	// Output: Linha azul reaberta <nil>
}

func ExampleChannelsService_Create() {
	technology := sininho.Category{ID: exampleID, Slug: "tecnologia", Name: "Tecnologia"}
	client, stop := exampleReplies(exampleList(technology), sininho.Channel{
		PublisherSlug: "demo", Slug: "lancamentos", Category: sininho.CategoryRef{Name: "Tecnologia"},
	})
	defer stop()
	ctx := context.Background()

	for category, err := range client.Categories.List(ctx) {
		if err != nil {
			fmt.Println(err)
			return
		}
		if category.Slug != "tecnologia" {
			continue
		}
		channel, err := client.Channels.Create(ctx, "demo/lancamentos", sininho.ChannelInput{
			Name: "Lançamentos", CategoryID: category.ID,
		})
		fmt.Println(channel.Address(), channel.Category.Name, err)
	}
	// Output: demo/lancamentos Tecnologia <nil>
}

func ExampleAuthService_Get() {
	client, stop := exampleServer()
	defer stop()

	caller, err := client.Auth.Get(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(caller.Kind, caller.Publisher.Slug, caller.Scopes)
	// Output: publisher demo [publish channels read]
}
