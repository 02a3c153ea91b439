package servertest_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

// filler fills the storage of the publisher p.
type filler struct {
	*fixture
	client *sininho.Client
}

// storage returns what the API says about the storage of a publisher.
func (f *filler) storage(as *servertest.Subscriber) (s struct{ UsedBytes, QuotaBytes int64 }) {
	f.t.Helper()
	as.Do(http.MethodGet, "/publishers/p/storage", nil, 200, &s)
	return s
}

// fill publishes the largest batches and single notifications there are, of several callers at once, until everything
// is refused.
func (f *filler) fill() {
	f.t.Helper()
	long := strings.Repeat("界", 20_000) // of three bytes each
	batch := make([]sininho.PublishInput, 30)
	for i := range batch {
		batch[i] = sininho.PublishInput{Title: "T", Body: long}
	}
	ctx, cancel := context.WithTimeout(f.t.Context(), time.Minute)
	defer cancel()
	var all sync.WaitGroup
	for caller := range 8 {
		all.Go(func() {
			var err error
			for err == nil {
				if caller%2 == 0 {
					_, err = f.client.Notifications.PublishBatch(ctx, "p/c", batch)
				} else {
					_, err = f.client.Notifications.Publish(ctx, "p/c", batch[0])
				}
			}
			var refused *sininho.Error
			if !errors.As(err, &refused) || refused.Code != sininho.CodeQuotaExceeded || refused.Status != 422 {
				f.t.Errorf("publish beyond the quota: got %v, want 422 %s", err, sininho.CodeQuotaExceeded)
			}
		})
	}
	all.Wait()
}

// TestStorageQuota fills the storage of a publisher as fast as it can: it gets no more than 5 % above its quota, by no
// way to store something. Others do not notice. There is room again when something is deleted, or an operator gives it.
func TestStorageQuota(t *testing.T) {
	t.Parallel()
	const quota = 100 << 20
	f := &filler{fixture: newFixture(t, servertest.With("STORAGE_QUOTA_MIB", "100"))}
	f.APIKey = f.newKey("publish").Secret
	f.client = f.Client(sininho.WithRetries(0))
	key := sininho.WithIdempotencyKey("first")
	if _, err := f.client.Notifications.Publish(t.Context(), "p/c", sininho.PublishInput{Title: "T"}, key); err != nil {
		t.Fatalf("publish: %v", err)
	}
	small := f.newNotification()
	begun := time.Now()
	f.fill()
	full := f.storage(f.owner)
	t.Logf("stored %d MiB in %s until it was full", full.UsedBytes>>20, time.Since(begun))
	check.Equal(t, "quota", full.QuotaBytes, quota)
	if full.UsedBytes < quota || full.UsedBytes > quota+quota/20 {
		t.Errorf("bytes stored: got %d, want %d to 5 %% more", full.UsedBytes, quota)
	}
	if r, err := f.client.Notifications.Publish(t.Context(), "p/c", sininho.PublishInput{Title: "T"}, key); err != nil ||
		!r.Replayed {
		t.Errorf("repeat what was published before: got %v, %v, want it replayed", r, err)
	}
	f.refuseAll(small)
	other := f.SignIn(t, "other-owner@example.com")
	other.Do(http.MethodPost, "/channels/q/c/notifications", object{"title": "Q"}, 201, nil)

	f.operator.Do(http.MethodPut, "/admin/publishers/p/storage-quota", object{"quotaBytes": 2 * quota}, 200, nil)
	check.Equal(t, "quota by an operator", f.storage(f.operator).QuotaBytes, 2*quota)
	f.owner.Do(http.MethodPost, "/channels/p/c/notifications", object{"title": "T"}, 201, nil)
	f.operator.Do(http.MethodDelete, "/admin/publishers/p/storage-quota", nil, 204, nil)
	f.owner.Do(http.MethodPost, "/channels/p/c/notifications", object{"title": "T"}, 422, nil)
	var all struct {
		DatabaseBytes int64
		Largest       []struct{ Slug string }
	}
	f.operator.Do(http.MethodGet, "/admin/storage", nil, 200, &all)
	if len(all.Largest) == 0 || all.Largest[0].Slug != "p" || all.DatabaseBytes < 1<<20 {
		t.Errorf("storage of the installation: got %+v, want p as the largest", all)
	}
	t.Logf("the database has %d MiB", all.DatabaseBytes>>20)

	f.owner.Do(http.MethodDelete, "/channels/p/c", nil, 204, nil)
	// The responses to its single publishes are kept for a day: at most as much as the notifications themselves.
	eventually.True(t, "room after the channel was deleted",
		func() bool { return f.storage(f.owner).UsedBytes < quota*3/4 })
	f.owner.Do(http.MethodPost, "/channels", object{"publisherSlug": "p", "slug": "d", "name": "D",
		"categoryId": f.category}, 201, nil)
	f.owner.Do(http.MethodPost, "/channels/p/d/notifications", object{"title": "T"}, 201, nil)
}

// refuseAll tries all ways to store more. What takes less is allowed.
func (f *filler) refuseAll(notification string) {
	f.t.Helper()
	full := func(method, path string, body any, status int) {
		f.t.Helper()
		res := call(f.t, f.owner.Request(method, path, body), "", status, nil)
		if !strings.Contains(string(res.Body), `"code":"quota_exceeded"`) {
			f.t.Errorf("%s %s beyond the quota: got %s, want the code quota_exceeded", method, path, res.Body)
		}
		if status == http.StatusInsufficientStorage && res.Header.Get("Retry-After") == "" {
			f.t.Errorf("%s %s beyond the quota: got no Retry-After, want one", method, path)
		}
	}
	soon := time.Now().Add(time.Hour).UTC().Format(time.RFC3339)
	const publish = "/channels/p/c/notifications"
	full(http.MethodPost, publish, object{"title": "T"}, 422)
	full(http.MethodPost, publish, object{"title": "T", "scheduledAt": soon}, 422)
	full(http.MethodPatch, publish+"/"+notification, object{"body": "longer"}, 422)
	full(http.MethodPost, "/channels", object{"publisherSlug": "p", "slug": "d", "name": "D", "categoryId": f.category}, 422)
	full(http.MethodPost, "/channels/p/c/webhooks", object{"name": "W"}, 422)
	full(http.MethodPatch, "/channels/p/c/webhooks/"+f.webhook.ID,
		object{"template": object{"title": strings.Repeat("x", 1_000)}}, 422)
	for _, payload := range []object{{"title": "T"}, {"title": ""}} { // one that is published, and one that is refused
		full(http.MethodPost, strings.TrimPrefix(f.webhook.URL, f.URL+"/api/v1"), payload, http.StatusInsufficientStorage)
	}
	f.owner.Do(http.MethodPatch, publish+"/"+notification, object{"title": "t"}, 200, nil)
	f.owner.Do(http.MethodPatch, "/channels/p/c", object{"keepDays": 1}, 200, nil)
}
