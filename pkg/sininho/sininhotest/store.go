package sininhotest

import (
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/sininho/sininho/pkg/sininho"
)

// store holds the server's data.
type store struct {
	mu         sync.Mutex
	publishers []*sininho.PublisherRef
	keys       map[string]*key // by secret
	categories []*sininho.Category
	channels   []*channel // oldest first
	replays    map[replayKey]replay

	position int64         // stream position of the latest change
	moved    chan struct{} // closed when position grows
	cut      chan struct{} // closed to end the open streams
	ended    chan struct{} // closed with the server
}

func newStore() *store {
	s := &store{
		keys: map[string]*key{}, replays: map[replayKey]replay{},
		moved: make(chan struct{}), cut: make(chan struct{}), ended: make(chan struct{}),
	}
	for i, c := range [][2]string{{"transportes", "Transportes"}, {"tecnologia", "Tecnologia"}} {
		s.categories = append(s.categories, &sininho.Category{ID: newID(), Slug: c[0], Name: c[1], Position: i + 1})
	}
	demo := &sininho.PublisherRef{ID: newID(), Slug: "demo", Name: "Demonstração"}
	s.publishers = append(s.publishers, demo)
	s.addChannel(demo, sininho.Channel{
		Slug: "novidades", Name: "Novidades", Description: "O que há de novo", Visibility: sininho.Public,
	}, s.categories[0])
	return s
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

// now returns the current time in the precision of the API.
func now() time.Time { return kept(time.Now()) }

// kept returns a time in the server's precision, microseconds.
func kept(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

func (s *store) publisher(slug string) *sininho.PublisherRef {
	for _, p := range s.publishers {
		if p.Slug == slug {
			return p
		}
	}
	return nil
}

// moveOn returns the next stream position and wakes the streams.
func (s *store) moveOn() int64 {
	s.position++
	close(s.moved)
	s.moved = make(chan struct{})
	return s.position
}

func (s *store) cutStreams() {
	close(s.cut)
	s.cut = make(chan struct{})
}
