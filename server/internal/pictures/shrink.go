package pictures

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/draw"
	"golang.org/x/image/webp"
)

// maxDecoded is how many bytes a decoded picture may take.
const maxDecoded = 48 << 20

var (
	errUndecodable = errors.New("pictures of this format are not decoded")
	errDecoded     = errors.New("the picture takes too much memory to decode")
)

// decoders decode the formats of which small pictures are made; of a GIF they decode the first frame.
var decoders = map[string]struct {
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
	// bytesPerPixel returns an upper bound of what a pixel takes while it is decoded.
	bytesPerPixel func(content []byte, model color.Model) int
}{
	"image/png":  {png.DecodeConfig, png.Decode, pngPixel},
	"image/jpeg": {jpeg.DecodeConfig, jpeg.Decode, jpegPixel},
	"image/webp": {webp.DecodeConfig, webp.Decode, func([]byte, color.Model) int { return 10 }},
	"image/gif":  {gif.DecodeConfig, gif.Decode, func([]byte, color.Model) int { return 2 }},
}

// pngPixel returns how many bytes a pixel of a PNG takes while it is decoded.
func pngPixel(content []byte, model color.Model) int {
	const interlace = 28 // the byte that says whether it is interlaced
	size := 4
	switch model {
	case color.Gray16Model, color.RGBA64Model, color.NRGBA64Model:
		size = 8
	}
	if content[interlace] != 0 {
		size *= 2
	}
	return size
}

// shrink returns a picture in a size, without anything that its file had besides the pixels. It stops when ctx is done,
// and refuses pictures that take much memory before it decodes them.
func shrink(ctx context.Context, content []byte, contentType string, size image.Point) ([]byte, string, error) {
	whole, turned, err := decode(ctx, content, contentType, maxDecoded)
	if err != nil {
		return nil, "", err
	}
	part, shown := crop(whole.Bounds(), turned.turn(size), turned)
	return encode(turned.apply(scale(whole, part, shown)), contentType, maxSmall)
}

// decode returns a picture and how it is turned when it is shown. It fails with errDecoded for one that takes more than
// most bytes.
func decode(ctx context.Context, content []byte, contentType string, most int) (image.Image, orientation, error) {
	of, ok := decoders[contentType]
	if !ok {
		return nil, 0, errUndecodable
	}
	header, err := of.config(bytes.NewReader(content))
	if err != nil {
		return nil, 0, err
	}
	if header.Width*header.Height*of.bytesPerPixel(content, header.ColorModel) > most {
		return nil, 0, errDecoded
	}
	whole, err := of.decode(&interrupted{ctx, bytes.NewReader(content)})
	return whole, orientationOf(content, contentType), err
}

// interrupted reads until a context is done, because a file may take a decoder much longer than its size tells.
type interrupted struct {
	ctx  context.Context //nolint:containedctx // a decoder takes no context
	from io.Reader
}

// Read implements io.Reader.
func (r *interrupted) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.from.Read(b[:min(len(b), 512)])
}

// scale returns a part of a picture in a size. It takes samples of a large one first, because averaging all its pixels
// takes time and memory by their number.
func scale(whole image.Image, part image.Rectangle, size image.Point) *image.RGBA {
	const samples = 4 // of each pixel's width and height
	if part.Dx() > samples*size.X && part.Dy() > samples*size.Y {
		sampled := image.NewRGBA(image.Rect(0, 0, samples*size.X, samples*size.Y))
		draw.ApproxBiLinear.Scale(sampled, sampled.Bounds(), whole, part, draw.Src, nil)
		whole, part = sampled, sampled.Bounds()
	}
	small := image.NewRGBA(image.Rectangle{Max: size})
	draw.CatmullRom.Scale(small, small.Bounds(), whole, part, draw.Src, nil)
	return small
}

// encode returns a picture of a file of that type as the smaller of PNG and JPEG, in a lower quality and then in half
// its size until it has at most that many bytes. One with transparent parts is a PNG, and a JPEG stays one.
func encode(m *image.RGBA, from string, most int) (content []byte, contentType string, err error) {
	for {
		content, contentType = nil, ""
		if from != "image/jpeg" {
			var b bytes.Buffer
			if err := png.Encode(&b, m); err != nil {
				return nil, "", err
			}
			content, contentType = b.Bytes(), "image/png"
		}
		if !m.Opaque() && len(content) <= most {
			return content, contentType, nil
		}
		for quality := 80; m.Opaque() && quality > 0; quality -= 20 {
			var b bytes.Buffer
			if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: quality}); err != nil {
				return nil, "", err
			}
			if content == nil || b.Len() < len(content) {
				content, contentType = b.Bytes(), "image/jpeg"
			}
			if len(content) <= most {
				return content, contentType, nil
			}
		}
		half := m.Bounds().Size().Div(2)
		m = scale(m, m.Bounds(), half)
	}
}
