package postgres

import (
	"context"
	"errors"
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
// that nothing uses, which is deleted later. While the same picture is being deleted it fails with
// core.CodeUnavailable.
func (s *Store) SavePicture(ctx context.Context, p core.Picture) error {
	if err := s.tx(ctx, func(ctx context.Context, tx Tx) error { return s.savePicture(ctx, tx, p) }); err != nil {
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

func (s *Store) savePicture(ctx context.Context, tx Tx, p core.Picture) error {
	row := pictureRow{ID: p.ID, PublisherID: &p.PublisherID, Bytes: p.Bytes(), UploadedAt: p.UploadedAt}
	renewed, err := tx.NewUpdate().Model(&row).Column("uploaded_at").WherePK().Where("NOT deleting").Exec(ctx)
	if err != nil {
		return err
	}
	if n, err := renewed.RowsAffected(); err != nil {
		return err
	} else if n == 0 {
		if err := s.insertPicture(ctx, tx, &row); err != nil {
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

var errPictureBusy = errors.New("the picture is being deleted, or uploaded by somebody else")

func (s *Store) insertPicture(ctx context.Context, tx Tx, row *pictureRow) error {
	err := checkStorage(ctx, tx, "select ?0::uuid as publisher_id", *row.PublisherID, s.StorageQuota)
	if err != nil {
		return err
	}
	inserted, err := tx.NewInsert().Model(row).On("CONFLICT (id) DO NOTHING").Exec(ctx)
	if err != nil {
		return err
	}
	if n, err := inserted.RowsAffected(); err != nil || n > 0 {
		return err
	}
	return core.Unavailable(errPictureBusy)
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

// prunedPictures is how many pictures are deleted at a time.
const prunedPictures = 100

// prunePictures deletes the pictures that nothing uses. Each is marked before its files are deleted, outside of a
// transaction, and its row after them: nothing is left behind, and nobody uploads it meanwhile.
func (s *Store) prunePictures(ctx context.Context, now time.Time) error {
	for found := prunedPictures; found == prunedPictures; {
		var ids []string
		before := now.Add(-core.PictureUnusedKept)
		err := s.db.NewUpdate().Table("pictures").Set("deleting = true").
			Where("id IN (?)", s.unusedPictures(before).Limit(prunedPictures)).
			Where("deleting OR uploaded_at < ?", before). // not uploaded again since it was found
			Returning("id").Scan(ctx, &ids)
		if err != nil {
			return Error(err)
		}
		if found = len(ids); found == 0 {
			return nil
		}
		if s.Files != nil {
			for _, id := range ids {
				if err := s.Files.Delete(ctx, id); err != nil {
					return err
				}
			}
		}
		if _, err := s.db.NewDelete().Table("pictures").Where("id IN (?)", bun.List(ids)).Exec(ctx); err != nil {
			return Error(err)
		}
	}
	return nil
}

// pictureUses are the addresses of pictures that are shown, with which of them are. What is withdrawn is not.
var pictureUses = []struct{ table, address, shown string }{
	{"notifications", "image", "withdrawn_at is null"}, {"notifications", "icon", "withdrawn_at is null"},
	{"channels", "icon", "true"}, {"publishers", "avatar", "true"},
	{"drafts", "content->>'image'", "true"}, {"drafts", "content->>'icon'", "true"},
}

// unusedPictures selects the ids of pictures that were uploaded before a time and that nothing uses, and of those whose
// deletion was not finished.
func (s *Store) unusedPictures(before time.Time) *bun.SelectQuery {
	q := s.db.NewSelect().Table("pictures").Column("id").Where("uploaded_at < ?", before).Order("uploaded_at")
	for _, use := range pictureUses {
		q.Where("(deleting OR NOT EXISTS (SELECT FROM ? WHERE (?) LIKE '%/pictures/uploads/%' "+
			"AND upload_of(?) = pictures.id AND ?))",
			bun.Ident(use.table), bun.Safe(use.address), bun.Safe(use.address), bun.Safe(use.shown))
	}
	return q
}
