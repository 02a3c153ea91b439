package postgres

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

// PictureFiles keep the forms of uploaded pictures outside the database.
type PictureFiles interface {
	Put(ctx context.Context, id string, f core.PictureForm) error
	// Get fails with core.CodeNotFound when there is no such form.
	Get(ctx context.Context, id, size string) (core.PictureForm, error)
	// Delete deletes all forms of a picture, if there are any.
	Delete(ctx context.Context, id string) error
}

type pictureRow struct {
	bun.BaseModel `bun:"table:pictures,alias:p"`

	ID          string    `bun:"id,pk"`
	PublisherID *core.ID  `bun:"publisher_id"`
	Bytes       int64     `bun:"bytes"`
	UploadedAt  time.Time `bun:"uploaded_at"`
}

type pictureFormRow struct {
	bun.BaseModel `bun:"table:picture_forms,alias:f"`

	PictureID   string `bun:"picture_id,pk"`
	Size        string `bun:"size,pk"`
	ContentType string `bun:"content_type"`
	Content     []byte `bun:"content"`
}

// SavePicture implements core.PictureStore. The row is there before the files: what fails in between leaves a picture
// that nothing uses, which is deleted later.
func (s *Store) SavePicture(ctx context.Context, p core.Picture) error {
	if err := s.tx(ctx, func(ctx context.Context, tx Tx) error { return s.insertPicture(ctx, tx, p) }); err != nil {
		return err
	}
	if s.Files == nil {
		return nil
	}
	for _, f := range p.Forms {
		if err := s.Files.Put(ctx, p.ID, f); err != nil {
			return core.Unavailable(err)
		}
	}
	return nil
}

func (s *Store) insertPicture(ctx context.Context, tx Tx, p core.Picture) error {
	row := pictureRow{ID: p.ID, PublisherID: &p.PublisherID, Bytes: p.Bytes(), UploadedAt: p.UploadedAt}
	renewed, err := tx.NewUpdate().Model(&row).Column("uploaded_at").WherePK().Exec(ctx)
	if err != nil {
		return err
	}
	if n, err := renewed.RowsAffected(); err != nil {
		return err
	} else if n == 0 {
		if err := s.insertPictureRow(ctx, tx, &row); err != nil {
			return err
		}
	}
	if s.Files != nil {
		return nil
	}
	forms := make([]pictureFormRow, len(p.Forms))
	for i, f := range p.Forms {
		forms[i] = pictureFormRow{PictureID: p.ID, Size: f.Size, ContentType: f.ContentType, Content: f.Content}
	}
	_, err = tx.NewInsert().Model(&forms).On("CONFLICT DO NOTHING").Exec(ctx)
	return err
}

func (s *Store) insertPictureRow(ctx context.Context, tx Tx, row *pictureRow) error {
	err := checkStorage(ctx, tx, "select ?0::uuid as publisher_id", *row.PublisherID, s.StorageQuota)
	if err != nil {
		return err
	}
	_, err = tx.NewInsert().Model(row).On("CONFLICT (id) DO NOTHING").Exec(ctx)
	return err
}

// PictureForm returns an uploaded picture in a size, of which "" is the largest. It fails with core.CodeNotFound.
func (s *Store) PictureForm(ctx context.Context, id, size string) (core.PictureForm, error) {
	if s.Files != nil {
		return s.Files.Get(ctx, id, size)
	}
	row := pictureFormRow{PictureID: id, Size: size}
	err := s.db.NewSelect().Model(&row).WherePK().Scan(ctx)
	return core.PictureForm{Size: size, ContentType: row.ContentType, Content: row.Content}, Error(err)
}

// prunedPictures is how many pictures are looked for at a time.
const prunedPictures = 100

// prunePictures deletes the pictures that nothing uses.
func (s *Store) prunePictures(ctx context.Context, now time.Time) error {
	before := now.Add(-core.PictureUnusedKept)
	for found := prunedPictures; found == prunedPictures; {
		var unused []string
		if err := s.unusedPictures(before).Limit(prunedPictures).Scan(ctx, &unused); err != nil {
			return Error(err)
		}
		found = len(unused)
		for _, id := range unused {
			if err := s.deletePicture(ctx, id, before); err != nil {
				return err
			}
		}
	}
	return nil
}

// deletePicture deletes a picture unless it was uploaded again. Whoever uploads it meanwhile waits, and then stores it
// anew.
func (s *Store) deletePicture(ctx context.Context, id string, before time.Time) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		deleted, err := tx.NewDelete().Table("pictures").Where("id = ?", id).Where("uploaded_at < ?", before).Exec(ctx)
		if err != nil {
			return err
		}
		if n, err := deleted.RowsAffected(); err != nil || n == 0 || s.Files == nil {
			return err
		}
		return s.Files.Delete(ctx, id)
	})
}

// unusedPictures selects the ids of pictures that were uploaded before a time and that nothing uses.
func (s *Store) unusedPictures(before time.Time) *bun.SelectQuery {
	q := s.db.NewSelect().Table("pictures").Column("id").Where("uploaded_at < ?", before).Order("uploaded_at")
	for _, use := range []struct{ table, address string }{
		{"notifications", "image"}, {"notifications", "icon"}, {"channels", "icon"}, {"publishers", "avatar"},
		{"drafts", "content->>'image'"}, {"drafts", "content->>'icon'"},
	} {
		shown := "true"
		if use.table == "notifications" { // what is withdrawn is shown to nobody
			shown = "withdrawn_at is null"
		}
		q.Where("NOT EXISTS (SELECT FROM ? WHERE (?) LIKE '%/pictures/uploads/%' AND upload_of(?) = pictures.id AND ?)",
			bun.Ident(use.table), bun.Safe(use.address), bun.Safe(use.address), bun.Safe(shown))
	}
	return q
}
