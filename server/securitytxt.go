package server

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
	"time"
)

const (
	securityPath  = "/.well-known/security.txt"
	securityValid = 90 * 24 * time.Hour // RFC 9116 recommends less than a year
)

// securityTxt serves where to report vulnerabilities, in the form of RFC 9116. There is nothing without a contact.
func (c Config) securityTxt(now func() time.Time) http.Handler {
	contact := cmp.Or(c.SecurityContact, c.SupportURL)
	if !strings.HasPrefix(contact, "https://") && !isMailto(contact) { // http is not allowed
		return http.NotFoundHandler()
	}
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		expires := now().Add(securityValid).UTC().Truncate(24 * time.Hour)
		_, _ = fmt.Fprintf(w, "Contact: %s\nExpires: %s\nPreferred-Languages: pt, en\nCanonical: %s%s\n",
			contact, expires.Format(time.RFC3339), c.PublicURL, securityPath)
	})
}
