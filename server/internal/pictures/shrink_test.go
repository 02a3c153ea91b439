package pictures_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"image"
	imagecolor "image/color"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/pictures"
)

// noise returns a picture that compresses badly.
func noise(width, height int, transparent bool) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	random := rand.New(rand.NewPCG(1, 2))
	for i := range m.Pix {
		if m.Pix[i] = byte(random.Uint32()); i%4 == 3 && !transparent {
			m.Pix[i] = 255
		}
	}
	return m
}

func pngFileOf(m image.Image) []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func jpegFileOf(m image.Image) []byte {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// film returns a GIF of many frames, the first of which is red.
func film(side, frames int) []byte {
	m := image.NewPaletted(image.Rect(0, 0, side, side), []color{imagecolor.RGBA{255, 0, 0, 255}, gray(0)})
	next := image.NewPaletted(m.Rect, m.Palette)
	for i := range next.Pix {
		next.Pix[i] = 1
	}
	g := &gif.GIF{Image: []*image.Paletted{m}, Delay: make([]int, frames)}
	for len(g.Image) < frames {
		g.Image = append(g.Image, next)
	}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, g); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// TestShrink expects each picture to fill its size without being stretched or enlarged, in few bytes.
func TestShrink(t *testing.T) {
	t.Parallel()
	for name, content := range map[string][]byte{
		"noise": pngFileOf(noise(400, 300, false)), "transparent noise": pngFileOf(noise(400, 300, true)),
		"tall": pngFileOf(noise(10, 2000, false)), "wide": pngFileOf(noise(2000, 10, false)),
		"a pixel": pngFileOf(noise(1, 1, false)), "small": pngFileOf(noise(50, 50, true)),
		"JPEG": jpegFileOf(noise(400, 300, false)), "GIF": film(500, 3), "gray": jpegFileOf(image.NewGray(image.Rect(0, 0, 300, 300))),
		"two colours": pngFile,
	} {
		for size, bound := range pictures.Sizes {
			small, contentType, err := pictures.Shrink(t.Context(), content, size)
			if err != nil {
				t.Errorf("%s as %s: got error %v, want none", name, size, err)
				continue
			}
			if len(small) > pictures.MaxSmall {
				t.Errorf("%s as %s: got %d bytes, want at most %d", name, size, len(small), pictures.MaxSmall)
			}
			got, format, err := image.DecodeConfig(bytes.NewReader(small))
			if err != nil || "image/"+format != contentType {
				t.Errorf("%s as %s: got %s, %v; want %s", name, size, format, err, contentType)
			}
			if got.Width > bound.X || got.Height > bound.Y {
				t.Errorf("%s as %s: got %d×%d, want at most %v", name, size, got.Width, got.Height, bound)
			}
		}
	}
	small, _, _ := pictures.Shrink(t.Context(), jpegFileOf(image.NewGray(image.Rect(0, 0, 4000, 1000))), "thumbnail")
	if got, _, _ := image.DecodeConfig(bytes.NewReader(small)); got.Width != 192 || got.Height != 144 {
		t.Errorf("a wide picture as thumbnail: got %d×%d, want 192×144", got.Width, got.Height)
	}
}

// TestPosters expects the top of a tall picture, however its file is turned.
func TestPosters(t *testing.T) {
	t.Parallel()
	for orientation, top := range map[uint16]image.Rectangle{
		1: image.Rect(0, 0, 300, 300), 2: image.Rect(0, 0, 300, 300),
		3: image.Rect(0, 900, 300, 1200), 4: image.Rect(0, 900, 300, 1200),
		5: image.Rect(0, 0, 300, 300), 6: image.Rect(0, 0, 300, 300),
		7: image.Rect(900, 0, 1200, 300), 8: image.Rect(900, 0, 1200, 300),
	} {
		poster := image.NewGray(image.Rect(0, 0, 300, 1200))
		if orientation > 4 {
			poster = image.NewGray(image.Rect(0, 0, 1200, 300))
		}
		draw.Draw(poster, top, image.White, image.Point{}, draw.Src)
		file := exif(binary.BigEndian, "MM", orientation, jpegFileOf(poster))
		small, _, err := pictures.Shrink(t.Context(), file, "thumbnail")
		if err != nil {
			t.Fatalf("orientation %d: %v", orientation, err)
		}
		m, _, err := image.Decode(bytes.NewReader(small))
		if err != nil {
			t.Fatalf("orientation %d: decode the small picture: %v", orientation, err)
		}
		if r, _, _, _ := m.At(96, 72).RGBA(); r>>8 < 200 {
			t.Errorf("middle of a poster in orientation %d: got %v, want the white of its top", orientation, m.At(96, 72))
		}
	}
}

// TestFirstFrame expects a small picture not to move.
func TestFirstFrame(t *testing.T) {
	t.Parallel()
	small, _, err := pictures.Shrink(t.Context(), film(400, 4), "icon")
	if err != nil {
		t.Fatalf("shrink a film: %v", err)
	}
	m, _, err := image.Decode(bytes.NewReader(small))
	if err != nil {
		t.Fatalf("decode the small picture: %v", err)
	}
	if r, g, _, _ := m.At(48, 48).RGBA(); r>>8 < 250 || g>>8 > 5 {
		t.Errorf("colour of the small picture: got %v, want the red of the first frame", m.At(48, 48))
	}
}

// TestBrokenFilesAreNotShrunk expects an error for files that end early.
func TestBrokenFilesAreNotShrunk(t *testing.T) {
	t.Parallel()
	for name, content := range map[string][]byte{
		"PNG": pngFileOf(noise(300, 300, false)), "JPEG": jpegFileOf(noise(300, 300, false)), "GIF": film(300, 1),
	} {
		if _, _, err := pictures.Shrink(t.Context(), content[:len(content)/2], "icon"); err == nil {
			t.Errorf("half a %s: got no error", name)
		}
	}
	for name, content := range map[string][]byte{"AVIF": avifFile, "header of a WebP": webpFile} {
		if _, _, err := pictures.Shrink(t.Context(), content, "icon"); err == nil {
			t.Errorf("%s: got no error", name)
		}
	}
}

// TestNothingElseIsLeft makes pictures small that hold a place, a comment, and a page after their end.
func TestNothingElseIsLeft(t *testing.T) {
	t.Parallel()
	secret := []byte("GPS 38.7223 N 9.1393 W <script>alert(1)</script>")
	comment := append([]byte{0xff, 0xfe, 0, byte(2 + len(secret))}, secret...)
	file := jpegFileOf(noise(400, 300, false))
	withComment := append(append(bytes.Clone(file[:2]), comment...), file[2:]...)
	for name, content := range map[string][]byte{
		"JPEG": append(withComment, secret...), "PNG": append(pngFileOf(noise(400, 300, false)), secret...),
		"GIF": append(film(400, 2), secret...),
	} {
		small, _, err := pictures.Shrink(t.Context(), content, "thumbnail")
		if err != nil {
			t.Errorf("%s: got error %v, want none", name, err)
		}
		if bytes.Contains(small, secret[:8]) || bytes.Contains(small, []byte("<script>")) {
			t.Errorf("%s: the small picture still has what was not a pixel", name)
		}
	}
}

// exif returns a JPEG that says how it is turned.
func exif(order binary.AppendByteOrder, magic string, orientation uint16, file []byte) []byte {
	body := append([]byte("Exif\x00\x00"+magic), order.AppendUint16(nil, 42)...)
	body = order.AppendUint32(body, 8)
	body = order.AppendUint16(body, 2)
	for tag, value := range map[uint16]uint16{0x010f: 7, 0x0112: orientation} {
		body = order.AppendUint16(body, tag)
		body = order.AppendUint16(body, 3)
		body = order.AppendUint32(body, 1)
		body = order.AppendUint16(body, value)
		body = order.AppendUint16(body, 0)
	}
	segment := append(binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(2+len(body))), body...)
	return append(append(bytes.Clone(file[:2]), segment...), file[2:]...)
}

