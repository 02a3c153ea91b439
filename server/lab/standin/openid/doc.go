// Package openid is a stand-in for Google's sign-in and for any other OpenID provider: an authorization server without
// passwords, with a page to choose a person, discovery, a token endpoint that issues ID tokens, a userinfo endpoint and
// keys that can be rotated. It checks the application as strictly as Google does (client, redirect, PKCE, single-use
// codes), but anyone at the browser can be anyone, so it is for development and tests only. It lies on demand: see
// Fault. It keeps everything in memory and never reaches the network.
package openid
