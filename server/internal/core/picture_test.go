package core_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// renderer returns pictures of one form, with the file as the id.
type renderer struct{ err error }

// Render implements core.PictureRenderer.
func (r renderer) Render(_ context.Context, publisherID core.ID, file []byte) (core.Picture, error) {
	return core.Picture{ID: string(file), PublisherID: publisherID, Width: 3, Height: 2,
		Forms: []core.PictureForm{{ContentType: "image/png", Content: file}}}, r.err
}

// TestUploadPicture expects a picture to be stored for whoever may publish, and for nobody else.
func TestUploadPicture(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	metro := made(w.PublisherBySlug(t.Context(), "metro"))
	pictures := core.NewPictures(w, renderer{}, func() time.Time { return w.now })
	key := func(publisher core.ID, scopes ...core.Scope) core.Caller {
		return core.Caller{Kind: core.CallerPublisher, PublisherID: publisher, Scopes: scopes}
	}
	for _, c := range []struct {
		who    string
		caller core.Caller
		want   core.Code
	}{
		{"the owner", w.owner, ""}, {"an editor", w.editor, ""},
		{"a key that publishes", key(metro.ID, core.ScopePublish), ""},
		{"a key that reads", key(metro.ID, core.ScopeRead), core.CodeForbidden},
		{"a key of others", key(core.NewID(), core.ScopePublish), core.CodeNotFound},
		{"a stranger", w.stranger, core.CodeNotFound}, {"an operator", w.operator, core.CodeNotFound},
		{"a visitor", w.visitor, core.CodeUnauthenticated},
	} {
		p, err := pictures.Upload(t.Context(), c.caller, "metro", []byte(c.who))
		core.CheckCode(t, c.who, err, c.want)
		if stored := w.HasPicture(c.who); stored != (c.want == "") {
			t.Errorf("%s: got stored %v, want %v", c.who, stored, c.want == "")
		}
		if err == nil && (p.PublisherID != metro.ID || !p.UploadedAt.Equal(w.now)) {
			t.Errorf("%s: got %v at %v, want metro's of now", c.who, p.PublisherID, p.UploadedAt)
		}
	}
	_, err := pictures.Upload(t.Context(), w.owner, "nada", []byte("x"))
	core.CheckCode(t, "a publisher that does not exist", err, core.CodeNotFound)
}

// TestUploadRefused expects nothing to be stored of what is no picture, of a suspended publisher, and beyond the quota.
func TestUploadRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	clock := func() time.Time { return w.now }
	broken := errors.New("broken")
	_, err := core.NewPictures(w, renderer{broken}, clock).Upload(t.Context(), w.owner, "metro", []byte("broken"))
	if !errors.Is(err, broken) {
		t.Errorf("no picture: got error %v, want the renderer's", err)
	}
	pictures := core.NewPictures(w, renderer{}, clock)
	if _, err := pictures.Upload(t.Context(), w.owner, "metro", []byte("first")); err != nil {
		t.Fatalf("upload: %v", err)
	}
	w.StorageQuota = 1
	_, err = pictures.Upload(t.Context(), w.owner, "metro", []byte("full"))
	if !core.IsQuotaExceeded(err) {
		t.Errorf("beyond the quota: got error %v, want that it is exceeded", err)
	}
	if _, err := pictures.Upload(t.Context(), w.owner, "metro", []byte("first")); err != nil {
		t.Errorf("the same again, beyond the quota: got error %v, want none", err)
	}
	w.StorageQuota = 0
	made(w.moderation.SuspendPublisher(t.Context(), w.operator, "metro", core.SuspensionInput{Reason: "spam"}))
	_, err = pictures.Upload(t.Context(), w.owner, "metro", []byte("suspended"))
	core.CheckCode(t, "a suspended publisher", err, core.CodeForbidden)
	for _, file := range []string{"broken", "full", "suspended"} {
		if w.HasPicture(file) {
			t.Errorf("%s: got it stored, want not", file)
		}
	}
}
