package docs

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"time"
)

// file is a file to serve, plain and compressed.
type file struct {
	address      string
	contentType  string
	cacheControl string
	etag         string
	plain, gzip  []byte
}

const (
	checked = "no-cache"                            // stored, but revalidated before each use
	forGood = "public, max-age=31536000, immutable" // for a name that contains the content's hash
)

func newFile(address, contentType, cacheControl string, content []byte) (*file, error) {
	var small bytes.Buffer
	w, err := gzip.NewWriterLevel(&small, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return &file{
		address: address, contentType: contentType, cacheControl: cacheControl, etag: hash(content), plain: content,
		gzip: small.Bytes(),
	}, nil
}

func hash(content []byte) string {
	sum := sha256.Sum256(content)
	return base64.RawURLEncoding.EncodeToString(sum[:9])
}

func (f *file) serve(w http.ResponseWriter, r *http.Request, status int) {
	content, etag := f.plain, f.etag
	header := w.Header()
	header.Set("Content-Type", f.contentType)
	header.Set("Cache-Control", f.cacheControl)
	header.Add("Vary", "Accept-Encoding")
	if quality(r.Header.Get("Accept-Encoding"), "gzip") > 0 {
		header.Set("Content-Encoding", "gzip")
		content, etag = f.gzip, f.etag+"-gzip"
	}
	if status != http.StatusOK {
		w.WriteHeader(status)
		if r.Method != http.MethodHead {
			_, _ = w.Write(content)
		}
		return
	}
	header.Set("ETag", strconv.Quote(etag))
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}
