package pictures_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	imagecolor "image/color"
	"testing"

	"github.com/sininho/sininho/server/internal/pictures"
)

type color = imagecolor.Color

func gray(y uint8) color { return imagecolor.Gray{Y: y} }

// webpOf returns the header of an extended WebP, which declares a canvas.
func webpOf(width, height uint32) []byte {
	b := append([]byte("RIFF\x16\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00"), 0, 0, 0, 0)
	b = append(b, byte(width-1), byte((width-1)>>8), byte((width-1)>>16))
	return append(b, byte(height-1), byte((height-1)>>8), byte((height-1)>>16))
}

func box(kind string, parts ...[]byte) []byte {
	content := bytes.Join(parts, nil)
	return append(append(binary.BigEndian.AppendUint32(nil, uint32(8+len(content))), kind...), content...)
}

func ispe(width, height uint32) []byte {
	b := binary.BigEndian.AppendUint32(make([]byte, 4), width)
	return box("ispe", binary.BigEndian.AppendUint32(b, height))
}

// avifOf returns an AVIF without its data, with items of a size and of 1×1.
func avifOf(width, height uint32) []byte {
	return avif(meta(iprp(ipco(box("pixi", make([]byte, 7)), ispe(width, height), ispe(1, 1)))))
}

func avif(parts ...[]byte) []byte {
	return append(box("ftyp", []byte("avif\x00\x00\x00\x00avifmif1")), bytes.Join(parts, nil)...)
}

func meta(parts ...[]byte) []byte {
	return box("meta", append([][]byte{make([]byte, 4), box("hdlr", make([]byte, 24))}, parts...)...)
}

func iprp(parts ...[]byte) []byte { return box("iprp", parts...) }
func ipco(parts ...[]byte) []byte { return box("ipco", parts...) }

// avifTrack returns what makes an AVIF move: a track that is shown in one size and has pictures of another.
func avifTrack(shown, picture uint16) []byte {
	head, entry := make([]byte, 84), make([]byte, 78)
	binary.BigEndian.PutUint16(head[76:], shown)
	binary.BigEndian.PutUint16(head[80:], shown)
	binary.BigEndian.PutUint16(entry[24:], picture)
	binary.BigEndian.PutUint16(entry[26:], picture)
	description := box("stsd", make([]byte, 8), box("av01", entry))
	return box("moov", box("trak", box("tkhd", head), box("mdia", box("minf", box("stbl", description)))))
}

// pngOf returns a PNG of a few bytes that declares a size.
func pngOf(width, height uint32) []byte {
	b := bytes.Clone(pngFile)
	binary.BigEndian.PutUint32(b[16:], width)
	binary.BigEndian.PutUint32(b[20:], height)
	binary.BigEndian.PutUint32(b[29:], crc32.ChecksumIEEE(b[12:29]))
	return b
}

func jpegOf(width, height uint16) []byte {
	b := bytes.Clone(jpegFile)
	frame := bytes.Index(b, []byte{0xff, 0xc0})
	binary.BigEndian.PutUint16(b[frame+5:], height)
	binary.BigEndian.PutUint16(b[frame+7:], width)
	return b
}

// gifOf returns a GIF whose screen is small, with a frame of a size.
func gifOf(width, height uint16) []byte {
	b := bytes.Clone(gifFile)
	frame := bytes.LastIndexByte(b, 0x2c)
	for ; binary.LittleEndian.Uint16(b[frame+5:]) != 3; frame = bytes.LastIndexByte(b[:frame], 0x2c) {
	}
	binary.LittleEndian.PutUint16(b[frame+5:], width)
	binary.LittleEndian.PutUint16(b[frame+7:], height)
	return b
}

