package servertest_test

import (
	"bytes"
	"errors"
	"image"
	"image/jpeg"
	"net/http"
	"strings"
	"testing"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

// photo returns a JPEG of 2,000×1,500 pixels with a comment in its file.
func photo(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 2000, 1500)), nil); err != nil {
		t.Fatalf("encode JPEG: %v", err)
	}
	const place = "38.7223 -9.1393"
	comment := append([]byte{0xff, 0xfe, 0, byte(2 + len(place))}, place...)
	return append(append(bytes.Clone(b.Bytes()[:2]), comment...), b.Bytes()[2:]...)
}

// TestUploadedPicture uploads a photo and publishes it. Everyone can load it in each size, and it says nothing else.
func TestUploadedPicture(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	client := s.Client(sininho.WithAPIKey(s.APIKey))
	picture, err := client.Publishers.UploadPicture(t.Context(), "demo", bytes.NewReader(photo(t)))
	if err != nil {
		t.Fatalf("upload: %v", err)
	}
	check.Equal(t, "size", [2]int{picture.Width, picture.Height}, [2]int{1600, 1200})
	again, err := client.Publishers.UploadPicture(t.Context(), "demo", bytes.NewReader(photo(t)))
	if err != nil || again.URL != picture.URL {
		t.Errorf("upload again: got %v, %v, want the same picture", again, err)
	}
	var n illustrated
	withKey(t, s.SignIn(t, "ana@example.com"), s, http.MethodPost, "/channels/demo/novidades/notifications",
		object{"title": "Festa", "image": picture.URL, "icon": picture.URL}, http.StatusCreated, &n)
	check.Equal(t, "what readers load", n, illustrated{picture.URL, picture.URL, picture.URL, picture.URL})
	for query, want := range map[string]image.Point{
		"": {1600, 1200}, "?size=icon": {96, 96}, "?size=portrait": {192, 192}, "?size=thumbnail": {192, 144},
	} {
		_, _, content := load(t, picture.URL+query)
		got, _, err := image.DecodeConfig(bytes.NewReader(content))
		if err != nil || got.Width != want.X || got.Height != want.Y || bytes.Contains(content, []byte("38.7223")) {
			t.Errorf("%q: got %d×%d, %v, want %v without its place", query, got.Width, got.Height, err, want)
		}
	}
	var refused *sininho.Error
	_, err = client.Publishers.UploadPicture(t.Context(), "demo", strings.NewReader("GIF89a<script>"))
	if !errors.As(err, &refused) || refused.Code != sininho.CodeUnreadablePicture {
		t.Errorf("upload of what is no picture: got error %v, want %s", err, sininho.CodeUnreadablePicture)
	}
	_, err = client.Publishers.UploadPicture(t.Context(), "demo", bytes.NewReader(make([]byte, 5<<20+1)))
	if err == nil || !strings.Contains(err.Error(), "5 MiB") {
		t.Errorf("upload of more than 5 MiB: got error %v, want that it is too large", err)
	}
}
