package httpapi

import (
	"context"
	"mime"
	"net/http"
	"strings"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// UploadPicture stores a picture.
func (a *server) UploadPicture(
	ctx context.Context, in gen.UploadPictureRequestObject,
) (gen.UploadPictureResponseObject, error) {
	c := callOf(ctx)
	p, err := a.Uploads.Upload(ctx, c.caller, in.PublisherSlug, c.body)
	if err != nil {
		return nil, err
	}
	picture := a.toAPIPicture(p)
	return gen.UploadPicture201JSONResponse{
		Body: picture, Headers: gen.UploadPicture201ResponseHeaders{Location: &picture.URL},
	}, nil
}

// receivePicture reads a picture into c. What it is, its content tells.
func (a *server) receivePicture(w http.ResponseWriter, r *http.Request, c *call) error {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || !strings.HasPrefix(media, "image/") || r.Header.Get("Content-Encoding") != "" {
		return &core.Error{Code: codeMedia, Detail: core.Text{
			EN: "The body must be a picture's file, with a Content-Type such as image/jpeg.",
			PT: "O corpo tem de ser o ficheiro de uma imagem, com um Content-Type como image/jpeg."}}
	}
	return a.receive(w, r, c)
}

func (a *server) toAPIPicture(p core.Picture) api.Picture {
	return api.Picture{
		URL:   a.PublicURL.Scheme + "://" + a.PublicURL.Host + core.UploadsPath + p.ID,
		Width: int32(p.Width), Height: int32(p.Height), StoredBytes: p.Bytes(), //nolint:gosec // at most 1,600
	}
}
