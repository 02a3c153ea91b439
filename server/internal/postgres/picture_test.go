package postgres_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// picture returns a picture of the world's publisher, whose id is a letter repeated.
func (w *world) picture(t *testing.T, letter string) core.Picture {
	t.Helper()
	return core.Picture{ID: strings.Repeat(letter, 22), PublisherID: w.publisherID(t), Width: 2, Height: 1,
		UploadedAt: w.now, Forms: []core.PictureForm{
			{ContentType: "image/jpeg", Content: []byte(strings.Repeat("j", 5000))},
			{Size: "icon", ContentType: "image/png", Content: []byte("png" + letter)},
		}}
}

func address(p core.Picture) string { return "https://sininho.example.com" + core.UploadsPath + p.ID }

// TestPictures saves a picture twice and reads its forms. It is counted once.
func TestPictures(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	before := w.counted(t, "before")
	p := w.picture(t, "a")
	for range 2 {
		succeed(t, "save", w.SavePicture(t.Context(), p))
		equal(t, "bytes of a picture", w.counted(t, "saved")-before, 1024+p.Bytes())
	}
	for _, want := range p.Forms {
		equal(t, "form "+want.Size, must(w.PictureForm(t.Context(), p.ID, want.Size)), want)
	}
	for _, missing := range [][2]string{{p.ID, "portrait"}, {strings.Repeat("x", 22), ""}} {
		_, err := w.PictureForm(t.Context(), missing[0], missing[1])
		wantCode(t, "a form that is not there", err, core.CodeNotFound)
	}
	w.StorageQuota = 1
	succeed(t, "save again with a full quota", w.SavePicture(t.Context(), p))
	if err := w.SavePicture(t.Context(), w.picture(t, "b")); !core.IsQuotaExceeded(err) {
		t.Errorf("another with a full quota: got error %v, want that it is exceeded", err)
	}
}

// TestUnusedPictures uses pictures everywhere, and stops using one after another. Each is deleted a day after it was
// uploaded for the last time, and not before.
func TestUnusedPictures(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var image, icon, ofChannel, avatar, template, unused, renewed core.Picture
	for i, p := range []*core.Picture{&image, &icon, &ofChannel, &avatar, &template, &unused, &renewed} {
		*p = w.picture(t, string(rune('a'+i)))
		succeed(t, "save", w.SavePicture(t.Context(), *p))
	}
	n := w.notification("com imagem")
	n.Image, n.Icon = address(image), address(icon)
	must3(w.Publish(t.Context(), n, core.Idempotency{}))
	w.exec(t, "update channels set icon = $1", address(ofChannel))
	made := core.Draft{ID: core.NewID(), DraftOwner: core.DraftOwner{ChannelID: n.Channel.ID}, Name: "Festa",
		Content: core.PublishInput{Image: address(template)}, CreatedAt: w.now, UpdatedAt: w.now}
	must3(w.CreateDraft(t.Context(), made, core.Idempotency{}))
	w.exec(t, "update publishers set avatar = $1", address(avatar))
	left := func(when string, want ...core.Picture) {
		t.Helper()
		succeed(t, "prune", w.Prune(t.Context(), w.now))
		var ids []string
		for _, p := range want {
			ids = append(ids, p.ID)
		}
		equal(t, when+": pictures", scan[[]string](t, w, "select array_agg(id order by id) from pictures"), ids)
		w.counted(t, when)
	}
	w.now = w.now.Add(core.PictureUnusedKept - time.Second)
	left("within a day", image, icon, ofChannel, avatar, template, unused, renewed)
	renewed.UploadedAt = w.now
	succeed(t, "upload again", w.SavePicture(t.Context(), renewed))
	w.now = w.now.Add(2 * time.Second)
	left("after a day", image, icon, ofChannel, avatar, template, renewed)
	w.exec(t, "update channels set icon = null")
	left("without the channel's", image, icon, avatar, template, renewed)
	w.now = w.now.Add(core.PictureUnusedKept)
	w.change(t, n.ID, func(n *core.Notification) { n.Icon = "" })
	w.exec(t, "update publishers set avatar = null")
	w.exec(t, "delete from drafts")
	left("corrected", image)
	w.exec(t, "update notifications set withdrawn_at = $1", w.now)
	w.exec(t, "insert into pictures values ('z', null, 1, $1)", w.now.AddDate(0, 0, -2))
	succeed(t, "prune", w.Prune(t.Context(), w.now))
	equal(t, "pictures in the end", w.count(t, "select count(*) from pictures"), int64(0))
	equal(t, "their forms", w.count(t, "select count(*) from picture_forms"), int64(0))
}

// files keep the forms of pictures in a map, and fail when they are told to.
type files struct {
	kept map[string]core.PictureForm
	err  error
}

func (f *files) Put(_ context.Context, id string, form core.PictureForm) error {
	if f.err == nil {
		f.kept[id+form.Size] = form
	}
	return f.err
}

func (f *files) Get(_ context.Context, id, size string) (core.PictureForm, error) {
	if form, ok := f.kept[id+size]; ok {
		return form, f.err
	}
	return core.PictureForm{}, core.NotFound()
}

func (f *files) Delete(_ context.Context, id string) error {
	if f.err != nil {
		return f.err
	}
	delete(f.kept, id)
	delete(f.kept, id+"icon")
	return nil
}

// TestPicturesOutside keeps pictures in a store outside. While it fails nothing is lost, and in the end nothing is left
// there.
func TestPicturesOutside(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	f := &files{kept: map[string]core.PictureForm{}, err: errors.New("down")}
	w.Files = f
	p := w.picture(t, "a")
	wantCode(t, "save while the store is down", w.SavePicture(t.Context(), p), core.CodeUnavailable)
	f.err = nil
	succeed(t, "save", w.SavePicture(t.Context(), p))
	equal(t, "the largest form", must(w.PictureForm(t.Context(), p.ID, "")), p.Forms[0])
	equal(t, "forms in the database", w.count(t, "select count(*) from picture_forms"), int64(0))
	w.now = w.now.Add(core.PictureUnusedKept + time.Second)
	f.err = errors.New("down")
	if err := w.Prune(t.Context(), w.now); err == nil {
		t.Errorf("prune while the store is down: got no error, want one")
	}
	equal(t, "pictures meanwhile", w.count(t, "select count(*) from pictures"), int64(1))
	f.err = nil
	p.UploadedAt = w.now
	wantCode(t, "upload again while it is deleted", w.SavePicture(t.Context(), p), core.CodeUnavailable)
	succeed(t, "prune", w.Prune(t.Context(), w.now))
	equal(t, "pictures", w.count(t, "select count(*) from pictures"), int64(0))
	succeed(t, "upload again", w.SavePicture(t.Context(), p))
	equal(t, "the largest form again", must(w.PictureForm(t.Context(), p.ID, "")), p.Forms[0])
	w.now = w.now.Add(core.PictureUnusedKept + time.Second)
	succeed(t, "prune again", w.Prune(t.Context(), w.now))
	if len(f.kept) > 0 {
		t.Errorf("files: got %d left, want none", len(f.kept))
	}
}
