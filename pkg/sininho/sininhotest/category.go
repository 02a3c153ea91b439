package sininhotest

import "github.com/sininho/sininho/pkg/sininho"

func (s *Server) listCategories(r *request) (*reply, error) {
	all := []sininho.Category{}
	for _, c := range s.store.categories {
		all = append(all, s.store.counted(*c))
	}
	return paged(r, all), nil
}

func (s *Server) getCategory(r *request) (*reply, error) {
	c := s.store.category(r.PathValue("id"))
	if c == nil {
		return nil, notFound()
	}
	out := ok(s.store.counted(*c))
	out.version = `"0"` // categories do not change
	return out, nil
}

func (s *store) category(id string) *sininho.Category {
	for _, c := range s.categories {
		if c.ID == id {
			return c
		}
	}
	return nil
}

// counted returns a category with the number of its public channels.
func (s *store) counted(c sininho.Category) sininho.Category {
	for _, other := range s.channels {
		if other.Category.ID == c.ID && other.Visibility == sininho.Public {
			c.ChannelCount++
		}
	}
	return c
}
