package pictures

import (
	"bytes"
	"context"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"image"
	"log/slog"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/guard"
)

const (
	// renderers is how many uploaded pictures are made at a time, of each publisher one.
	renderers       = 2
	renderPatience  = 5 * time.Second // of an upload, until it has its turn
	renderTime      = 10 * time.Second
	maxRendered     = 96 << 20  // bytes that a decoded picture may take
	maxUploadSide   = 1600      // of width and height, in pixels
	maxUploadStored = 512 << 10 // bytes of the largest form
)

// Renderer makes the pictures that publishers upload anew from their pixels. It implements core.PictureRenderer.
type Renderer struct {
	key    []byte // of the ids
	places *guard.Shares[core.ID]
	log    *slog.Logger
}

// NewRenderer returns a Renderer, whose ids are derived from the server's secret key.
func NewRenderer(secretKey []byte, log *slog.Logger) (*Renderer, error) {
	key, err := hkdf.Key(sha256.New, secretKey, nil, "sininho uploads", sha256.Size)
	return &Renderer{key, guard.NewShares[core.ID](renderers, 1), log}, err
}

// Render implements core.PictureRenderer.
func (r *Renderer) Render(ctx context.Context, publisherID core.ID, file []byte) (core.Picture, error) {
	contentType, err := inspect(file)
	if err != nil {
		return core.Picture{}, notRendered(err)
	}
	waiting, cancel := context.WithTimeout(ctx, renderPatience)
	defer cancel()
	leave, err := r.places.Take(waiting, publisherID, 1)
	if err != nil {
		return core.Picture{}, errRendering()
	}
	defer leave()
	limited, cancel := context.WithTimeout(ctx, renderTime)
	defer cancel()
	p, err := core.Picture{}, errors.New("panic")
	guard.Run(limited, r.log, func(ctx context.Context) { p, err = render(ctx, file, contentType) })
	if err != nil {
		return core.Picture{}, notRendered(err)
	}
	p.ID, p.PublisherID = r.id(publisherID, file), publisherID
	return p, nil
}

// id returns the id of a publisher's file.
func (r *Renderer) id(publisherID core.ID, file []byte) string {
	mac := hmac.New(sha256.New, r.key)
	mac.Write(publisherID[:])
	mac.Write(file)
	return encoding.EncodeToString(mac.Sum(nil)[:signatureSize])
}

// render returns all forms of a picture.
func render(ctx context.Context, file []byte, contentType string) (p core.Picture, err error) {
	whole, turned, err := decode(ctx, file, contentType, maxRendered)
	if err != nil {
		return p, err
	}
	size := within(whole.Bounds().Size(), maxUploadSide)
	largest := turned.apply(scale(whole, whole.Bounds(), size))
	content, storedType, err := encode(largest, contentType, maxUploadStored)
	if err != nil {
		return p, err
	}
	stored, err := decodeConfig(content, storedType) // encoding may have made it smaller
	if err != nil {
		return p, err
	}
	p.Width, p.Height = stored.Width, stored.Height
	p.Forms = append(p.Forms, core.PictureForm{ContentType: storedType, Content: content})
	for name, size := range sizes {
		if err := ctx.Err(); err != nil {
			return p, err
		}
		part, shown := crop(largest.Bounds(), size, upright)
		content, smallType, err := encode(scale(largest, part, shown), contentType, maxSmall)
		if err != nil {
			return p, err
		}
		p.Forms = append(p.Forms, core.PictureForm{Size: name, ContentType: smallType, Content: content})
	}
	return p, nil
}

func decodeConfig(content []byte, contentType string) (image.Config, error) {
	return decoders[contentType].config(bytes.NewReader(content))
}

// within returns a size in the same shape with no side above most.
func within(size image.Point, most int) image.Point {
	longest := max(size.X, size.Y)
	if longest <= most {
		return size
	}
	return image.Pt(max(1, size.X*most/longest), max(1, size.Y*most/longest))
}

// notRendered returns what the publisher is told of a file that is no picture, or not one that is decoded.
func notRendered(err error) error {
	detail := core.Text{EN: "The file is damaged, or no PNG, JPEG, WebP or GIF. Save the picture as PNG or JPEG.",
		PT: "O ficheiro está danificado, ou não é um PNG, JPEG, WebP ou GIF. Guarde a imagem como PNG ou JPEG."}
	switch {
	case errors.Is(err, errPixels), errors.Is(err, errDecoded), errors.Is(err, context.DeadlineExceeded):
		detail = core.Text{EN: "The picture is too large to decode. Make it smaller, such as 4,000 by 3,000 pixels.",
			PT: "A imagem é demasiado grande. Reduza-a, por exemplo para 4000 por 3000 píxeis."}
	case errors.Is(err, context.Canceled):
		return err
	}
	return &core.Error{Code: core.CodeInvalid, Reason: "unreadable_picture", Detail: detail, Err: err}
}

// errRendering returns the error of an upload that had no turn.
func errRendering() error {
	return &core.Error{Code: core.CodeRateLimited, RetryAfter: renderPatience, Detail: core.Text{
		EN: "Too many pictures are uploaded at once; upload one after another.",
		PT: "Há demasiadas imagens a ser carregadas ao mesmo tempo; carregue uma de cada vez."}}
}
