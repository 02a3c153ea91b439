package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/sininho/sininho/internal/version"
	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/webhook"
)

// newPoster creates a client that follows no redirects, so that a signed event reaches only the given address.
func newPoster(timeout time.Duration) *http.Client {
	return &http.Client{
		Timeout: timeout, Transport: http.DefaultTransport.(*http.Transport).Clone(),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// plainCause returns the cause of a failed post without the address, which may be a secret.
func plainCause(err error) error {
	var outer *url.Error
	if errors.As(err, &outer) {
		return outer.Err
	}
	return err
}

// forwarder posts events to an address and retries each until it is accepted or given up.
type forwarder struct {
	http    *http.Client
	to      string
	secret  string
	retries int
	// firstWait is the wait before the second attempt; it doubles with each.
	firstWait time.Duration
	// failed is called after each failed attempt that is going to be retried.
	failed func(id, cause string, wait time.Duration)
}

const longestWait = 30 * time.Second

// forwarded is the result of posting an event, as --json writes it.
type forwarded struct {
	ID             string            `json:"id"`
	Type           sininho.EventType `json:"type"`
	NotificationID string            `json:"notificationId,omitzero"`
	Delivered      bool              `json:"delivered"`
	Status         int               `json:"status,omitzero"`
	Error          string            `json:"error,omitzero"`
	Attempts       int               `json:"attempts"`
	DurationMs     int64             `json:"durationMs"`
}

// forwardedID is the prefix of an event's id in posts.
const forwardedID = "evt_"

// payload is the posted body: type, time and data, as Standard Webhooks suggests.
type payload struct {
	Type      sininho.EventType `json:"type"`
	Timestamp time.Time         `json:"timestamp"`
	Data      any               `json:"data"`
}

func payloadOf(e sininho.Event, now time.Time) payload {
	p := payload{
		Type: e.Type, Timestamp: now.UTC().Truncate(time.Millisecond), Data: map[string]string{"id": e.NotificationID},
	}
	if e.Notification != nil {
		p.Data = e.Notification
	}
	return p
}

// forward posts an event until it is accepted, is refused for good, or has used up its retries. It
// returns an error only if the context ends or the event cannot be signed.
func (f *forwarder) forward(ctx context.Context, e sininho.Event) (forwarded, error) {
	began := time.Now()
	out := forwarded{ID: forwardedID + e.ID, Type: e.Type, NotificationID: e.NotificationID}
	body, err := json.Marshal(payloadOf(e, began))
	if err != nil {
		return out, err
	}
	for wait := f.firstWait; ; wait = min(2*wait, longestWait) {
		out.Attempts++
		again, err := f.attempt(ctx, &out, body)
		out.DurationMs = time.Since(began).Milliseconds()
		if err != nil || out.Delivered || !again || out.Attempts > f.retries {
			return out, err
		}
		f.failed(out.ID, out.cause(), wait)
		if err := pause(ctx, wait); err != nil {
			return out, err
		}
	}
}

// cause returns the status or error of the latest attempt.
func (o *forwarded) cause() string {
	if o.Status != 0 {
		return fmt.Sprintf("%d %s", o.Status, http.StatusText(o.Status))
	}
	return o.Error
}

// isTransient reports whether a retry may succeed after a response with this status.
func isTransient(status int) bool {
	return status >= 500 || status == http.StatusTooManyRequests || status == http.StatusRequestTimeout
}

// attempt signs the event with the current time, posts it once and reports whether a retry may succeed.
func (f *forwarder) attempt(ctx context.Context, out *forwarded, body []byte) (again bool, err error) {
	header, err := webhook.Sign(webhook.Message{ID: out.ID, Timestamp: time.Now(), Body: body}, f.secret)
	if err != nil {
		return false, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, f.to, bytes.NewReader(body))
	if err != nil {
		return false, err
	}
	req.Header = header
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "sininho-listen/"+version.Read().Version)
	out.Status, out.Error = 0, ""
	res, err := f.http.Do(req)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if err != nil {
		out.Error = plainCause(err).Error()
		return true, nil
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, maxReceipt)) // so that the connection can be reused
	_ = res.Body.Close()
	out.Status = res.StatusCode
	out.Delivered = res.StatusCode >= 200 && res.StatusCode < 300
	return isTransient(res.StatusCode), nil
}
