package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"

	firebase "firebase.google.com/go/v4"
	"firebase.google.com/go/v4/messaging"
	"golang.org/x/oauth2/google"
	"google.golang.org/api/option"
)

const messagingScope = "https://www.googleapis.com/auth/firebase.messaging"

const (
	bareConnections = 4  // more are not faster
	bareInFlight    = 64 // on all of them
)

// bareSends is the limit of a dispatch: a client that only sends, over a few HTTP/2 connections, without the Admin SDK
// and without a database.
func (w *world) bareSends(ctx context.Context, length time.Duration) (figures, error) {
	credentials, err := os.ReadFile(w.services.CredentialsFile)
	if err != nil {
		return nil, err
	}
	account, err := google.JWTConfigFromJSON(credentials, messagingScope)
	if err != nil {
		return nil, err
	}
	token, err := account.TokenSource(ctx).Token()
	if err != nil {
		return nil, err
	}
	transports := make([]*http.Transport, bareConnections)
	for i := range transports {
		transports[i] = &http.Transport{Protocols: new(http.Protocols)}
		transports[i].Protocols.SetUnencryptedHTTP2(true)
		defer transports[i].CloseIdleConnections()
	}
	var n atomic.Int64
	return load(ctx, bareInFlight, length, func(_ context.Context, i int) (client, error) {
		return client{close: func() {}, do: func(ctx context.Context) error {
			return w.bareSend(ctx, transports[i%bareConnections], "Bearer "+token.AccessToken, n.Add(1))
		}}, nil
	})
}

// pushBody is a message as long as Sininho's, with a token as long as Firebase's.
const pushBody = `{"message":{"data":{"channel":"medidas/todos","id":"0198c9a1-9d1c-7b6e-8d7c-3f2b1a0c9d8f",` +
	`"link":"https://example.com/1"},"notification":{"title":"` + messageTitle + `","body":"` + messageBody + `"},` +
	`"webpush":{"headers":{"TTL":"86400","Urgency":"normal"},"notification":` +
	`{"tag":"0198c9a1-9d1c-7b6e-8d7c-3f2b1a0c9d8f"}},"token":"`

var pushToken = strings.Repeat("cAbCdEfGhIjKlMnOpQrStU", 7)

func (w *world) bareSend(ctx context.Context, transport *http.Transport, authorization string, n int64) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost,
		w.services.FCMURL+"/v1/projects/"+projectID+"/messages:send",
		strings.NewReader(fmt.Sprint(pushBody, pushToken, n, `"}}`)))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", authorization)
	req.Header.Set("Content-Type", "application/json")
	res, err := transport.RoundTrip(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil || res.StatusCode != http.StatusOK {
		return fmt.Errorf("send: %s: %w", res.Status, err)
	}
	return nil
}

const sendEachMost = 500 // messages of one call

// sendEach is the limit of a dispatch to a slow service: calls of the Admin SDK's SendEach, one after another.
func (w *world) sendEach(ctx context.Context, length time.Duration) (figures, error) {
	credentials, err := os.ReadFile(w.services.CredentialsFile)
	if err != nil {
		return nil, err
	}
	app, err := firebase.NewApp(ctx, &firebase.Config{ProjectID: projectID},
		option.WithAuthCredentialsJSON(option.ServiceAccount, credentials), option.WithEndpoint(w.services.FCMURL+"/v1"))
	if err != nil {
		return nil, err
	}
	sdk, err := app.Messaging(ctx)
	if err != nil {
		return nil, err
	}
	messages := make([]*messaging.Message, sendEachMost)
	for i := range messages {
		messages[i] = &messaging.Message{Fid: fmt.Sprint(pushToken, i),
			Notification: &messaging.Notification{Title: messageTitle, Body: messageBody}}
	}
	began, sent := time.Now(), 0
	for time.Since(began) < length {
		res, err := sdk.SendEach(ctx, messages)
		if err != nil {
			return nil, err
		}
		for _, r := range res.Responses {
			if r.Error != nil {
				return nil, fmt.Errorf("SendEach: %w", r.Error)
			}
		}
		sent += res.SuccessCount
	}
	return figures{"rate": float64(sent) / time.Since(began).Seconds()}, nil
}
