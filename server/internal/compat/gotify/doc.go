// Package gotify speaks the part of Gotify's protocol by which programs publish (gotify.net/api-docs).
//
// An application of Gotify is a channel. Its token is CHANNEL:KEY, with an API key, or the key alone for a publisher
// with one channel; PUBLISHER/CHANNEL:TOKEN, with an access token.
package gotify
