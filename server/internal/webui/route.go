package webui

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
)

// route is a page of the app, or several with the same form of address.
type route struct {
	path string
	last []string // what the last segment may be; nil allows everything
}

// kind is a kind of page.
type kind int

const (
	unknown kind = iota // no page of the app
	landing
	discovery
	demonstration
	signIn
	joining // by an invitation to a channel
	publisherPage
	channelPage
	notificationPage
	guide // for publishers
	privacy
	terms
	waitingList // for whoever has a token
	private     // for signed-in people
)

// kinds are the kinds of routes; all others are private.
var kinds = map[string]kind{
	"/":                                     landing,
	"/channels":                             discovery,
	"/channels/$publisherSlug":              publisherPage,
	"/channels/$publisherSlug/$channelSlug": channelPage,
	"/channels/$publisherSlug/$channelSlug/$notificationId": notificationPage,
	"/demo":            demonstration,
	"/join":            joining,
	"/login":           signIn,
	"/privacy":         privacy,
	"/publicar":        guide,
	"/terms":           terms,
	"/waitlist/$token": waitingList,
}

// hiddenSegments returns the first segments of the pages that need a session or a token.
func hiddenSegments() (first []string) {
	for _, r := range routes {
		if kind := kindOf(r); kind == private || kind == waitingList {
			first = append(first, segmentsOf(r.path)[0])
		}
	}
	slices.Sort(first)
	return slices.Compact(first)
}

func kindOf(r route) kind { return cmp.Or(kinds[r.path], private) }

// routeOf returns the kind of the page at an escaped path, and the segments of the path.
func routeOf(escaped string) (kind, []string) {
	segments := segmentsOf(escaped)
	for _, r := range routes {
		if r.matches(segments) {
			return kindOf(r), segments
		}
	}
	return unknown, segments
}

// segmentsOf returns the segments of an escaped path. An escaped slash does not separate any, as in the app.
func segmentsOf(escaped string) (segments []string) {
	for segment := range strings.SplitSeq(escaped, "/") {
		if segment == "" {
			continue
		}
		plain, err := url.PathUnescape(segment)
		if err != nil {
			plain = segment // matches no fixed segment and no slug
		}
		segments = append(segments, plain)
	}
	return segments
}

// matches reports whether an address has the form of the route. Like the app it ignores the case of fixed segments.
func (r route) matches(segments []string) bool {
	return slices.EqualFunc(segmentsOf(r.path), segments, func(pattern, segment string) bool {
		return strings.HasPrefix(pattern, "$") || strings.EqualFold(pattern, segment)
	}) && (r.last == nil || slices.Contains(r.last, segments[len(segments)-1]))
}
