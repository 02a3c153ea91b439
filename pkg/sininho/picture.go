package sininho

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// Picture is a picture that a publisher has uploaded (API: Picture).
type Picture struct {
	// URL is its address, for the Image, Icon or Avatar of a notification, channel or publisher.
	URL string `json:"url"`
	// Width and Height are in pixels, at most 1,600.
	Width  int `json:"width"`
	Height int `json:"height"`
	// StoredBytes is how much of the publisher's storage it takes.
	StoredBytes int64 `json:"storedBytes"`
}

// maxPicture is the length of the largest file that the server takes.
const maxPicture = 5 << 20

var errPictureSize = errors.New("the picture has more than 5 MiB; make it smaller")

// UploadPicture uploads the file of a PNG, JPEG, WebP or GIF of at most 5 MiB and 25 million pixels (API:
// uploadPicture). The server makes it anew from its pixels, in the sizes that readers see, and without anything else
// that the file says. It needs an API key with ScopePublish or the access token of a member. A picture that no
// notification, channel or publisher uses is deleted after a day.
func (s *PublishersService) UploadPicture(ctx context.Context, publisher string, file io.Reader) (*Picture, error) {
	slug, err := parseSlug(publisher)
	if err != nil {
		return nil, err
	}
	content, err := io.ReadAll(io.LimitReader(file, maxPicture+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("sininho: read the picture: %w", err)
	case len(content) > maxPicture:
		return nil, fmt.Errorf("sininho: %w", errPictureSize)
	}
	contentType := http.DetectContentType(content)
	if !strings.HasPrefix(contentType, "image/") {
		contentType = "image/*" // the server says what it takes
	}
	return decode[Picture](s.api.UploadPictureWithBody(ctx, slug, contentType, bytes.NewReader(content)))
}
