package pictures

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/guard"
)

const maxRedirects = 3

var (
	errNotPublic = errors.New("not a public address, or not at port 80 or 443")
	errRedirect  = errors.New("redirected too often, or to an address that is not of the web")
	errEncoded   = errors.New("the response is compressed, though that was not accepted")
)

// dialRule returns the rule by which addresses are dialed. With loopback, this machine is allowed too.
func dialRule(loopback bool) func(netip.AddrPort) error {
	return func(a netip.AddrPort) error {
		if core.PublicAddress(a.Addr()) && (a.Port() == 80 || a.Port() == 443) ||
			loopback && a.Addr().Unmap().IsLoopback() {
			return nil
		}
		return errNotPublic
	}
}

// newClient returns a client that keeps no cookies.
func newClient(loopback bool, resolver *net.Resolver) *http.Client {
	return &http.Client{
		Transport: guard.NewTransport(dialRule(loopback), resolver),
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			if len(via) > maxRedirects || !isWeb(r.URL) {
				return errRedirect
			}
			r.Header.Del("Referer")
			return tripOf(r.Context()).redirected(siteOf(strings.ToLower(r.URL.Hostname())))
		},
	}
}

// fetch returns the content and the content type of a picture. The context is that of the trip.
func (t *trip) fetch(
	ctx context.Context, client *http.Client, address string,
) (content []byte, contentType string, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody) //nolint:gosec // it is guarded
	if err != nil {
		return nil, "", err
	}
	r.Header.Set("User-Agent", "Sininho")
	r.Header.Set("Accept", "image/avif, image/webp, image/png, image/jpeg, image/gif")
	r.Header.Set("Accept-Encoding", "identity")
	res, err := client.Do(r) //nolint:gosec // the client dials only public addresses
	if err != nil {
		return nil, "", err
	}
	defer res.Body.Close()
	switch encoding := res.Header.Get("Content-Encoding"); {
	case res.StatusCode != http.StatusOK:
		return nil, "", fmt.Errorf("status %d", res.StatusCode)
	case encoding != "" && encoding != "identity":
		return nil, "", errEncoded
	case res.ContentLength > maxBytes:
		return nil, "", errTooLarge
	case declaresOther(res.Header.Get("Content-Type")):
		return nil, "", errFormat
	}
	body := bufio.NewReader(io.LimitReader(res.Body, maxBytes+1))
	// The first bytes alone, so that nothing else is read to its end. If they cannot be read, reading the rest reports
	// it.
	if first, err := body.Peek(longestBeginning); err == nil && !mayBePicture(first) {
		return nil, "", errFormat
	}
	content, err = t.read(ctx, body, res.ContentLength)
	if err != nil {
		return nil, "", err
	}
	if len(content) > maxBytes {
		return nil, "", errTooLarge
	}
	contentType, err = inspect(content)
	return content, contentType, err
}

// declaresOther reports whether a content type is that of something other than a picture. Types such as
// application/octet-stream say nothing.
func declaresOther(contentType string) bool {
	declared, _, _ := mime.ParseMediaType(contentType)
	kind, _, _ := strings.Cut(declared, "/")
	return kind == "text" || kind == "audio" || kind == "video"
}
