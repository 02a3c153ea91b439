package simulation

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/sininho/sininho/server/lab/simulation/history"
)

// publisher publishes, corrects and withdraws.
type publisher struct {
	*client
	count int
	asked []asked
}

// asked is a publish that may be asked for again, with the same key.
type asked struct {
	event   history.Event
	request request
}

func (r *run) publisher(process string) *publisher {
	p := &publisher{client: r.client(process)}
	p.authorization = "Bearer " + r.cluster.APIKey
	return p
}

func (p *publisher) do(s step) {
	switch s.Do {
	case history.Publish:
		p.publish(s)
	case history.Batch:
		p.batch(s)
	case again:
		if len(p.asked) > 0 {
			a := p.asked[choose(s.Pick, len(p.asked))]
			p.ask(s.Node, a)
		}
	case history.Correct, history.Withdraw:
		if n, ok := p.r.known.pick(s.Pick); ok {
			p.change(s, n)
		}
	}
}

// choose returns an index for a number between 0 and 1.
func choose(pick float64, of int) int { return min(int(pick*float64(of)), of-1) }

type notificationInput struct {
	Title       string     `json:"title"`
	Importance  string     `json:"importance"`
	ExternalID  string     `json:"externalId,omitempty"`
	ScheduledAt *time.Time `json:"scheduledAt,omitempty"`
	ExpiresAt   *time.Time `json:"expiresAt,omitempty"`
}

func (p *publisher) input(s step, external int) notificationInput {
	p.count++
	in := notificationInput{Title: fmt.Sprintf("%s-%d", p.process, p.count), Importance: "normal"}
	if s.Important {
		in.Importance = "important"
	}
	if external > 0 {
		in.ExternalID = fmt.Sprint("external-", external)
	}
	now := time.Now().UTC().Truncate(time.Millisecond)
	if s.Schedule > 0 {
		in.ScheduledAt = new(now.Add(s.Schedule))
	}
	if s.Expire > 0 {
		in.ExpiresAt = new(now.Add(s.Expire))
	}
	return in
}

func (p *publisher) publish(s step) {
	in := p.input(s, s.External)
	e := history.Event{Kind: history.Publish, Channel: channel(s.Channel), Value: history.Value{Key: in.Title,
		Title: in.Title, ExternalID: in.ExternalID, Important: s.Important, Scheduled: in.ScheduledAt,
		Expires: in.ExpiresAt}}
	p.ask(s.Node, asked{e, request{method: http.MethodPost, path: "/channels/demo/" + e.Channel + "/notifications",
		key: in.Title, body: in}})
}

func (p *publisher) batch(s step) {
	var inputs []notificationInput
	var items []history.Item
	for i := range s.Size {
		external := 0
		if s.External > 0 && i < 5 {
			external = (s.External+i-1)%5 + 1
		}
		in := p.input(step{Important: s.Important}, external)
		inputs = append(inputs, in)
		items = append(items, history.Item{Title: in.Title, ExternalID: in.ExternalID})
	}
	e := history.Event{Kind: history.Batch, Channel: channel(s.Channel), Value: history.Value{Key: inputs[0].Title,
		Items: items, Important: s.Important}}
	p.ask(s.Node, asked{e, request{method: http.MethodPost,
		path: "/channels/demo/" + e.Channel + "/notifications/batch", key: e.Key,
		body: map[string]any{"notifications": inputs}}})
}

// ask publishes until it is known whether it is published, and remembers what was asked for.
func (p *publisher) ask(node int, a asked) {
	p.asked = append(p.asked, a)
	got := p.persist(node, a.event, a.request, func(got *result) {
		var published struct {
			ID   string
			Data []struct{ ID, Outcome string }
		}
		p.decode(got, &published)
		got.id, got.Existing = published.ID, got.Status == http.StatusOK
		for _, d := range published.Data {
			got.Items = append(got.Items, history.Item{ID: d.ID, Existing: d.Outcome == "existing"})
		}
		if a.event.Kind == history.Batch {
			got.Existing = false
		}
	})
	for i, item := range got.Items {
		p.r.known.add(known{item.ID, a.event.Channel, a.event.Items[i].Title})
	}
	if got.id != "" {
		p.r.known.add(known{got.id, a.event.Channel, a.event.Title})
	}
}

func (p *publisher) change(s step, n known) {
	path := "/channels/demo/" + n.channel + "/notifications/" + n.id
	e := history.Event{Kind: s.Do, Channel: n.channel, ID: n.id}
	q := request{method: http.MethodDelete, path: path}
	if s.Do == history.Correct {
		p.count++
		e.Title = fmt.Sprintf("%s%s%s-%d", n.title, history.Correction, p.process, p.count)
		q = request{method: http.MethodPatch, path: path, body: map[string]string{"title": e.Title}}
	}
	p.persist(s.Node, e, q, func(got *result) { got.id = n.id })
}

// known is a notification whose publication was acknowledged.
type known struct{ id, channel, title string }

// ids are the notifications that callers know of.
type ids struct {
	mu   sync.Mutex
	all  []known
	seen map[string]bool
}

func (k *ids) add(n known) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.seen == nil {
		k.seen = map[string]bool{}
	}
	if !k.seen[n.id] { // otherwise it existed, with another title
		k.seen[n.id] = true
		k.all = append(k.all, n)
	}
}

// pick chooses among the latest.
func (k *ids) pick(pick float64) (known, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	latest := k.all[max(0, len(k.all)-20):]
	if len(latest) == 0 {
		return known{}, false
	}
	return latest[choose(pick, len(latest))], true
}
