package memory

import (
	"context"

	"github.com/sininho/sininho/server/internal/core"
)

// SavePicture implements core.PictureStore.
func (s *Store) SavePicture(_ context.Context, p core.Picture) error {
	defer s.lock()()
	if _, ok := s.pictures[p.ID]; !ok {
		if err := s.checkStorage(p.PublisherID); err != nil {
			return err
		}
	}
	s.pictures[p.ID] = p
	return nil
}

// HasPicture reports whether a picture is stored.
func (s *Store) HasPicture(id string) bool {
	defer s.lock()()
	_, ok := s.pictures[id]
	return ok
}
