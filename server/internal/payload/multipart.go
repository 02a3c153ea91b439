package payload

import (
	"bytes"
	"errors"
	"io"
	"mime/multipart"
	"net/url"

	"github.com/sininho/sininho/pkg/mend"
	"github.com/sininho/sininho/server/internal/core"
)

const maxParts = 200

// readMultipart returns the texts of a form with parts. Files are left out.
func readMultipart(body []byte, boundary string, adjusted *mend.Adjustments) url.Values {
	form := url.Values{}
	parts := multipart.NewReader(bytes.NewReader(body), boundary)
	for range maxParts {
		part, err := parts.NextPart()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				adjusted.Add(whole, "was a form that broke off")
			}
			return form
		}
		text, _ := io.ReadAll(io.LimitReader(part, core.MaxPayload)) // what came before it broke off
		if part.FileName() != "" {
			adjusted.Add(member+core.EscapePointer(part.FormName()), "was a file, and was dropped")
			continue
		}
		value, reason := mend.UTF8(text)
		adjusted.Add(member+core.EscapePointer(part.FormName()), reason)
		form.Add(part.FormName(), value)
	}
	adjusted.Add(whole, "had too many parts; the others were dropped")
	return form
}