// TestOrientation turns a picture whose corners are of four grays, as browsers do.
func TestOrientation(t *testing.T) {
	t.Parallel()
	const width, height = 400, 300
	corners := image.NewGray(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			corners.Pix[y*width+x] = byte(x/(width/2)*80 + y/(height/2)*160)
		}
	}
	file := jpegFileOf(corners)
	// From the top left: to the right, then the next row. In the file the grays are 0, 80, 160 and 240.
	for orientation, want := range map[uint16][4]int{
		0: {0, 80, 160, 240}, 1: {0, 80, 160, 240}, 2: {80, 0, 240, 160}, 3: {240, 160, 80, 0}, 4: {160, 240, 0, 80},
		5: {0, 160, 80, 240}, 6: {160, 0, 240, 80}, 7: {240, 80, 160, 0}, 8: {80, 240, 0, 160}, 9: {0, 80, 160, 240},
	} {
		for magic, order := range map[string]binary.AppendByteOrder{"II": binary.LittleEndian, "MM": binary.BigEndian} {
			small, _, err := pictures.Shrink(t.Context(), exif(order, magic, orientation, file), "portrait")
			if err != nil {
				t.Fatalf("orientation %d: %v", orientation, err)
			}
			m, _, err := image.Decode(bytes.NewReader(small))
			if err != nil {
				t.Fatalf("orientation %d: decode the small picture: %v", orientation, err)
			}
			if size := m.Bounds().Size(); size != image.Pt(192, 192) {
				t.Errorf("size in orientation %d: got %v, want 192×192", orientation, size)
			}
			var got [4]int
			for i, at := range []image.Point{{48, 48}, {144, 48}, {48, 170}, {144, 170}} {
				y, _, _, _ := m.At(at.X, at.Y).RGBA()
				got[i] = (int(y>>8) + 40) / 80 * 80
			}
			if got != want {
				t.Errorf("corners in orientation %d (%s): got %v, want %v", orientation, magic, got, want)
			}
		}
	}
}

