package server

import (
	"net/http"
	"net/netip"
	"time"

	"github.com/sininho/sininho/server/internal/httpapi"
	"github.com/sininho/sininho/server/internal/pictures"
)

// pictureTimeout limits how long a picture may take to come.
const pictureTimeout = 10 * time.Second

// wirePictures makes the picture proxy, unless it is switched off.
func (s *Server) wirePictures(key []byte) error {
	addresses, err := s.config.pictureAddresses(key)
	if err != nil || addresses == nil {
		return err
	}
	proxies, err := s.config.proxies()
	if err != nil {
		return err
	}
	s.pictures = pictures.New(pictures.Config{Addresses: addresses, CacheBytes: s.config.PictureCache << 20,
		Timeout: pictureTimeout, Network: func(r *http.Request) netip.Prefix { return httpapi.Network(r, proxies) },
		PerMinute: s.config.picturesPerMinute(), Loopback: s.config.isDevelopment(), Metrics: s.observer.Pictures,
		Now: Now, Log: s.log.With("part", "pictures")})
	return err
}

// pictureAddresses returns the addresses of pictures on this server, or nil without a proxy.
func (c Config) pictureAddresses(secretKey []byte) (*pictures.Addresses, error) {
	if !c.PictureProxy {
		return nil, nil
	}
	return pictures.NewAddresses(secretKey, c.PublicURL)
}

// picturesPerMinute returns how many pictures that are not kept a network may load; 0 means any number.
func (c Config) picturesPerMinute() int {
	if !c.Limits {
		return 0
	}
	return c.LimitPictures
}

// picture returns the function that makes the addresses of pictures, or nil without a proxy.
func (s *Server) picture() httpapi.Pictures {
	if s.pictures == nil {
		return nil
	}
	return s.pictures.Addresses.Address
}
