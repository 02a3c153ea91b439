//go:build go1.26

package sininho_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/sininho/sininhotest"
)

func TestStreamReconnectsWithoutGapOrRepetition(t *testing.T) {
	server := sininhotest.New(t)
	client := server.Client()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	publish := func(i int) {
		if _, err := client.Notifications.Publish(ctx, channel,
			sininho.PublishInput{Title: fmt.Sprint(i)}); err != nil {
			t.Errorf("publish number %d: %v", i, err)
		}
	}
	connects, lost := 0, 0
	next := 0
	for event, err := range client.Notifications.Stream(ctx, channel, sininho.StreamOptions{
		OnConnect: func() {
			if connects++; connects == 1 {
				publish(0)
			}
		},
		OnDisconnect: func(error, time.Duration) { lost++; publish(next) },
	}) {
		if err != nil {
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("stream: got the error %v, want %v", err, context.Canceled)
			}
			break
		}
		if event.Type != sininho.EventNotification {
			t.Fatalf("type of event %d: got %q, want %q", next, event.Type, sininho.EventNotification)
		}
		equal(t, "title of the notification", event.Notification.Title, fmt.Sprint(next))
		equal(t, "id of the event", event.ID, fmt.Sprint(next+1))
		if t.Failed() {
			break
		}
		if next++; next == 5 {
			cancel()
			continue
		}
		server.CutStreams() // the next one is published while there is no connection
	}
	equal(t, "events", next, 5)
	if connects < 5 {
		t.Errorf("connections: got %d, want at least 5", connects)
	}
	if lost < 4 {
		t.Errorf("lost connections: got %d, want at least 4", lost)
	}
}

func TestStreamThatWasCutBeforeItsFirstEventMissesNothing(t *testing.T) {
	server := sininhotest.New(t)
	client := server.Client()
	first := true
	for event, err := range client.Notifications.Stream(t.Context(), channel, sininho.StreamOptions{
		OnConnect: func() {
			if first {
				first = false
				server.CutStreams()
			}
		},
		OnDisconnect: func(error, time.Duration) {
			if len(server.Published(channel)) == 0 {
				_, _ = client.Notifications.Publish(t.Context(), channel, sininho.PublishInput{Title: "no intervalo"})
			}
		},
	}) {
		if err != nil {
			t.Fatalf("stream: %v", err)
		}
		equal(t, "title of the notification", event.Notification.Title, "no intervalo")
		break
	}
}

func TestStreamYieldsEveryKindOfEvent(t *testing.T) {
	server := sininhotest.New(t)
	n := `{"id":"0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f","title":"Um"}`
	server.Respond(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		fmt.Fprint(w, "\uFEFF: olá\r\n\r\nid: 7\r\nevent: notification\r\ndata: "+n+"\r\n\r\n"+
			"event: novelty\ndata: {}\n\n"+
			"id: 8\nevent: corrected\ndata: {\"id\":\"a\",\ndata: \"title\":\"Dois\"}\n\n"+
			"id:9\revent:withdrawn\rdata:{\"id\":\"a\",\"channelId\":\"c\"}\r\r"+
			"id: 10\nevent: withdrawn\ndata: \"b\"\n\n"+
			"event: reset\ndata: {}\n\nid: 11\nevent: notification\ndata: {\"cut")
	})
	server.Respond(sininhotest.Refuse(404, "not_found", 0))
	var got []string
	options := sininho.StreamOptions{LastEventID: "6"}
	for event, err := range server.Client().Notifications.Stream(t.Context(), channel, options) {
		if err != nil {
			if !errors.Is(err, sininho.ErrNotFound) {
				t.Errorf("end of the stream: got the error %v, want %v", err, sininho.ErrNotFound)
			}
			break
		}
		got = append(got, event.ID+" "+string(event.Type)+" "+event.NotificationID)
	}
	want := "7 notification 0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f|8 corrected a|9 withdrawn a|10 withdrawn b|10 reset "
	equal(t, "events", strings.Join(got, "|"), want)
	var ids []string
	for _, r := range server.Requests() {
		ids = append(ids, r.Header.Get("Last-Event-Id"))
	}
	equal(t, "Last-Event-ID of the requests", strings.Join(ids, " "), "6 10")
}

func TestStreamEnds(t *testing.T) {
	server := sininhotest.New(t)
	stream := func(channel string, opts ...sininho.Option) error {
		client := server.Client(append(opts, sininho.WithRetries(1))...)
		return lastError(client.Notifications.Stream(t.Context(), channel, sininho.StreamOptions{}))
	}
	if err := stream("demo/nada"); !errors.Is(err, sininho.ErrNotFound) {
		t.Errorf("stream of no channel: got the error %v, want %v", err, sininho.ErrNotFound)
	}
	if err := stream(channel, sininho.WithBaseURL("http://127.0.0.1:1")); !errors.Is(err, sininho.ErrUnreachable) {
		t.Errorf("stream of no server: got the error %v, want %v", err, sininho.ErrUnreachable)
	}
	server.Respond(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<!doctype html>")) })
	errorContains(t, "stream of a web page", stream(channel), "base URL")
	server.Respond(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write([]byte("data: " + strings.Repeat("x", 2<<20) + "\n\n"))
	})
	errorContains(t, "stream with an endless line", stream(channel), "bytes")
}

// bareTransport responds with HTML and leaves the request of the response unset, as hand-written transports do.
type bareTransport struct{}

func (bareTransport) RoundTrip(*http.Request) (*http.Response, error) {
	header := http.Header{"Content-Type": {"text/html"}}
	return &http.Response{StatusCode: http.StatusOK, Header: header, Body: http.NoBody}, nil
}

func TestStreamThroughTransportThatLeavesRequestUnset(t *testing.T) {
	client, err := sininho.New(sininho.WithHTTPClient(&http.Client{Transport: bareTransport{}}))
	if err != nil {
		t.Fatalf("new client: %v", err)
	}
	var got error
	for _, err := range client.Notifications.Stream(t.Context(), channel, sininho.StreamOptions{}) {
		got = err
	}
	errorContains(t, "stream of an HTML page", got, "GET /api/v1/channels/demo/novidades/notifications/stream")
}
