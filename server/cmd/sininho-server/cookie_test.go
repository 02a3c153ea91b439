package main

import (
	"net/http"
	"net/url"
)

// insecure keeps secure cookies by plain http too, as browsers do on localhost.
type insecure struct{ http.CookieJar }

// SetCookies implements http.CookieJar.
func (j insecure) SetCookies(u *url.URL, cookies []*http.Cookie) {
	j.CookieJar.SetCookies(encrypted(u), cookies)
}

// Cookies implements http.CookieJar.
func (j insecure) Cookies(u *url.URL) []*http.Cookie { return j.CookieJar.Cookies(encrypted(u)) }

func encrypted(u *url.URL) *url.URL {
	secure := *u
	secure.Scheme = "https"
	return &secure
}
