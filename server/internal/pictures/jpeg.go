package pictures

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
)

// Markers of a JPEG.
const (
	jpegBaseline    = 0xc0
	jpegExtended    = 0xc1
	jpegProgressive = 0xc2
	jpegHuffman     = 0xc4
	jpegQuantizing  = 0xdb
	jpegRestart     = 0xdd
	jpegApp0        = 0xe0
	jpegExif        = 0xe1
	jpegApp15       = 0xef
	jpegComment     = 0xfe
)

// jpegSegments calls a function with the segments of a JPEG before its first scan, until it returns false. It stops at
// whatever decoders may read in more than one way.
func jpegSegments(content []byte, each func(marker byte, segment []byte) bool) {
	for rest := content[2:]; len(rest) >= 4 && rest[0] == 0xff; {
		marker, size := rest[1], 2+int(binary.BigEndian.Uint16(rest[2:]))
		switch marker {
		case jpegBaseline, jpegExtended, jpegProgressive, jpegHuffman, jpegQuantizing, jpegRestart, jpegComment:
		default:
			if marker < jpegApp0 || marker > jpegApp15 {
				return
			}
		}
		if size < 4 || size > len(rest) || !each(marker, rest[4:size]) {
			return
		}
		rest = rest[size:]
	}
}

// jpegPixel returns how many bytes a pixel of a JPEG takes while it is decoded: a sample of each component, and of a
// progressive one its coefficients too.
func jpegPixel(content []byte, _ color.Model) int {
	perPixel := 4 * 5
	jpegSegments(content, func(marker byte, segment []byte) bool {
		switch marker {
		case jpegBaseline, jpegExtended:
			perPixel = jpegSamples(segment)
		case jpegProgressive:
			perPixel = 5 * jpegSamples(segment)
		default:
			return true
		}
		return false
	})
	return perPixel
}

// jpegSamples returns how many samples a pixel has, by the header of a frame, rounded up.
func jpegSamples(frame []byte) int {
	const header, component = 6, 3
	all, largest := 0, 1
	for at := header; at+component <= len(frame); at += component {
		across, down := int(frame[at+1]>>4), int(frame[at+1]&15)
		all += across * down
		largest = max(largest, across*down)
	}
	return (all + largest - 1) / largest
}

// orientation is how a picture is turned and mirrored when it is shown, as in Exif.
type orientation uint16

const upright, lastOrientation = 1, 8

// orientationOf returns the orientation of a picture, which browsers follow in JPEGs.
func orientationOf(content []byte, contentType string) (o orientation) {
	o = upright
	if contentType != "image/jpeg" {
		return o
	}
	jpegSegments(content, func(marker byte, segment []byte) bool {
		exif, ok := bytes.CutPrefix(segment, []byte("Exif\x00\x00"))
		if marker != jpegExif || !ok {
			return true
		}
		if found := exifOrientation(exif); found >= upright && found <= lastOrientation {
			o = found
		}
		return false
	})
	return o
}

// exifOrientation returns the orientation in the first directory of an Exif, or 0.
func exifOrientation(exif []byte) orientation {
	const header, entry, tag = 8, 12, 0x0112
	if len(exif) < header {
		return 0
	}
	var order binary.ByteOrder = binary.BigEndian
	if exif[0] == 'I' {
		order = binary.LittleEndian
	}
	at := int64(order.Uint32(exif[4:]))
	if at+2 > int64(len(exif)) {
		return 0
	}
	entries := exif[at+2:]
	for range order.Uint16(exif[at:]) {
		if len(entries) < entry {
			return 0
		}
		if order.Uint16(entries) == tag {
			return orientation(order.Uint16(entries[8:]))
		}
		entries = entries[entry:]
	}
	return 0
}

// swaps reports whether width and height change places.
func (o orientation) swaps() bool { return o >= 5 }

// turn returns a size of the picture as it is shown for one in its file, and the other way round.
func (o orientation) turn(size image.Point) image.Point {
	if o.swaps() {
		return image.Pt(size.Y, size.X)
	}
	return size
}

// topFirst reports whether the file begins with what is shown at the top.
func (o orientation) topFirst() bool { return o == 1 || o == 2 || o == 5 || o == 6 }

// apply returns a picture as it is shown.
func (o orientation) apply(m *image.RGBA) *image.RGBA {
	if o == upright {
		return m
	}
	size := o.turn(m.Bounds().Size())
	turned := image.NewRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			turned.SetRGBA(x, y, m.RGBAAt(o.from(x, y, size)))
		}
	}
	return turned
}

// from returns where in the file the pixel is that is shown at a place of a picture of a size.
func (o orientation) from(x, y int, shown image.Point) (int, int) {
	right, bottom := shown.X-1-x, shown.Y-1-y
	switch o {
	case 2:
		return right, y
	case 3:
		return right, bottom
	case 4:
		return x, bottom
	case 5:
		return y, x
	case 6:
		return y, right
	case 7:
		return bottom, right
	default: // 8
		return bottom, x
	}
}
