package webui

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"
)

// encodings lists the compressed forms that the build may have created next to a file, the smaller first.
var encodings = []struct{ name, extension string }{{"br", ".br"}, {"gzip", ".gz"}}

type file struct {
	contentType string
	etag        string
	plain       content
	encoded     map[string]content
}

// content opens what a file holds.
type content func() io.ReadSeeker

func inMemory(bs []byte) content { return func() io.ReadSeeker { return bytes.NewReader(bs) } }

// loadFiles finds the files of the app. They stay where they are: embedded in the binary.
func loadFiles(dist fs.FS) map[string]*file {
	files := map[string]*file{}
	_ = fs.WalkDir(dist, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(entry.Name(), ".") || isEncoded(name) {
			return nil
		}
		if loaded, err := loadFile(dist, name); err == nil {
			files[name] = loaded
		}
		return nil
	})
	return files
}

func loadFile(dist fs.FS, name string) (*file, error) {
	plain, err := embedded(dist, name)
	if err != nil {
		return nil, err
	}
	loaded := newFile(name, plain)
	for _, encoding := range encodings {
		if encoded, err := embedded(dist, name+encoding.extension); err == nil {
			loaded.encoded[encoding.name] = encoded
		}
	}
	return loaded, nil
}

// embedded returns the content of a file of the app, which is there for good, can be read from anywhere, and needs no
// closing.
func embedded(dist fs.FS, name string) (content, error) {
	if _, err := fs.Stat(dist, name); err != nil {
		return nil, err
	}
	return func() io.ReadSeeker {
		opened, _ := dist.Open(name)
		return opened.(io.ReadSeeker) //nolint:forcetypeassert // as the files of package embed
	}, nil
}

func newFile(name string, plain content) *file {
	sum := sha256.New()
	_, _ = io.Copy(sum, plain()) // neither memory nor what is embedded fails
	return &file{
		contentType: contentType(name),
		etag:        base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:12]),
		plain:       plain,
		encoded:     map[string]content{},
	}
}

// gzips are reused, because each takes almost a megabyte.
var gzips = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

// newCompressedFile returns a file that was made at run time, with its compressed form.
func newCompressedFile(name string, plain []byte) *file {
	made := newFile(name, inMemory(plain))
	var compressed bytes.Buffer
	w, _ := gzips.Get().(*gzip.Writer)
	defer gzips.Put(w)
	w.Reset(&compressed)
	_, _ = w.Write(plain) // a buffer takes everything
	_ = w.Close()
	made.encoded["gzip"] = inMemory(compressed.Bytes())
	return made
}

func isEncoded(name string) bool {
	extension := path.Ext(name)
	return extension == ".br" || extension == ".gz"
}

// contentType knows the app's text formats itself, because the MIME tables of machines differ.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".webmanifest":
		return "application/manifest+json"
	case ".txt":
		return "text/plain; charset=utf-8"
	case ".xml":
		return "application/xml; charset=utf-8"
	}
	if known := mime.TypeByExtension(path.Ext(name)); known != "" {
		return known
	}
	return "application/octet-stream"
}

func (f *file) serve(w http.ResponseWriter, r *http.Request, cacheControl string) {
	content, etag := f.choose(w.Header(), r, cacheControl)
	w.Header().Set("ETag", strconv.Quote(etag))
	http.ServeContent(w, r, "", time.Time{}, content)
}

// serveAs serves the file with the status of an error, which no cache may confirm.
func (f *file) serveAs(w http.ResponseWriter, r *http.Request, status int, cacheControl string) {
	content, _ := f.choose(w.Header(), r, cacheControl)
	size, _ := content.Seek(0, io.SeekEnd)
	_, _ = content.Seek(0, io.SeekStart)
	w.Header().Set("Content-Length", strconv.FormatInt(size, 10))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = io.Copy(w, content)
	}
}

// choose sets the headers of the form that the client accepts, and returns that form with its tag.
func (f *file) choose(header http.Header, r *http.Request, cacheControl string) (chosen io.ReadSeeker, etag string) {
	header.Set("Content-Type", f.contentType)
	header.Set("Cache-Control", cacheControl)
	open, etag := f.plain, f.etag
	if len(f.encoded) > 0 {
		header.Add("Vary", "Accept-Encoding")
		for _, encoding := range encodings {
			if f.encoded[encoding.name] != nil && accepts(r.Header.Get("Accept-Encoding"), encoding.name) {
				header.Set("Content-Encoding", encoding.name)
				open, etag = f.encoded[encoding.name], f.etag+"-"+encoding.name
				break
			}
		}
	}
	return open(), etag
}

// accepts reports whether an Accept-Encoding header allows the encoding; "br;q=0" does not.
func accepts(header, encoding string) bool {
	for _, item := range strings.Split(header, ",") {
		name, parameters, _ := strings.Cut(strings.TrimSpace(item), ";")
		if !strings.EqualFold(strings.TrimSpace(name), encoding) {
			continue
		}
		quality, given := strings.CutPrefix(strings.TrimSpace(parameters), "q=")
		if !given {
			return true
		}
		value, err := strconv.ParseFloat(quality, 64)
		return err == nil && value > 0
	}
	return false
}
