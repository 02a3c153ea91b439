package waitlist

import "net/url"

// links are the addresses in the web app that emails lead to.
type links struct{ publicURL string }

// entry is the page where the holder of an entry's token confirms, sees their place and leaves.
func (l links) entry(token string) string { return l.publicURL + "/waitlist/" + token }

// leave is the page to leave the list on, without confirming first.
func (l links) leave(token string) string { return l.entry(token) + "?leave=true" }

// referral is the link to share.
func (l links) referral(code string) string { return l.publicURL + "/?ref=" + url.QueryEscape(code) }

// invitation is the page where an invited person signs in.
func (l links) invitation(token string) string { return l.publicURL + "/login?invitation=" + token }
