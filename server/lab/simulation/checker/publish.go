package checker

import (
	"slices"

	"github.com/sininho/sininho/server/lab/simulation/history"
)

// checkPublishes checks that what was acknowledged is there, once for each key and for each external id.
func (j *judge) checkPublishes() {
	byExternal := map[[2]string]string{}
	for id, r := range j.rows {
		if r.ExternalID != "" {
			byExternal[[2]string{r.Channel, r.ExternalID}] = id
		}
	}
	first := map[[2]string][]string{} // channel and key: ids
	created := map[string]op{}
	j.of(func(o op) {
		if !o.done() {
			return
		}
		items := responded(o)
		var ids []string
		for _, item := range items {
			ids = append(ids, item.ID)
			r := j.rows[item.ID]
			switch {
			case r == nil:
				j.breach("lost", "%s was acknowledged as %s to %s, and is not there", item.Title, item.ID, o.Process)
			case item.Existing && item.ExternalID == "":
				j.breach("existing", "%s has no external id, and %s was said to exist", item.Title, item.ID)
			case item.ExternalID != "" && byExternal[[2]string{o.Channel, item.ExternalID}] != item.ID:
				j.breach("external ids", "%s has the external id %s, and %s was the response", item.Title,
					item.ExternalID, item.ID)
			case item.ExternalID == "" && r.label.name != item.Title:
				j.breach("wrong notification", "%s was acknowledged as %s, which is %s", item.Title, item.ID, r.Title)
			}
			if o.got.Status == 201 || o.Kind == history.Batch {
				if !o.got.Replayed && !item.Existing {
					if before, ok := created[item.ID]; ok {
						j.breach("created twice", "%s by %s and by %s", item.ID, before.Process, o.Process)
					}
					created[item.ID] = o
				}
			}
		}
		key := [2]string{o.Channel + " " + o.Kind, o.Key}
		if before, ok := first[key]; ok && !slices.Equal(before, ids) {
			j.breach("idempotency", "the key %s had the responses %v and %v", o.Key, before, ids)
		}
		first[key] = ids
	}, history.Publish, history.Batch)
}

// responded returns the notifications of an operation with what the response says about them.
func responded(o op) []history.Item {
	if o.Kind == history.Publish {
		return []history.Item{{Title: o.Title, ExternalID: o.ExternalID, ID: o.got.ID, Existing: o.got.Existing}}
	}
	items := slices.Clone(o.Items)
	for i := range items {
		if i < len(o.got.Items) {
			items[i].ID, items[i].Existing = o.got.Items[i].ID, o.got.Items[i].Existing
		}
	}
	return items
}

// checkRows checks that every notification was asked for, once, and is visible exactly if it should be.
func (j *judge) checkRows() {
	titles, externals, places := map[string]string{}, map[[2]string]string{}, map[int64]string{}
	for _, e := range j.all(history.Notification) {
		r := j.rows[e.ID]
		l := j.labels[labelOf(e.Title)]
		if l == nil || l.channel() != e.Channel || !l.maybe() {
			j.breach("phantom", "nobody published %s as %s to %s", e.Title, e.ID, e.Channel)
			continue
		}
		if other, ok := titles[l.name]; ok {
			j.breach("duplicate", "%s is there as %s and as %s", l.name, other, e.ID)
		}
		titles[l.name] = e.ID
		external := [2]string{e.Channel, e.ExternalID}
		if other, ok := externals[external]; ok && e.ExternalID != "" {
			j.breach("external ids", "%s is that of %s and of %s", e.ExternalID, other, e.ID)
		}
		externals[external] = e.ID
		for _, place := range []int64{e.Position, e.Latest} {
			if other, ok := places[place]; ok && place != 0 && other != e.ID {
				j.breach("places", "%d is that of %s and of %s", place, other, e.ID)
			}
			places[place] = e.ID
		}
		j.checkVisible(r)
	}
}

// checkVisible checks whether a notification is visible in the end.
func (j *judge) checkVisible(r *row) {
	withdrawn, maybe := false, false
	j.of(func(o op) {
		withdrawn, maybe = withdrawn || o.ID == r.ID && o.done(), maybe || o.ID == r.ID && o.maybe()
		if o.ID == r.ID && o.got.Status == 404 {
			j.breach("lost", "%s was published, and %s could not withdraw it", r.Title, o.Process)
		}
	}, history.Withdraw)
	expired := r.label.expires != nil && j.wall(*r.label.expires) < r.At
	expires := r.label.expires != nil && j.wall(*r.label.expires)-j.ahead < r.At
	switch {
	case r.Visible && withdrawn:
		j.breach("visible", "%s was withdrawn, and is visible", r.Title)
	case r.Visible && expired:
		j.breach("visible", "%s has expired, and is visible", r.Title)
	case !r.Visible && r.Published == nil && !maybe && !expires:
		j.breach("never published", "%s was to be published by %v, and was not", r.Title, r.label.schedule)
	case !r.Visible && !maybe && !expires:
		j.breach("visible", "%s was neither withdrawn nor has it expired, and is not visible", r.Title)
	}
	if at := r.label.schedule; at != nil && r.Published != nil && r.Published.Before(*at) {
		j.breach("early", "%s was to be published at %s, and was at %s", r.Title, at, r.Published)
	}
}

// checkTitles checks that titles are those of the last corrections.
func (j *judge) checkTitles() {
	for _, r := range j.rows {
		if !r.title.between(r.At, r.At).may(r.Title) {
			j.breach("corrections", "%s has the title %s, want one of %v", r.ID, r.Title, r.title.between(r.At, r.At))
		}
	}
	j.of(func(o op) {
		r := j.rows[o.ID]
		if r != nil && o.got.Status == 404 && r.visible.between(o.from, o.to).must(true) {
			j.breach("lost", "%s was published, and %s could not correct it", r.Title, o.Process)
		}
	}, history.Correct)
}
