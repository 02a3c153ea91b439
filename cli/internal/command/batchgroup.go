package command

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/sininho/sininho/pkg/sininho"
)

// maxGroup bounds the JSON of messages that are published together, below the server's limit of 2 MiB.
const maxGroup = 1 << 20

// groupsOf divides items into those that are published together: neighbours with external ids, which must differ. Only
// such messages are known again when the file is published once more, corrected or extended. Others have a key each,
// and are sent alone.
func groupsOf(items []item) (groups [][]int) {
	var ids map[string]bool
	size := 0
	for i := range items {
		text, _ := json.Marshal(items[i].in) // its fields always can be encoded
		id := items[i].in.ExternalID
		fits := len(ids) > 0 && len(ids) < sininho.MaxBatch && size+len(text) < maxGroup
		if fits && id != "" && !ids[id] {
			groups[len(groups)-1] = append(groups[len(groups)-1], i)
		} else {
			groups, ids, size = append(groups, []int{i}), map[string]bool{}, 0
		}
		if id != "" {
			ids[id] = true
		}
		size += len(text)
	}
	return groups
}

// each returns the items one by one.
func each(items []item) (groups [][]int) {
	for i := range items {
		groups = append(groups, []int{i})
	}
	return groups
}

// together publishes items in one request: all of them or none. It returns false if the server refuses the request, of
// which only some items may be the reason.
func (b *batch) together(ctx context.Context, numbers []int) (results []result, ok bool) {
	inputs := make([]sininho.PublishInput, len(numbers))
	for at, i := range numbers {
		inputs[at] = b.items[i].in
	}
	var published *sininho.BatchResult
	err := b.paced(ctx, func(ctx context.Context) (err error) {
		published, err = b.client.Notifications.PublishBatch(ctx, b.channel, inputs)
		return err
	})
	var refused *sininho.Error
	if errors.As(err, &refused) && refused.Status < http.StatusInternalServerError && !isFatal(err) {
		return nil, false
	}
	for at, i := range numbers {
		r := result{item: b.items[i], err: err}
		if err == nil {
			done := published.Notifications[at]
			r.published = &sininho.PublishResult{Existing: done.Existing, Replayed: published.Replayed,
				Notification: sininho.Notification{ID: done.ID, Title: inputs[at].Title}}
		}
		results = append(results, r)
	}
	return results, true
}
