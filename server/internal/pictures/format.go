package pictures

import (
	"bytes"
	"errors"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/webp"
)

const (
	maxBytes  = 5 << 20
	maxPixels = 25_000_000
	maxSide   = 16_384 // of width and height, in pixels
)

var (
	errTooLarge = errors.New("the picture has more than 5 MiB")
	errPixels   = errors.New("the picture has more than 25 million pixels, or a side of more than 16,384")
	errFormat   = errors.New("the response is not a PNG, JPEG, WebP, GIF or AVIF")
)

// formats are the formats that are passed on, recognized by how their content begins. None of them can hold a script,
// as SVG can.
var formats = []struct {
	contentType string
	begins      string // with ? for any byte
	size        func([]byte) (image.Point, error)
}{
	{"image/png", "\x89PNG\r\n\x1a\n", header(png.DecodeConfig)},
	{"image/jpeg", "\xff\xd8\xff", header(jpeg.DecodeConfig)},
	{"image/webp", "RIFF????WEBPVP8", header(webp.DecodeConfig)},
	{"image/gif", "GIF8?a", gifSize},
	{"image/avif", "????ftypavif", avifSize},
}

// header returns a function that reads no more of a picture than its header.
func header(decode func(io.Reader) (image.Config, error)) func([]byte) (image.Point, error) {
	return func(content []byte) (image.Point, error) {
		c, err := decode(bytes.NewReader(content))
		return image.Pt(c.Width, c.Height), err
	}
}

// inspect returns the content type of a picture. It fails for anything else, and for a picture that takes browsers too
// much memory to decode, however small its file is.
func inspect(content []byte) (contentType string, err error) {
	for _, f := range formats {
		if !begins(content, f.begins) {
			continue
		}
		size, err := f.size(content)
		switch {
		case err != nil || size.X <= 0 || size.Y <= 0:
			return "", errFormat
		case size.X > maxSide || size.Y > maxSide || size.X*size.Y > maxPixels:
			return "", errPixels
		}
		return f.contentType, nil
	}
	return "", errFormat
}

// mayBePicture reports whether the first bytes of a response are those of a picture.
func mayBePicture(first []byte) bool {
	for _, f := range formats {
		if begins(first, f.begins) {
			return true
		}
	}
	return false
}

// longestBeginning is the length of the longest of the formats' beginnings.
const longestBeginning = len("RIFF????WEBPVP8")

func begins(content []byte, pattern string) bool {
	if len(content) < len(pattern) {
		return false
	}
	for i := range len(pattern) {
		if pattern[i] != '?' && pattern[i] != content[i] {
			return false
		}
	}
	return true
}

// gifSize returns the size that holds the screen and all frames.
func gifSize(content []byte) (image.Point, error) {
	c, err := gif.DecodeConfig(bytes.NewReader(content))
	if err != nil {
		return image.Point{}, err
	}
	frames, err := gifFrames(content)
	return frames.Union(image.Rect(0, 0, c.Width, c.Height)).Max, err
}