func TestFormats(t *testing.T) {
	t.Parallel()
	for want, content := range map[string][]byte{
		"image/png": pngFile, "image/jpeg": jpegFile, "image/gif": gifFile,
		"image/webp": webpFile, "image/avif": avifFile,
	} {
		if got, err := pictures.Inspect(content); got != want || err != nil {
			t.Errorf("type of a picture: got %q, %v; want %s", got, err, want)
		}
	}
	for name, content := range map[string][]byte{
		"PNG": pngOf(5000, 5000), "AVIF": avifOf(5000, 5000),
		"moving AVIF": avif(meta(iprp(ipco(ispe(5000, 5000)))), avifTrack(5000, 5000)),
	} {
		if _, err := pictures.Inspect(content); err != nil {
			t.Errorf("%s of 25 million pixels: got error %v, want none", name, err)
		}
	}
}

// TestBombs expects small files that take much memory to decode to be refused.
func TestBombs(t *testing.T) {
	t.Parallel()
	for name, content := range map[string][]byte{
		"PNG": pngOf(50_000, 50_000), "wide PNG": pngOf(20_000, 1), "PNG of many pixels": pngOf(5001, 5000),
		"largest PNG":     pngOf(1<<31-1, 1<<31-1),
		"JPEG":            jpegOf(65_535, 65_535),
		"screen of a GIF": append([]byte("GIF89a\xff\xff\xff\xff"), gifFile[10:]...),
		"frame of a GIF":  gifOf(65_535, 65_535), "WebP": webpOf(1<<24, 1<<24), "AVIF": avifOf(1<<31, 1<<31),
		"first container of an AVIF": avif(meta(iprp(ipco(ispe(9000, 9000)), ipco(ispe(1, 1))))),
		"last container of an AVIF":  avif(meta(iprp(ipco(ispe(1, 1)), ipco(ispe(9000, 9000))))),
		"first properties":           avif(meta(iprp(ipco(ispe(9000, 9000))), iprp(ipco(ispe(1, 1))))),
		"first of two metas":         avif(meta(iprp(ipco(ispe(9000, 9000)))), meta(iprp(ipco(ispe(1, 1))))),
		"width and height apart":     avif(meta(iprp(ipco(ispe(9000, 1)), ipco(ispe(1, 9000))))),
		"track of an AVIF":           avif(meta(iprp(ipco(ispe(1, 1)))), avifTrack(1, 9000)),
		"enlarged track of an AVIF":  avif(meta(iprp(ipco(ispe(1, 1)))), avifTrack(9000, 1)),
	} {
		if got, err := pictures.Inspect(content); err == nil {
			t.Errorf("%s bomb of %d bytes: got %q, want an error", name, len(content), got)
		}
	}
}

func TestOtherContent(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"nothing": "", "HTML": "<html><script>alert(1)</script>", "SVG": `<svg xmlns="http://www.w3.org/2000/svg"/>`,
		"XML": "<?xml version='1.0'?><svg/>", "the beginning of a PNG": string(pngFile[:20]), "BMP": "BM\x3a\x00",
		"the beginning of a JPEG": "\xff\xd8\xff\xe0", "PDF": "%PDF-1.7", "a GIF without frames": string(gifFile[:13]),
		"a GIF with HTML":     "GIF89a/*" + "<script>",
		"AVIF without a size": string(box("ftyp", []byte("avif\x00\x00\x00\x00"))),
		"a film":              string(box("ftyp", []byte("mp42\x00\x00\x00\x00"))),
		"a sequence":          string(box("ftyp", []byte("avis\x00\x00\x00\x00avifavis"))),
		"an AVIF cut short":   string(avifFile[:len(avifFile)-60]),
		"a WebP of no format": "RIFF\x00\x00\x00\x00WEBPVP8?",
	} {
		if got, err := pictures.Inspect([]byte(content)); err == nil {
			t.Errorf("%s: got %q, want an error", name, got)
		}
	}
}

// FuzzInspect expects no content to panic, and no size beyond the limits.
func FuzzInspect(f *testing.F) {
	for _, content := range [][]byte{pngFile, jpegFile, gifFile, webpFile, avifFile, gifOf(9, 9), pngOf(1<<31-1, 1)} {
		f.Add(content)
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		if got, err := pictures.Inspect(content); (got == "") == (err == nil) {
			t.Errorf("inspect %q: got %q and error %v, want one of them", content, got, err)
		}
	})
}
