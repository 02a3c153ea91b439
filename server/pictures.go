package server

import (
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"github.com/sininho/sininho/server/internal/httpapi"
	"github.com/sininho/sininho/server/internal/pictures"
	"github.com/sininho/sininho/server/internal/postgres"
)

// pictureTimeout limits how long a picture may take to come.
const pictureTimeout = 10 * time.Second

// wirePictures makes the handler of uploaded pictures, and the picture proxy unless it is switched off.
func (s *Server) wirePictures(key []byte) error {
	files, err := s.config.pictureFiles()
	if err != nil {
		return err
	}
	log := s.log.With("part", "pictures")
	if s.renderer, err = pictures.NewRenderer(key, log); err != nil {
		return err
	}
	s.files = files
	store := postgres.NewStore(s.requests)
	store.Files = files
	proxies, err := s.config.proxies()
	if err != nil {
		return err
	}
	network := func(r *http.Request) netip.Prefix { return httpapi.Network(r, proxies) }
	s.uploads = pictures.NewUploads(pictures.UploadsConfig{Find: store.PictureForm,
		CacheBytes: uploadsCached, Network: network, PerMinute: s.config.picturesPerMinute(), Now: Now, Log: log})
	addresses, err := s.config.pictureAddresses(key)
	if err != nil || addresses == nil {
		return err
	}
	s.pictures = pictures.New(pictures.Config{Addresses: addresses, CacheBytes: s.config.PictureCache << 20,
		Timeout: pictureTimeout, Network: network, PerMinute: s.config.picturesPerMinute(),
		Loopback: s.config.isDevelopment(), Metrics: s.observer.Pictures, Now: Now, Log: log})
	return err
}

// uploadsCached is how much memory uploaded pictures take, which are read again from the database without much delay.
const uploadsCached = 8 << 20

// pictureFiles returns where uploaded pictures are, or nil for the database.
func (c Config) pictureFiles() (postgres.PictureFiles, error) {
	if c.Uploads != uploadsS3 {
		return nil, nil
	}
	endpoint, err := url.Parse(c.S3Endpoint)
	if err != nil {
		return nil, err
	}
	return pictures.NewS3(endpoint, c.S3Region, c.S3Bucket, c.S3AccessKeyID, c.S3SecretAccessKey)
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
