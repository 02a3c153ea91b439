package pictures_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"image"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/pictures"
)

func newRenderer(t testing.TB) *pictures.Renderer {
	t.Helper()
	r, err := pictures.NewRenderer(bytes.Repeat([]byte{1}, 32), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatalf("new renderer: %v", err)
	}
	return r
}

// pixelWebP returns a WebP of one pixel.
func pixelWebP(t *testing.T) []byte {
	t.Helper()
	file, err := base64.StdEncoding.DecodeString("UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAgA0JaQAA3AA/vuUAAA=")
	if err != nil {
		t.Fatalf("decode base64: %v", err)
	}
	return file
}

// TestRender expects every format in all sizes, upright, not enlarged, and in few bytes.
func TestRender(t *testing.T) {
	t.Parallel()
	r := newRenderer(t)
	for name, c := range map[string]struct {
		file []byte
		want image.Point
	}{
		"a photo":              {jpegFileOf(image.NewGray(image.Rect(0, 0, 1700, 170))), image.Pt(1600, 160)},
		"noise":                {jpegFileOf(noise(600, 450, false)), image.Pt(600, 450)},
		"a turned photo":       {exif(binary.BigEndian, "MM", 6, jpegFileOf(image.NewGray(image.Rect(0, 0, 1700, 170)))), image.Pt(160, 1600)},
		"a small PNG":          {pngFileOf(noise(30, 20, true)), image.Pt(30, 20)},
		"a wide PNG":           {pngFileOf(image.NewGray(image.Rect(0, 0, 5000, 2))), image.Pt(1600, 1)},
		"a film":               {film(500, 30), image.Pt(500, 500)},
		"a WebP":               {pixelWebP(t), image.Pt(1, 1)},
		"a palette of colours": {pngFile, image.Pt(3, 2)},
	} {
		p, err := r.Render(t.Context(), core.ID{1}, c.file)
		if err != nil {
			t.Errorf("%s: got error %v, want none", name, err)
			continue
		}
		got := image.Pt(p.Width, p.Height)
		if ratio := float64(got.X) / float64(c.want.X); got.X > c.want.X || got.Y > c.want.Y || ratio < 0.2 {
			t.Errorf("%s: got %v, want at most %v", name, got, c.want)
		}
		if len(p.Forms) != 1+len(pictures.Sizes) {
			t.Errorf("%s: got %d forms, want %d", name, len(p.Forms), 1+len(pictures.Sizes))
		}
		for _, f := range p.Forms {
			most := pictures.MaxSmall
			if f.Size == "" {
				most = pictures.MaxUploadStored
			}
			config, format, err := image.DecodeConfig(bytes.NewReader(f.Content))
			if err != nil || "image/"+format != f.ContentType || len(f.Content) > most {
				t.Errorf("%s as %q: got %s of %d bytes, %v; want %s of at most %d", name, f.Size, format, len(f.Content),
					err, f.ContentType, most)
			}
			if f.Size == "" && (config.Width != p.Width || config.Height != p.Height) {
				t.Errorf("%s: got %d×%d in the file, want %v", name, config.Width, config.Height, got)
			}
		}
	}
}

// TestRenderedID expects the same file of the same publisher to be the same picture, and no other.
func TestRenderedID(t *testing.T) {
	t.Parallel()
	id := func(publisher core.ID, file []byte) string {
		p, err := newRenderer(t).Render(t.Context(), publisher, file)
		if err != nil {
			t.Fatalf("render: %v", err)
		}
		return p.ID
	}
	all := []string{id(core.ID{1}, pngFile), id(core.ID{2}, pngFile), id(core.ID{1}, jpegFile)}
	if slices.Sort(all); len(slices.Compact(all)) != 3 {
		t.Errorf("ids of a file, of another publisher's and of another file: got %v, want three", all)
	}
	if again := id(core.ID{1}, pngFile); !slices.Contains(all, again) {
		t.Errorf("the same again: got %s, want one of %v", again, all)
	}
}

// TestHostileUploads sends 1,000 files that are damaged, disguised, or hide something. What is accepted has none of it,
// and little memory is used.
func TestHostileUploads(t *testing.T) {
	t.Parallel()
	r := newRenderer(t)
	secret := []byte("<script>alert(document.cookie)</script>GPS 38.7223 -9.1393")
	bases := [][]byte{pngFile, jpegFile, gifFile, webpFile, film(40, 5), pngFileOf(noise(60, 40, true)),
		exif(binary.LittleEndian, "II", 6, jpegFileOf(noise(60, 40, false))), avifFile}
	random := rand.New(rand.NewPCG(3, 5))
	refused := 0
	for i := range 1000 {
		file := hostile(random, i, bases[random.IntN(len(bases))], secret)
		p, err := r.Render(t.Context(), core.ID{1}, file)
		if err != nil {
			if refused++; !core.IsCode(err, core.CodeInvalid) {
				t.Errorf("file %d: got error %v, want %s", i, err, core.CodeInvalid)
			}
			continue
		}
		for _, f := range p.Forms {
			if bytes.Contains(f.Content, secret[:20]) || bytes.Contains(f.Content, secret[len(secret)-16:]) {
				t.Fatalf("file %d as %q: got what was hidden in it", i, f.Size)
			}
		}
	}
	if refused < 300 || refused > 900 {
		t.Errorf("files: got %d of 1000 refused, want the damaged ones", refused)
	}
}

// hostile returns a file that is damaged, or has something hidden in it, in one of several ways.
func hostile(random *rand.Rand, i int, base, secret []byte) []byte {
	file := slices.Clone(base)
	switch i % 8 {
	case 0: // cut off
		return file[:random.IntN(len(file))]
	case 1: // some bytes changed
		for range 1 + random.IntN(8) {
			file[random.IntN(len(file))] ^= byte(1 + random.IntN(255))
		}
		return file
	case 2: // a page behind it, as in polyglots
		return append(file, secret...)
	case 3: // a page that says it is a picture
		return append([]byte("GIF89a/*"), secret...)
	case 4: // an enormous size in the header
		at := min(len(file)-4, 16+random.IntN(10))
		binary.BigEndian.PutUint32(file[at:], 0x7fffffff)
		return file
	case 5: // something in the middle
		at := random.IntN(len(file))
		return slices.Concat(file[:at], secret, file[at:])
	case 6: // a vector graphic
		return append([]byte(`<svg xmlns="http://www.w3.org/2000/svg">`), secret...)
	default: // not a picture at all
		for j := range file {
			file[j] = byte(random.Uint32())
		}
		return file
	}
}

// TestUploadBombs expects files of few bytes that decode to many to be refused before that. It counts what all tests
// take, so it runs alone.
//
//nolint:paralleltest // see above
func TestUploadBombs(t *testing.T) {
	r := newRenderer(t)
	for name, file := range map[string][]byte{
		"pixels": pngOf(6000, 6000), "a long side": pngOf(20_000, 1), "a large WebP": webpOf(4900, 4900),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := r.Render(t.Context(), core.ID{1}, file)
		runtime.ReadMemStats(&after)
		if !core.IsCode(err, core.CodeInvalid) {
			t.Errorf("%s: got error %v, want %s", name, err, core.CodeInvalid)
		}
		if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20 {
			t.Errorf("%s: got %d bytes of memory, want at most a MiB", name, got)
		}
	}
}
