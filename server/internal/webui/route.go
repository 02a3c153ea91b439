package webui

import (
	"slices"
	"strings"
)

// kind is a kind of page. The app's own routes are in webapp/src/gen/routeTree.ts.
type kind int

const (
	unknown kind = iota // no page of the app
	landing
	discovery
	demonstration
	signIn
	publisherPage
	channelPage
	notificationPage
	privacy
	terms
	private // for signed-in people, or for whoever has a token
)

// privatePaths are the first segments of the paths of private pages. Everything below them belongs to them.
var privatePaths = []string{"admin", "feed", "invitations", "login", "onboarding", "settings", "waitlist"}

// belowChannels are the kinds of the pages at and below /channels, by the number of segments that follow.
var belowChannels = []kind{discovery, publisherPage, channelPage, notificationPage}

// routeOf returns the kind of the page at a path, and the segments of the path. Like the app it ignores the case of the
// fixed segment.
func routeOf(name string) (kind, []string) {
	segments := strings.Split(name, "/")
	first := strings.ToLower(segments[0])
	switch {
	case name == "":
		return landing, nil
	case first == "channels" && len(segments) <= len(belowChannels):
		return belowChannels[len(segments)-1], segments
	case first == "demo" && len(segments) == 1:
		return demonstration, segments
	case first == "login" && len(segments) == 1:
		return signIn, segments
	case first == "privacy" && len(segments) == 1:
		return privacy, segments
	case first == "terms" && len(segments) == 1:
		return terms, segments
	case slices.Contains(privatePaths, first):
		return private, segments
	default:
		return unknown, segments
	}
}
