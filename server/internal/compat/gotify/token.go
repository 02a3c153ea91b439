package gotify

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/pkg/rules"
	"github.com/sininho/sininho/server/internal/compat"
)

// destination returns the path of the channel that a request's token names, and puts the key where the API expects it.
func (s *server) destination(r *http.Request) (path string, err error) {
	channel, key := "", token(r)
	if before, after, ok := strings.Cut(key, ":"); ok {
		channel, key = before, after
	}
	r.Header.Del("Authorization")
	if key == "" {
		return "", &compat.Error{Status: http.StatusUnauthorized}
	}
	r.Header.Set("Authorization", "Bearer "+key)
	if publisher, slug, ok := strings.Cut(channel, "/"); ok {
		return channelPath(publisher, slug)
	}
	var auth api.Auth
	if _, err := s.api.Do(r, compat.Call{Method: http.MethodGet, Path: "/auth"}, &auth); err != nil {
		return "", err
	}
	if auth.Publisher == nil {
		return "", malformed("This key is not an API key: use PUBLISHER/CHANNEL:KEY as the token.")
	}
	if channel == "" {
		return s.onlyChannel(r, auth.Publisher.Slug)
	}
	return channelPath(auth.Publisher.Slug, channel)
}

// token returns the token of a request, from where Gotify looks for it.
func token(r *http.Request) string {
	scheme, bearer, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		bearer = ""
	}
	return cmp.Or(r.URL.Query().Get("token"), r.Header.Get("X-Gotify-Key"), strings.TrimSpace(bearer))
}

func channelPath(publisher, channel string) (string, error) {
	if !rules.IsSlug(publisher) || !rules.IsSlug(channel) {
		return "", malformed("The token is CHANNEL:KEY, or the key alone.")
	}
	return "/channels/" + publisher + "/" + channel, nil
}

// onlyChannel returns the path of a publisher's channel, if there is one alone.
func (s *server) onlyChannel(r *http.Request, publisher string) (string, error) {
	var page api.ChannelPage
	_, err := s.api.Do(r, compat.Call{Method: http.MethodGet, Path: "/channels",
		Query: url.Values{"publisher": {publisher}, "limit": {"2"}}}, &page)
	if err != nil {
		return "", err
	}
	if len(page.Data) != 1 {
		return "", malformed("The publisher " + publisher + " has not one channel: use CHANNEL:KEY as the token.")
	}
	return channelPath(publisher, page.Data[0].Slug)
}
