// Package google is a stand-in for Google's sign-in: an OAuth 2.0 authorization server that asks no password, with a page
// to choose who to be, a token endpoint and a userinfo endpoint. It is as strict as Google with the application (client,
// redirect, PKCE, codes that work once) and believes whoever sits at the browser, so it is for development and tests
// only. It keeps everything in memory and never reaches the network.
package google
