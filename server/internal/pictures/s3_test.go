package pictures_test

import (
	"bytes"
	"errors"
	"io/fs"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/pictures"
)

const s3Key, s3Secret = "sininho", "a-secret-of-the-test"

// startS3 starts a store with the bucket sininho, and returns its address and the folder in which it keeps objects.
func startS3(t *testing.T) (endpoint *url.URL, folder string) {
	t.Helper()
	program, err := filepath.Abs("../../../bin/tools/versitygw")
	if err != nil {
		t.Fatalf("find the store: %v", err)
	}
	if _, err := os.Stat(program); err != nil {
		t.Fatalf("the store is not built: %v; run make bin/tools/versitygw", err)
	}
	folder = t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "sininho"), 0o700); err != nil {
		t.Fatalf("make the bucket: %v", err)
	}
	address := freeAddress(t)
	store := exec.CommandContext(t.Context(), program, "--port", address, "--quiet", "posix", "--sidecar", t.TempDir(), folder)
	store.Env = []string{"ROOT_ACCESS_KEY=" + s3Key, "ROOT_SECRET_KEY=" + s3Secret}
	var said bytes.Buffer
	store.Stderr = &said
	if err := store.Start(); err != nil {
		t.Fatalf("start the store: %v", err)
	}
	t.Cleanup(func() {
		_ = store.Process.Kill()
		_ = store.Wait()
		if t.Failed() {
			t.Logf("the store said: %s", said.String())
		}
	})
	eventually.True(t, "the store listens", func() bool {
		c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
		if err == nil {
			_ = c.Close()
		}
		return err == nil
	})
	return &url.URL{Scheme: "http", Host: address}, folder
}

// freeAddress returns an address on which nobody listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("listen: %v", err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

func newS3(t *testing.T, endpoint *url.URL, secret string) *pictures.S3 {
	t.Helper()
	s, err := pictures.NewS3(endpoint, "us-east-1", "sininho", s3Key, secret)
	if err != nil {
		t.Fatalf("new S3: %v", err)
	}
	return s
}

// TestS3 keeps a picture in a store, reads it and deletes it, with nothing left behind.
func TestS3(t *testing.T) {
	t.Parallel()
	endpoint, folder := startS3(t)
	s := newS3(t, endpoint, s3Secret)
	forms := []core.PictureForm{{ContentType: "image/jpeg", Content: bytes.Repeat([]byte("j"), pictures.MaxUploadStored)},
		{Size: "icon", ContentType: "image/png", Content: []byte("png")}}
	for _, f := range forms {
		for range 2 {
			if err := s.Put(t.Context(), uploadID, f); err != nil {
				t.Fatalf("put %q: %v", f.Size, err)
			}
		}
		got, err := s.Get(t.Context(), uploadID, f.Size)
		if err != nil || got.ContentType != f.ContentType || !bytes.Equal(got.Content, f.Content) {
			t.Errorf("get %q: got %s of %d bytes, %v; want %s of %d", f.Size, got.ContentType, len(got.Content), err,
				f.ContentType, len(f.Content))
		}
	}
	if _, err := s.Get(t.Context(), uploadID, "portrait"); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("a form that is not there: got error %v, want %s", err, core.CodeNotFound)
	}
	for range 2 {
		if err := s.Delete(t.Context(), uploadID); err != nil {
			t.Errorf("delete: %v", err)
		}
	}
	err := filepath.WalkDir(filepath.Join(folder, "sininho", "pictures"), func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			t.Errorf("deleted: got %s left", path)
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("look for what is left: %v", err)
	}
}

// TestS3Refuses expects what fails to be said, and nothing to be taken for missing.
func TestS3Refuses(t *testing.T) {
	t.Parallel()
	endpoint, _ := startS3(t)
	form := core.PictureForm{ContentType: "image/png", Content: []byte("png")}
	for name, s := range map[string]*pictures.S3{
		"a wrong secret":       newS3(t, endpoint, "wrong"),
		"a store that is gone": newS3(t, &url.URL{Scheme: "http", Host: freeAddress(t)}, s3Secret),
	} {
		if err := s.Put(t.Context(), uploadID, form); err == nil {
			t.Errorf("put with %s: got no error", name)
		}
		if _, err := s.Get(t.Context(), uploadID, ""); err == nil || core.IsCode(err, core.CodeNotFound) {
			t.Errorf("get with %s: got error %v, want another than %s", name, err, core.CodeNotFound)
		}
	}
}
