package pictures

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/url"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/sininho/sininho/server/internal/core"
)

// S3 keeps uploaded pictures in a bucket of an S3-compatible store, under pictures/. It implements
// postgres.PictureFiles.
type S3 struct {
	client *minio.Client
	bucket string
}

// s3Timeout limits what is asked of the store for a picture.
const s3Timeout = 10 * time.Second

// NewS3 returns an S3. It asks nothing of the store yet.
func NewS3(endpoint *url.URL, region, bucket, keyID, secret string) (*S3, error) {
	client, err := minio.New(endpoint.Host, &minio.Options{
		Creds: credentials.NewStaticV4(keyID, secret, ""), Secure: endpoint.Scheme == "https", Region: region,
		BucketLookup: minio.BucketLookupPath, MaxRetries: 2,
	})
	return &S3{client, bucket}, err
}

// Put implements postgres.PictureFiles.
func (s *S3) Put(ctx context.Context, id string, f core.PictureForm) error {
	ctx, cancel := context.WithTimeout(ctx, s3Timeout)
	defer cancel()
	_, err := s.client.PutObject(ctx, s.bucket, s3Name(id, f.Size), bytes.NewReader(f.Content), int64(len(f.Content)),
		minio.PutObjectOptions{ContentType: f.ContentType, DisableMultipart: true})
	return err
}

// Get implements postgres.PictureFiles.
func (s *S3) Get(ctx context.Context, id, size string) (core.PictureForm, error) {
	ctx, cancel := context.WithTimeout(ctx, s3Timeout)
	defer cancel()
	object, err := s.client.GetObject(ctx, s.bucket, s3Name(id, size), minio.GetObjectOptions{})
	if err != nil {
		return core.PictureForm{}, err
	}
	defer func() { _ = object.Close() }()
	content, err := io.ReadAll(io.LimitReader(object, maxUploadStored))
	if err != nil {
		if minio.ToErrorResponse(err).Code == minio.NoSuchKey {
			return core.PictureForm{}, core.NotFound()
		}
		return core.PictureForm{}, err
	}
	info, err := object.Stat() // known since it was read
	return core.PictureForm{Size: size, ContentType: info.ContentType, Content: content}, err
}

// Delete implements postgres.PictureFiles.
func (s *S3) Delete(ctx context.Context, id string) error {
	ctx, cancel := context.WithTimeout(ctx, s3Timeout)
	defer cancel()
	err := s.client.RemoveObject(ctx, s.bucket, s3Name(id, ""), minio.RemoveObjectOptions{})
	for size := range sizes {
		err = errors.Join(err, s.client.RemoveObject(ctx, s.bucket, s3Name(id, size), minio.RemoveObjectOptions{}))
	}
	return err
}

// s3Name returns the name of an object.
func s3Name(id, size string) string {
	if size == "" {
		size = "whole"
	}
	return "pictures/" + id + "/" + size
}