// manyScans returns a JPEG of one component that has decoders visit all its blocks again for each 14 bytes.
func manyScans(side uint16, scans int) []byte {
	b := []byte{0xff, 0xd8, 0xff, 0xdb, 0, 67, 0}
	b = append(b, bytes.Repeat([]byte{1}, 64)...)
	b = append(b, 0xff, 0xc2, 0, 11, 8)
	b = binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(b, side), side)
	b = append(b, 1, 1, 0x11, 0)
	b = append(b, 0xff, 0xc4, 0, 20, 0x10, 1)
	b = append(b, make([]byte, 15)...)
	b = append(b, 0xe0) // the one code: some thousand blocks without a coefficient
	scan := []byte{0xff, 0xda, 0, 8, 1, 1, 0, 1, 63, 0}
	for range int(side) * int(side) / 64 / (1 << 14) {
		scan = append(scan, 0, 0) // a bit of the code, and 14 of the number
	}
	return append(append(b, bytes.Repeat(append(scan, 0, 0), scans)...), 0xff, 0xd9)
}

// TestMemory expects decoding to take no more memory than it may, whatever files say. It runs alone, to measure.
func TestMemory(t *testing.T) { //nolint:paralleltest // it measures the memory of the process
	deep := image.NewNRGBA64(image.Rect(0, 0, 2200, 2200))
	deep.Pix[7] = 1
	for name, content := range map[string][]byte{
		"PNG of 12 million pixels":   pngFileOf(image.NewNRGBA(image.Rect(0, 0, 4000, 3000))),
		"deep PNG":                   pngFileOf(deep),
		"JPEG of 24 million pixels":  jpegFileOf(image.NewYCbCr(image.Rect(0, 0, 6000, 4000), image.YCbCrSubsampleRatio420)),
		"large film":                 film(2000, 9),
		"progressive JPEG":           manyScans(3000, 1),
		"too large progressive JPEG": manyScans(4000, 1),
		"too large PNG":              pngOf(4000, 3500),
		"PNG of nothing":             pngOf(5000, 5000), "JPEG of nothing": jpegOf(5000, 5000), "WebP of nothing": webpOf(5000, 5000),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _, err := pictures.Shrink(t.Context(), content, "thumbnail")
		runtime.ReadMemStats(&after)
		const besides = 10 << 20 // for samples, and what files are read into
		if got := after.TotalAlloc - before.TotalAlloc; got > pictures.MaxDecoded+besides {
			t.Errorf("%s: got %d MiB of memory, want at most %d (error %v)", name, got>>20,
				(pictures.MaxDecoded+besides)>>20, err)
		}
	}
}

// TestDecodingEnds expects a file that takes decoders minutes to be given up.
func TestDecodingEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	began := time.Now()
	_, _, err := pictures.Shrink(ctx, manyScans(3000, 100_000), "icon")
	if err == nil || ctx.Err() == nil {
		t.Errorf("a file of 100,000 scans: got error %v, want that of the context", err)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("a file of 100,000 scans took %s, want about 100ms", took)
	}
}

// FuzzShrink expects no content to panic, and no result beyond the limits.
func FuzzShrink(f *testing.F) {
	file := jpegFileOf(noise(20, 10, false))
	for _, content := range [][]byte{
		pngFile, jpegFile, gifFile, film(5, 2), pngFileOf(noise(9, 9, true)), manyScans(16, 2),
		exif(binary.BigEndian, "MM", 6, file), exif(binary.LittleEndian, "II", 3, file),
	} {
		f.Add(content)
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		small, _, err := pictures.Shrink(ctx, content, "icon")
		if err != nil {
			return
		}
		got, _, err := image.DecodeConfig(bytes.NewReader(small))
		if err != nil || got.Width > 96 || got.Height > 96 || len(small) > pictures.MaxSmall {
			t.Errorf("shrink %q: got %d×%d in %d bytes, %v", content, got.Width, got.Height, len(small), err)
		}
	})
}
