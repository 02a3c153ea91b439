// Package google is a stand-in for Google's sign-in: an OAuth 2.0 authorization server without passwords, with a page
// to choose a person, a token endpoint and a userinfo endpoint. It checks the application as strictly as Google does
// (client, redirect, PKCE, single-use codes), but anyone at the browser can be anyone, so it is for development and
// tests only. It keeps everything in memory and never reaches the network.
package google
