package sininhotest

import (
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/sininho/sininho/pkg/sininho"
)

// store is what the server holds.
type store struct {
	mu         sync.Mutex
	publisher  sininho.PublisherRef // that of the API key
	publishers []*publisher
	categories []sininho.Category
	channels   []*channel
	replays    map[string]replay
	ended      chan struct{}
	cut        chan struct{}
	person
	// secrets that were made, with the ids of what they are of.
	secrets map[string]string
	signIns map[string]*signIn // by user code
	waiting []*waiting
}

type channel struct {
	sininho.Channel
	notifications []sininho.Notification
	withdrawn     map[string]bool // ids
	events        []sininho.Event
	changed       chan struct{}
	webhooks      []*hook
}

type replay struct {
	body   string
	status int
	value  any
}

func newStore() *store {
	s := &store{
		publisher: sininho.PublisherRef{ID: newID(), Slug: "demo", Name: "Demonstração"},
		replays:   map[string]replay{}, ended: make(chan struct{}), cut: make(chan struct{}),
		secrets: map[string]string{}, signIns: map[string]*signIn{}, person: newPerson(),
	}
	s.publishers = append(s.publishers, &publisher{
		Publisher: sininho.Publisher{ID: s.publisher.ID, Slug: s.publisher.Slug, Name: s.publisher.Name, Role: sininho.Owner, CreatedAt: now()},
		members:   []sininho.Member{memberOf(s.me, sininho.Owner)},
	})
	for _, c := range [][2]string{{"transportes", "Transportes"}, {"tecnologia", "Tecnologia"}} {
		s.categories = append(s.categories, sininho.Category{ID: newID(), Slug: c[0], Name: c[1]})
	}
	s.addChannel(sininho.Channel{PublisherSlug: "demo", Slug: "novidades", Name: "Novidades", Description: "O que há de novo",
		Category: categoryRef(s.categories[0])})
	return s
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

func categoryRef(c sininho.Category) sininho.CategoryRef {
	return sininho.CategoryRef{ID: c.ID, Slug: c.Slug, Name: c.Name}
}

func (s *store) addChannel(c sininho.Channel) *channel {
	owner := s.owned(c.PublisherSlug)
	c.ID, c.CreatedAt = newID(), now()
	c.Publisher = sininho.PublisherRef{ID: owner.ID, Slug: owner.Slug, Name: owner.Name}
	if c.Visibility == "" {
		c.Visibility = sininho.Public
	}
	added := &channel{Channel: c, withdrawn: map[string]bool{}, changed: make(chan struct{})}
	s.channels = append(s.channels, added)
	for i := range s.categories {
		if s.categories[i].ID == c.Category.ID {
			s.categories[i].ChannelCount++
		}
	}
	return added
}

func (s *store) category(id string) *sininho.Category {
	for i := range s.categories {
		if s.categories[i].ID == id {
			return &s.categories[i]
		}
	}
	return nil
}

// owned is a publisher that ana is a member of, or nil.
func (s *store) owned(slug string) *publisher {
	for _, p := range s.publishers {
		if p.Slug == slug && p.Role != "" {
			return p
		}
	}
	return nil
}

func now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

func (s *store) channel(address string) *channel {
	for _, c := range s.channels {
		if c.Address().String() == address {
			return c
		}
	}
	return nil
}

func (s *store) published(address string) []sininho.Notification {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.channel(address)
	if c == nil {
		return nil
	}
	return slices.Clone(c.notifications)
}

// tell appends an event and wakes the streams. The caller holds the lock.
func (c *channel) tell(event sininho.Event) {
	event.ID = strconv.Itoa(len(c.events) + 1)
	c.events = append(c.events, event)
	close(c.changed)
	c.changed = make(chan struct{})
}

func (s *store) cutStreams() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.cut)
	s.cut = make(chan struct{})
}

func (s *store) close() { close(s.ended) }
