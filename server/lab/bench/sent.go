package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/google/uuid"
)

const sentTimeout = time.Minute

// waitSent waits until the stand-in has accepted the push of a notification to an address, and returns when it did.
func (w *world) waitSent(ctx context.Context, address string, id uuid.UUID) (time.Time, error) {
	ctx, cancel := context.WithTimeout(ctx, sentTimeout)
	defer cancel()
	for since := int64(0); ; {
		at, last, err := w.findSent(ctx, address, id, since)
		if err != nil || !at.IsZero() {
			return at, err
		}
		since = max(since, last)
		time.Sleep(pollEvery) // the stand-in says when it was; waiting there would slow it down
	}
}

// findSent looks through the pushes to an address after since.
func (w *world) findSent(ctx context.Context, address string, id uuid.UUID, since int64) (
	at time.Time, last int64, err error) {
	query := url.Values{"token": {address}, "since": {fmt.Sprint(since)}}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, w.services.FCMURL+"/sent?"+query.Encode(), nil)
	if err != nil {
		return at, 0, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return at, 0, fmt.Errorf("wait for a push: %w", err)
	}
	defer res.Body.Close()
	for lines := bufio.NewScanner(res.Body); lines.Scan(); {
		var sent struct {
			Seq     int64
			At      time.Time
			Message struct{ Data struct{ ID uuid.UUID } }
		}
		if err := json.Unmarshal(lines.Bytes(), &sent); err != nil {
			return at, 0, err
		}
		if last = sent.Seq; sent.Message.Data.ID == id {
			return sent.At, last, nil
		}
	}
	return at, last, nil
}
