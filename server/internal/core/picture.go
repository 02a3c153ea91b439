package core

import (
	"context"
	"time"
)

// Picture is a picture that a publisher has uploaded. What everyone sees is made anew from its pixels.
type Picture struct {
	ID            string // which nobody can guess; the same file of the same publisher has the same
	PublisherID   ID
	Width, Height int
	Forms         []PictureForm
	UploadedAt    time.Time
}

// PictureForm is a picture in one of the sizes in which it is shown.
type PictureForm struct {
	Size        string // empty for the largest
	ContentType string
	Content     []byte
}

// Bytes returns how much is stored of a picture.
func (p Picture) Bytes() (n int64) {
	for _, f := range p.Forms {
		n += int64(len(f.Content))
	}
	return n
}

// UploadsPath begins the paths of uploaded pictures on this server. The database knows it too (upload_of).
const UploadsPath = "/pictures/uploads/"

// PictureUnusedKept is how long a picture is kept that nothing uses.
const PictureUnusedKept = 24 * time.Hour

// PictureStore keeps pictures.
type PictureStore interface {
	PublisherStore
	// SavePicture stores a picture, or notes that it was uploaded again. It fails with ErrQuotaExceeded.
	SavePicture(ctx context.Context, p Picture) error
}

// PictureRenderer makes pictures out of files.
type PictureRenderer interface {
	// Render returns the forms of a publisher's file. It fails with CodeInvalid for what it cannot decode, and with
	// CodeRateLimited while too many others are made.
	Render(ctx context.Context, publisherID ID, file []byte) (Picture, error)
}

// Pictures is the service for pictures.
type Pictures struct {
	store    PictureStore
	renderer PictureRenderer
	now      func() time.Time
}

// NewPictures returns the service for pictures.
func NewPictures(store PictureStore, renderer PictureRenderer, now func() time.Time) *Pictures {
	return &Pictures{store, renderer, now}
}

// Upload stores a picture for a publisher of which the caller is a member, or whose key has ScopePublish.
func (s *Pictures) Upload(ctx context.Context, c Caller, slug string, file []byte) (Picture, error) {
	publisher, err := s.store.PublisherBySlug(ctx, slug)
	if err != nil {
		return Picture{}, err
	}
	if err := authorize(ctx, s.store, c, publisher.ID, ScopePublish); err != nil {
		return Picture{}, err
	}
	if publisher.Suspension != nil {
		return Picture{}, ErrSuspended(SuspendablePublisher, *publisher.Suspension)
	}
	p, err := s.renderer.Render(ctx, publisher.ID, file)
	if err != nil {
		return Picture{}, err
	}
	p.UploadedAt = s.now()
	return p, s.store.SavePicture(ctx, p)
}
